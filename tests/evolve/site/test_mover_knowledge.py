"""What "Why?" says of chances depends on no card of a person."""

from hanabi.evolve.site.play_table import PERSON, PlayTable, new_game
from hanabi.evolve.site.table_game import knowledge_of_mover
from hanabi.knowledge.plain_interface import sight_of
from hanabi.moves import NO_CARD
from hanabi.variant import read_variant


def test_cards_of_people_are_hidden_from_the_chances():
    table = PlayTable((PERSON, "piers", "piers"), new_game(read_variant("standard"), 3, 3))
    table.make(0, "tell Bob 1")
    state, view = table.table.state, table.view
    told = knowledge_of_mover(state, view, table.people)
    assert told.hands[0] == [NO_CARD] * 5 and told.masks[0] == [0] * 5
    assert told.hands[2] == state.hands[2].tolist()
    seen, kinds = sight_of(state, view), told.kinds
    assert told.ways(0)[1] > seen.total()
    rows, total = seen.weights(*kinds)
    assert knowledge_of_mover(state, view, ()).ways(4) == ([row[4] for row in rows], total)
