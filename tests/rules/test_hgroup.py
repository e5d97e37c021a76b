"""The test positions of the H-Group (tests/golden/hgroup_positions.toml); its conventions."""

import tomllib

import pytest
from paths import ROOT
from worked_examples import play as play_hands

from hanabi.conventions.focus import focus_slot, touched_chop
from hanabi.conventions.hint_evaluation import chosen_hint, judged_hints
from hanabi.conventions.marks import START, prepare_reading, read
from hanabi.conventions.own_hand import own_cards, own_counts, own_types
from hanabi.conventions.register import find_convention, keep_marks
from hanabi.conventions.slot_sets import agreed_chop, all_useless
from hanabi.game import apply, deal, is_legal, new_state
from hanabi.moves import discard, is_play, move_text, play, read_card, read_move, set_text
from hanabi.rulebook import find
from hanabi.rules.agents import load
from hanabi.rules.hgroup import chop_told, first_of
from hanabi.state import set_answers
from hanabi.variant import Variant

FILE = tomllib.loads((ROOT / "tests/golden/hgroup_positions.toml").read_text(encoding="utf-8"))
ANSWERS = {own_cards, own_counts, judged_hints, chosen_hint}
ROLES, NAMES = "ABCDE", ("Ann", "Bob", "Cal", "Dee", "Eve")


class Position:
    """A position of the file: A is the player who gives the hint."""

    def __init__(self, told):
        hands = [hand.split()[::-1] for hand in told["hands"]]  # oldest first
        prelude = [line.split() for line in told.get("prelude", [])]
        self.players = len(hands)
        self.first = len(prelude) % self.players  # the seat of A
        for place, (role, *_) in enumerate(prelude):
            if self.seat(role) != place % self.players:
                raise ValueError(f"{role} does not move then")
        leaving = {role: [] for role in ROLES}
        for role, verb, what, *_ in prelude:
            if verb != "tells":
                leaving[role].append(what)
        dealt, drawn = [[]] * self.players, []
        for role, hand in zip(ROLES, hands):
            kept = len(hand) - len(leaving[role])
            dealt[self.seat(role)] = hand[:kept] + leaving[role]
        done = dict.fromkeys(ROLES, 0)
        moves = []
        for role, verb, what, *cue in prelude:
            if verb == "tells":
                moves.append(f"tell {NAMES[self.seat(what)]} {cue[0]}")
            else:
                hand = hands[ROLES.index(role)]
                slot = len(hand) - len(leaving[role]) + done[role]
                done[role] += 1
                drawn.append(hand[slot])
                moves.append(f"{verb.removesuffix('s')} {slot}")
        self.begin(dealt, drawn, told)
        for text in moves:
            if text.startswith("discard"):  # as if a token had been spent before
                self.view.tokens = min(self.view.tokens, self.view.max_tokens - 1)
            self.make(read_move(text))
        read(self.view, START)  # of the hints so far, the words
        for line in told.get("before", []):
            self.hint("tell " + line.split(" tells ")[1])
        for place in told.get("kept", []):
            seat, slot = self.place(place)
            self.view.marks[0].warned[seat] |= 1 << slot

    def begin(self, dealt, drawn, told):
        """Deal, with the conventions of the list that the position names."""
        variant = Variant(players=self.players)
        rest = variant.deck()
        first = [read_card(card) for hand in dealt for card in hand] + [*map(read_card, drawn)]
        for card in first:
            rest.remove(card)
        self.state, self.view = new_state(variant, first + rest)
        player = load(told.get("agent", "hgroup-1")).at(self.players)
        added = [*map(find_convention, FILE["lists"].get(told.get("conventions"), []))]
        families = {entry.family.name for entry in added}
        kept = [one for one in player.conventions if one.family.name not in families]
        place = next(i for i, one in enumerate(kept) if one.family.stage == "meaning")
        self.rules = player.rules
        keep_marks(self.view, [(*kept[:place], *added, *kept[place:])] * self.players)
        deal(self.state, self.view, 1)

    def seat(self, role):
        return (self.first + ROLES.index(role)) % self.players

    def slot(self, seat, number):
        """The slot of a seat's newest card (1), the one after it (2), …"""
        ages = [int(born) for born in self.view.born[seat]]
        return ages.index(sorted(ages)[-number])

    def place(self, text):
        role, number = text.split()
        seat = self.seat(role)
        return seat, self.slot(seat, int(number))

    def slots(self, role, bits):
        """The numbers of some slots of a role, given as bits."""
        seat, count = self.seat(role), len([born for born in self.view.born[0] if born >= 0])
        return [one for one in range(1, count + 1) if bits >> self.slot(seat, one) & 1]

    def make(self, move):
        if not is_legal(self.view, move):
            raise ValueError(f"{move_text(move)} is not legal")
        apply(self.state, self.view, move)

    def hint(self, text):
        verb, role, what = text.split()
        self.make(read_move(f"{verb} {NAMES[self.seat(role)]} {what}"))

    def decide(self):
        """The move of the player to move by the rules of the agent."""
        set_answers(self.view, ANSWERS)
        for rule in self.rules:
            move = rule.family.function(self.view, *rule.values)
            if move:
                return int(move)
        return 0

    def step(self, text):
        """Make the next move; what is wrong with it, or ""."""
        me = int(self.view.me)
        if text.startswith("tell "):
            self.hint(text)
            return ""
        if text.startswith("do "):
            _, verb, number = text.split()
            slot = self.slot(me, int(number))
            self.make(play(slot) if verb == "play" else discard(slot))
            return ""
        move = self.decide()
        right = text == "any" or not is_play(move) if text in ("any", "no play") else None
        if right is None:
            right = move == play(self.slot(me, int(text.split()[1])))
        self.make(move)
        return "" if right else f"{move_text(move)} instead of {text}"


