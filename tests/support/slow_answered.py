"""The slow twin of Zhao's belief search with a list for the partner: in each hand an ordinary table
makes my move and asks the list.
"""

from slow_search import deck_of, first_word, hands_of, moves_of, table_with, word_of
from slow_zhao import Search as Plain

from hanabi.game import apply, is_over, legal_moves
from hanabi.moves import move_text, read_move
from hanabi.rulebook import find

CHANCE = find("cig2018.legal_random")  # the one rule here that throws dice: every legal move alike


class Search(Plain):
    """The search of a Foreseer in a position."""

    def __init__(self, player, variant, state, view):
        super().__init__(player.kind, view)
        self.list, self.variant, self.state = player.follows, variant, state
        self.slots, self.kinds = hands_of(view, view.mask[view.me])
        self.hands = sorted(self.kinds)  # as they are listed, so that each has its own deck

    def answers(self, table, move):
        """What the list may do after a move of mine, each as likely as the next; nothing where the
        game is over.
        """
        state, now = table.state.copy(), table.view.copy()
        apply(state, now, move)
        if is_over(now):
            return []
        return (
            legal_moves(now)
            if CHANCE in self.list.rules
            else [table._choose(0, [0, 0], [], now).move]
        )

    def after(self, state, answer):
        """What a position is worth after an answer of my partner's."""
        word, slot, *_ = move_text(answer).split()
        state = state._replace(made=state.made + 1)
        if word == "play":
            return self.max_value(self.play(state, "theirs", int(slot)))
        if word == "discard":
            return self.max_value(
                state._replace(tokens=state.tokens + 1, discards=state.discards + 1)
            )
        return self.max_value(state._replace(tokens=state.tokens - 1))

    def worths(self):
        """The mean worth by move, of the moves that may be made."""
        found, view = {}, self.view
        for number, hand in enumerate(self.hands):
            held = [dict(zip(self.slots, hand)).get(slot, -1) for slot in range(5)]
            deck = deck_of(view, held, word_of(first_word(view), number)[1])
            table = table_with([self.list, self.list], self.variant, self.state, view, held, deck)
            for _ in table.replay(0, [0, 0], moves_of(view)):
                pass
            root = self.root([(card // 5, card % 5 + 1) for card in hand])
            for action in self.actions(root):
                state = self.act(root, action)
                if state.possible:
                    move = read_move(action.replace("x", ("Ann", "Bob")[1 - int(view.me)]))
                    answers = [] if state.penalised else self.answers(table, move)
                    value = (
                        sum(self.after(state, answer) for answer in answers) / len(answers)
                        if answers
                        else self.kind.fault
                        if state.penalised
                        else self.utility(state)
                    )
                    found[move] = found.get(move, 0) + value * (
                        self.kinds[hand] if self.kind.copies else 1
                    )
        whole = sum(self.kinds.values()) if self.kind.copies else len(self.hands)
        return {move: total / whole for move, total in found.items()}
