"""Whatever text is read, it is read or refused in one line; and what is written reads back."""

import copy
import dataclasses
import functools
import random
import tomllib

import small_rules
from card_sets import read_set
from hypothesis import example, given, strategies as st
from texts import FUZZ, LETTERS, SLOW_FUZZ, TEXT, VALUES, refuses_well

from hanabi.game import legal_moves
from hanabi.game_record import Game, play_one
from hanabi.moves import END, FORFEIT, NOTHING, card_text, move_text, read_card, read_move, set_text
from hanabi.notation import pile_text, read_pile
from hanabi.positions.position import Position
from hanabi.rulebook import find
from hanabi.variant import NAMED, Variant, read_variant


@FUZZ
@given(TEXT)
@example("R6")
@example("R0")
@example("²3")
@example("R²")
def test_cards_moves_and_sets(text):
    card = refuses_well(read_card, text)
    assert card is None or card_text(card) == text
    move = refuses_well(read_move, text)
    assert move is None or move_text(move) == text
    pile = refuses_well(read_pile, text)
    assert pile is None or sorted(read_pile(pile_text(pile))) == sorted(pile)


def test_every_card_move_and_many_sets():
    assert [read_card(card_text(card)) for card in range(-1, 30)] == list(range(-1, 30))
    moves = [FORFEIT, NOTHING, *range(1, END)]
    assert [read_move(move_text(move)) for move in moves] == moves
    for _ in range(200):
        cards = random.Random(_).getrandbits(30)
        assert read_set(set_text(cards)) == cards


@FUZZ
@given(TEXT)
@example("x\ny.toml")
@example("\0.toml")
@example("a" * 5000 + ".toml")
@example("\ud800.toml")
@example("hand=" + "9" * 5000)
@example("copies=")
@example("copies=²")
@example("mini,mini,players=2")
@example("standard,standard")
@example("x=1\n,hand=2")
@example("/.toml")
def test_variants(text):
    variant = refuses_well(read_variant, text)
    assert variant is None or read_variant(str(variant)) == variant or variant.players


def test_the_games_of_publications():
    """As their authors give them, and the texts that they are written back as."""
    irvall, osawa = NAMED["irvall"], NAMED["osawa"]
    assert irvall == read_variant("lives=4,colour_token=false") and [
        irvall.at(n).hand_size for n in (2, 3, 4, 5)
    ] == [5, 5, 4, 4]
    assert (irvall.cards, irvall.tokens, irvall.last_round) == (50, 8, True) and str(
        irvall.at(5)
    ) == "irvall"
    assert (osawa.players, osawa.hand_size, osawa.lives) == (2, 5, 3) and read_variant(
        "osawa,hand=2"
    ).hand_size == 2
    for colours, cards in ((2, 20), (3, 30), (4, 40)):
        zhao = NAMED[f"zhao-{colours}"]
        assert zhao == read_variant(f"two-colour,colours={colours},colour_token=false") and (
            zhao.cards,
            zhao.hand_size,
        ) == (cards, 4)
    assert (NAMED["mini"].cards, NAMED["mini"].seats, NAMED["mini"].hand_size) == (18, 3, 3)
    assert (
        str(Variant(lives=4)) == "lives=4"
        and str(Variant(players=3, colour_token=False)) == "players=3,colour_token=false"
    )
    assert (
        refuses_well(read_variant, "lives=5")
        is refuses_well(read_variant, "colour_token=1")
        is None
    )


@FUZZ
@given(
    st.builds(
        dict,
        players=st.sampled_from([None, 2, 3, 4, 5]),
        colours=st.integers(1, 6),
        ranks=st.integers(1, 5),
        hand=st.sampled_from([None, 1, 2, 3, 4, 5]),
        tokens=st.integers(1, 8),
        lives=st.integers(1, 4),
        colour_token=st.booleans(),
        last_round=st.booleans(),
        stop_when_hopeless=st.booleans(),
    ),
    st.lists(st.integers(1, 3), max_size=5),
)
def test_variants_read_back(values, copies):
    try:
        variant = Variant(**values, copies=tuple(copies) if len(copies) == values["ranks"] else ())
    except ValueError as error:
        assert len(str(error).splitlines()) == 1
        return
    again = read_variant(str(variant))
    assert (
        again == variant or again.at(variant.players) == variant
    )  # a name may leave the players open


@FUZZ
@given(TEXT)
def test_rules(text):
    refuses_well(find, text)
    refuses_well(find, "cig2018.play_safe(" + text)