def differences(told):
    """What does not hold after the hint of a position, or after the next moves, in words."""
    here = Position(told)
    here.hint(told["clue"])
    wrong = check(here, told)
    wrong += [found for found in map(here.step, told.get("then", [])) if found]
    return wrong + check(here, told.get("after", {}))


def check(here, told):
    """What does not hold now, in words."""
    view, wrong = here.view, []
    marks = view.marks[0]

    def same(what, found, expected):
        if found != expected:
            wrong.append(f"{what}: {found} instead of {expected}")

    def same_slots(what, wanted, bits):
        for role, slots in told.get(wanted, {}).items():
            same(f"{role} {what}", here.slots(role, bits(here.seat(role))), slots)

    for place, types in told.get("cards", {}).items():
        same(place, set_text(int(marks.assumed[here.place(place)])), types)
    set_answers(view, ANSWERS)
    for place, types in told.get("own", {}).items():
        same(f"own {place}", set_text(int(own_types(view, here.place(place)[1]))), types)
    same_slots("plays", "playing", lambda seat: int(marks.plays[seat]))
    same_slots("keeps", "marked", lambda seat: int(marks.warned[seat]))
    same_slots("discards", "useless", lambda seat: all_useless(view, marks.assumed[seat]))
    for role, slot in told.get("chop", {}).items():
        seat = here.seat(role)
        same(f"chop of {role}", int(agreed_chop(view, seat)), here.slot(seat, slot))
    return wrong


def cases():
    for told in FILE["position"]:
        missing = told.get("missing")
        marks = (
            [pytest.mark.xfail(reason=f"missing: {missing}", strict=True, raises=AssertionError)]
            if missing
            else []
        )
        yield pytest.param(told, id=told["number"], marks=marks)


@pytest.mark.parametrize("told", [*cases()])
def test_position(told):
    assert "hands" in told and differences(told) == []


def test_every_position_is_there_and_those_of_levels_1_and_2_hold():
    numbers = {told["number"].split(",")[0] for told in FILE["position"]}
    assert numbers == {str(number) for number in range(1, 25)}
    missing = [
        told["number"] for told in FILE["position"] if told["level"] <= 2 and "missing" in told
    ]
    assert missing == []


def test_a_discard_of_a_known_card_tells_who_has_its_other_copy():
    """Bob's R3 is known; Cal's touched card may be it."""
    hands = ["B4 B5 G4 G5 Y4", "R3 W4 G1 W1 Y1", "B1 B2 R3 Y1 Y2"]
    told = ["tell Cal R", "discard 2", "tell Bob R", "tell Bob 3"]
    view = play_hands(hands, ["discards_tell"], told)
    assert set_text(int(view.marks[0].assumed[1, 0])) == "R3"
    set_answers(view, ANSWERS)
    assert move_text(find("discard_told")(view)) == "discard 0"
    view = play_hands(hands, ["discards_tell"], [*told, "discard 0"])
    assert set_text(int(view.marks[0].promised[2, 2])) == "R3"
    assert view.marks[0].pledged[2] == 1 << 2


def test_a_discard_tells_nothing_of_a_card_that_is_no_copy_or_known_already():
    hands = ["B4 B5 G4 G5 Y4", "R3 W4 G1 W1 Y1", "B1 B2 R4 Y1 Y2"]
    told = ["tell Cal R", "discard 2", "tell Bob R", "tell Bob 3"]
    view = play_hands(hands, ["discards_tell"], told)
    set_answers(view, ANSWERS)
    assert find("discard_told")(view) == 0, "Cal's red card is an R4"


def test_a_discard_of_a_known_card_that_is_useless_tells_nothing():
    """Bob's R1 is known; Ann's was played, so that Cal's red card may well be the third one."""
    hands = ["R1 B5 G4 G5 Y4", "R1 W4 G1 W1 Y1", "B1 B2 R3 Y1 Y2"]
    told = ["play 0", "tell Cal R", "discard 0", "tell Bob R", "tell Ann 5", "discard 1"]
    view = play_hands(hands, ["discards_tell"], [*told, "tell Bob 1", "discard 0"])
    assert set_text(int(view.marks[0].promised[2, 2])) == "R12345"
    view = play_hands(
        hands, ["discards_tell"], ["tell Bob G", *told[1:], "tell Bob 1", "discard 0"]
    )
    assert set_text(int(view.marks[0].promised[2, 2])) == "R1", "while it can still be played"


