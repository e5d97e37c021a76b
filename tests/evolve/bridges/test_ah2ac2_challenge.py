"""Our agents in AH2AC2: whole games on a stub of its server, and what it refuses."""

import asyncio
import json

import pytest
from datasets import dataset
from jaxmarl_observations import legal, observation

from hanabi.action_ids import actions_of, no_op
from hanabi.evolve.bridges import ah2ac2_challenge
from hanabi.evolve.measure.one_game import play_game
from hanabi.formats.ah2ac2 import _game as read_arrays

pytest.importorskip("websockets")
from websockets.asyncio.server import serve


class Stub:
    """Their server with one game: the moves of the seats that it plays are those of the game.

    Attributes:
        game: The game.
        seats: The seats of the client, numbers.
        asked: The paths of the client's requests.
        made: By turn, what the client sent.
        games: How many games the evaluation has left.
        trouble: What is sent in place of the state, by turn.
    """

    def __init__(self, game, seats, games=1, trouble=None):
        self.game, self.seats, self.games = game, seats, games
        self.asked, self.made, self.trouble = [], [], trouble or {}

    def state(self, turn):
        over = turn == len(self.game.moves)
        shown = turn - over
        found = {
            f"agent_{seat}": {
                "obs": observation(self.game, shown, seat).tolist(),
                "legal_moves": legal(self.game, shown, seat).tolist(),
            }
            for seat in self.seats
        }
        return found | ({"done": over, "score": self.game.score_zero} if turn else {})

    async def play(self, socket):
        await socket.send("hello")
        names, players = [f"agent_{seat}" for seat in self.seats], self.game.variant.seats
        about = {
            "num_players": players,
            "candidate_controlling": names,
            "is_debug": True,
            "game_id": 7,
        }
        _, numbers = actions_of(self.game)
        for turn in range(len(self.game.moves) + 1):
            state = self.trouble.get(turn, self.state(turn) | ({} if turn else {"info": about}))
            await socket.send(state if isinstance(state, str) else json.dumps(state))
            if turn < len(self.game.moves):
                sent = json.loads(await socket.recv())
                self.made.append(sent)
                if sent != {name: numbers[turn, seat] for name, seat in zip(names, self.seats)}:
                    await socket.send(json.dumps({"error_details": f"turn {turn}: {sent}"}))
                    return
        self.games -= 1

    def answer(self, connection, request):
        self.asked.append(request.path)
        if request.path.startswith("/evaluation-info/"):
            return connection.respond(200, json.dumps({"human_ai_eval_done": self.games == 0}))

    def serve(self, client):
        """Call the client, a blocking function of an address, while the server runs."""

        async def both():
            async with serve(self.play, "127.0.0.1", 0, process_request=self.answer) as server:
                port = server.sockets[0].getsockname()[1]
                return await asyncio.to_thread(client, f"ws://127.0.0.1:{port}")

        return asyncio.run(both())


@pytest.mark.parametrize(
    "spec, players, seats",
    [("convention-2026", 2, [1]), ("iggi", 3, [0, 2]), ("iggi", 5, [3])],
)
def test_on_their_server_an_agent_makes_the_moves_of_our_games(spec, players, seats):
    game = play_game([spec], players, 3)
    stub = Stub(game, seats)
    found = stub.serve(
        lambda server: ah2ac2_challenge.play_test("KEY", spec, players, seats, server)
    )
    assert found == (7, players, tuple(seats), game.score_zero) and len(stub.made) == len(
        game.moves
    )
    places = "".join(f"&candidate_positions={seat}" for seat in seats)
    assert stub.asked == [
        f"/play-random-agent?num_players={players}{places}&test_submission_key=KEY"
    ]
    waits = [sent for turn, sent in enumerate(stub.made) if turn % players not in seats]
    assert all({*sent.values()} == {no_op(players)} for sent in waits) and waits


def test_the_evaluation_plays_the_games_that_are_left():
    game, told = play_game(["iggi"], 2, 5), []
    stub = Stub(game, [0], games=2)
    found = stub.serve(
        lambda server: ah2ac2_challenge.play_evaluation("KEY", "iggi", server, told.append)
    )
    assert found == told == [(7, 2, (0,), game.score_zero)] * 2
    assert stub.asked == ["/evaluation-info/KEY", "/play-next?submission_key=KEY"] * 2 + [
        "/evaluation-info/KEY"
    ]


TROUBLES = [
    ({0: {"error_details": "bad\nkey"}}, "the server refuses: 'bad"),
    ({0: "nonsense"}, "the server sent no JSON, but 'nonsense'"),
    ({0: {"info": {"num_players": 7}}}, "the server should say who plays"),
    ({0: {"info": {"num_players": 2, "candidate_controlling": ["agent_2"]}}}, "there is no seat"),
    ({0: {"info": {"num_players": 2, "candidate_controlling": ["agent_0"]}}}, "no observation for"),
    ({2: {"agent_0": {"obs": [0], "legal_moves": [1]}}}, "an observation of 2 players has 658"),
]


@pytest.mark.parametrize("trouble, message", TROUBLES, ids=[message for _, message in TROUBLES])
def test_what_a_server_does_wrong_is_told_in_one_line(trouble, message):
    stub = Stub(play_game(["iggi"], 2, 5), [0], trouble=trouble)
    with pytest.raises(ah2ac2_challenge.EvaluationError) as raised:
        stub.serve(lambda server: ah2ac2_challenge.play_test("KEY", "iggi", 2, [0], server))
    assert message in str(raised.value) and "\n" not in str(raised.value)


def test_without_a_server_it_is_told():
    with pytest.raises(
        ah2ac2_challenge.EvaluationError, match="the connection to the server failed: "
    ):
        ah2ac2_challenge.play_test("KEY", "iggi", 2, [0], "ws://127.0.0.1:9")
    with pytest.raises(ah2ac2_challenge.EvaluationError, match="no state of the evaluation"):
        ah2ac2_challenge.play_evaluation("KEY", "iggi", "ws://127.0.0.1:9")


def test_the_score_of_a_game_that_lost_all_lives_is_its_points_or_0():
    game = play_game(["legal-random"], 2, 0)
    assert game.end == "lives" and game.score > 0
    arrays = dataset([game])
    deck, actions, count = (arrays[name][0] for name in ("decks", "actions", "num_actions"))
    for score in (None, 0, game.score):
        assert read_arrays(deck, actions, int(count), score, "x").moves == game.moves
    with pytest.raises(ValueError, match="x: the score is given as"):
        read_arrays(deck, actions, int(count), game.score + 1, "x")