@functools.cache
def texts():
    """Texts of games and positions to be damaged."""
    found = []
    for variant, seed in (
        (NAMED["standard"].at(3), 1),
        (NAMED["mini"], 2),
        (NAMED["two-colour"], 3),
        (Variant(players=5, colours=1, ranks=4, copies=(3, 3, 3, 3), hand=2), 4),
    ):
        game = play_one(variant, [small_rules.SENSIBLE], [0] * variant.players, seed)
        deck = tuple(variant.deck())
        found += [
            game.text,
            str(dataclasses.replace(game, deck=deck, moves=(), rules=())),
            *(str(game.position(turn)) for turn in (0, len(game.moves) // 2, len(game.moves))),
        ]
    return found


@functools.cache
def data_of_texts():
    """The data of the texts."""
    return [tomllib.loads(text) for text in texts()]


TOKENS = st.one_of(
    LETTERS,
    st.sampled_from(
        [
            "9" * 5000,
            "-1",
            "[" * 2000,
            "1979-05-27",
            "true",
            "{}",
            '""',
            '"""',
            "Eve",
            "[hands]",
            "left = 0",
            "#999999999",
            "#-1",
            "history = []",
            'deck = ""',
        ]
    ),
)


@st.composite
def damaged(draw):
    """The text of a game or position with a few words or signs changed, doubled, dropped or
    swapped.
    """
    text = draw(st.sampled_from(texts()))
    for _ in range(draw(st.integers(1, 3))):
        by_lines = draw(st.booleans())
        parts = (
            text.split("\n")
            if by_lines
            else text.replace(" ", " \0").replace("\n", "\n\0").split("\0")
        )
        place = draw(st.integers(0, len(parts) - 1))
        kind = draw(st.integers(0, 3))
        if kind == 0:
            parts[place] = draw(TOKENS)
        elif kind == 1:
            del parts[place]
        elif kind == 2:
            parts.insert(place, parts[draw(st.integers(0, len(parts) - 1))])
        else:
            other = draw(st.integers(0, len(parts) - 1))
            parts[place], parts[other] = parts[other], parts[place]
        text = ("\n" if by_lines else "").join(parts)
    return text


@st.composite
def changed(draw):
    """The data of a game or position with a few values, or words in a text, changed or dropped."""
    data = copy.deepcopy(draw(st.sampled_from(data_of_texts())))
    for _ in range(draw(st.integers(1, 3))):
        inside = data
        while inside:
            keys = list(inside) if isinstance(inside, dict) else list(range(len(inside)))
            key = draw(st.sampled_from(keys))
            if isinstance(inside[key], dict | list) and inside[key] and draw(st.integers(0, 3)):
                inside = inside[key]
                continue
            if draw(st.integers(0, 4)) == 0:
                del inside[key]
            elif isinstance(inside[key], str) and inside[key] and draw(st.booleans()):
                words = inside[key].split(" ")
                words[draw(st.integers(0, len(words) - 1))] = draw(
                    st.one_of(TOKENS, TEXT, st.sampled_from(words))
                )
                inside[key] = " ".join(words)
            elif isinstance(inside[key], int) and draw(st.booleans()):
                inside[key] += draw(st.integers(-2, 2))
            else:
                inside[key] = draw(VALUES)
            break
    return data


@SLOW_FUZZ
@given(changed())
def test_changed_games_and_positions(data):
    game = refuses_well(Game.from_data, data)
    assert game is None or Game.read(game.text) == game
    position = refuses_well(Position.from_data, data)
    if position is not None:
        assert Position.read(str(position)) == position
        _, view = position.state()
        assert legal_moves(view) or view.left >= 0 or view.lives == 0


@SLOW_FUZZ
@given(damaged())
def test_damaged_games_and_positions(text):
    game = refuses_well(Game.read, text)
    assert game is None or Game.read(game.text) == game
    position = refuses_well(Position.read, text)
    assert position is None or Position.read(str(position)) == position


@SLOW_FUZZ
@given(TEXT)
@example("[" * 5000)
@example("x = " + "9" * 5000)
@example("seed = 9" * 3)
@example("players = 2\nseed = " + "9" * 4000)
@example("players = 2\nseed = 1979-05-27")
@example("players = 2\nseed = 1\nmoves = [[]]")
@example("players = 2\nseed = 1\nmoves = [[[]]]")
@example('players = 2\nseed = 1\nvariant = "a\\nb"')
@example('players = 2\nseed = 1\nagents = ["\\ud800"]')
@example('"a\\nb" = 1')
@example("hands = 3")
@example("[hands]\nAnn = 3\nBob = []")
@example("players = 2\ntokens = inf")
def test_any_text(text):
    for read in (Game.read, Position.read):
        refuses_well(read, text)