def test_a_player_skips_a_1_to_save_a_last_copy():
    """Bob was told three 1s; slot 0 is the oldest. Cal, then Ann, would discard a last copy."""
    lists = ["chop_oldest", "ones_in_order", "new_focus(through=0, ones=1)"]

    def chosen(ann, cal, conventions=lists):
        hands = [f"{ann} W3 G3 G4 Y4", "R1 B1 G1 B3 W3", f"{cal} R3 Y3 B4 Y2"]
        view = play_hands(hands, conventions, ["tell Bob 1"])
        set_answers(view, ANSWERS)
        return find("play_one")(view)

    assert chosen("W4", "R4") == play(0)
    assert chosen("W4", "B5") == play(1)
    assert chosen("R5", "R4") == play(2)
    assert chosen("R5", "B5") == play(1)
    assert chosen("W4", "B5", lists[:1] + lists[2:]) == 0, "without the convention"


@pytest.mark.parametrize(
    "ann, cal, moves",
    [
        ("R1 W4 G3 G4 Y4", "B5 R3 Y3 B4 W1", ["tell Cal 1", "tell Cal 4", "tell Ann 3"]),
        (
            "R1 W4 G3 G4 Y4",
            "B5 R1 Y3 B4 Y2",
            ["play 0", "tell Cal R", "tell Ann 3", "tell Cal 1", "tell Ann 4", "tell Ann G"],
        ),
    ],
    ids=["plays", "discards a useless card"],
)
def test_no_1_is_skipped_for_a_player_who_knows_something_better(ann, cal, moves):
    lists = ["chop_oldest", "ones_in_order", "new_focus(through=0, ones=1)"]
    hands = [ann, "Y1 B1 G1 B3 W3", cal]
    view = play_hands(hands, lists, [*moves, "tell Bob 1"])
    set_answers(view, ANSWERS)
    assert agreed_chop(view, 2) == 0, "the B5"
    assert find("play_one")(view) == play(0)


def test_a_card_that_was_saved_is_forgotten_once_it_is_gone():
    """Else the next card in its slot would be taken for no 2 that its holder saw elsewhere."""
    hands = ["B4 B5 G4 G5 Y4", "R2 W4 G3 Y3 B3", "B4 Y4 W4 R3 Y5"]
    saves = ["chop_oldest", "play_or_save(through=1, twos=1)"]
    for moves, saved in ((["tell Bob 2"], 0), (["tell Bob 2", "discard 0"], -1)):
        assert play_hands(hands, saves, moves).marks[0].memory[0, 1] == saved


def test_of_two_former_chops_the_newer_is_played_first():
    """Then the cards drawn since the deal, the newest first, then those dealt, the oldest first."""
    view = play_hands(["W4 W3 G3 G4 Y4", "R1 B1 G1 Y1 W3"], ["ones_in_order"], [])
    for chops, born, first in (
        (0b0011, (), 1),
        (0b0001, (), 0),
        (0b0000, (), 0),
        (0b0000, (10, 12), 2),
        (0b0001, (10, 12), 0),
    ):
        view.marks[0].memory[0, 1] = chops
        for slot, drawn in enumerate(born, 1):
            view.born[1, slot] = drawn
        assert first_of(view, 1, 0b1111) == first


def test_a_player_without_a_chop_is_told_nothing():
    """Bob may skip one or two 1s; Cal has no chop once all other cards were told."""
    lists = ["chop_oldest", "ones_in_order", "new_focus(through=0, ones=1)"]
    hands = ["W4 W3 G3 G4 Y4", "R1 B1 G1 B3 W3", "B5 R3 Y3 B4 Y2"]
    view = play_hands(hands, lists, ["tell Bob 1"])
    assert chop_told(view, play(1)) == (2, 0)
    assert chop_told(view, play(0)).seat == -1, "the first in order"
    view.marks[0].assumed[2, :5] = 1 << read_card("B5")
    assert chop_told(view, play(1)).seat == -1


FOCUS = ["chop_oldest"]


def focus_of_hint(hands, text, before=()):
    """(focus, touched chop) of a hint of Ann; slot 4 holds the newest card."""
    view = play_hands(hands, FOCUS, before)
    prepare_reading(view, read_move(text))
    return int(focus_slot(view, view.readings[0])), int(touched_chop(view, view.readings[0]))


def test_the_focus_is_the_chop_then_the_newest_new_card_then_one_that_may_fit():
    hands = ["B4 B5 G4 G5 Y4", "R3 W1 B3 W4 R5", "B1 B2 B3 Y1 Y2"]
    assert focus_of_hint(hands, "tell Bob R") == (0, 0)
    assert focus_of_hint(hands, "tell Bob W") == (3, -1)
    told = ["tell Bob W", "tell Ann 4", "tell Ann 5"]
    assert focus_of_hint(hands, "tell Bob W", told) == (3, -1), "old cards that may fit"
    assert focus_of_hint(hands, "tell Bob 4", told) == (-1, -1), "an old card that cannot"
