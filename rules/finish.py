"""The rule for the last cards: it plays each sensible move on and departs from the list's move."""

from hanabi.authoring import NOTHING, View, compiled, rule
from hanabi.conventions.chains import CHAIN, GIVER
from hanabi.conventions.memory import memory_of
from hanabi.schedule.options import best_option, list_options, option_of, value_options
from hanabi.schedule.turns import Schedule, has_few_unseen


@compiled
def is_modelled(view: View) -> bool:
    """Return whether the schedule knows what moves mean: their words only, no chain is open."""
    is_open = memory_of(view, CHAIN)[GIVER] >= 0
    return view.lists > 0 and view.marks[view.list].tells == 0 and not is_open


@rule(
    worlds=(8,),
    margin=(0.2, 0.3, 0.5),
    slack=(-1, 2, 5, 9),
    eager=(2, 9),
    luck=(0.5, 0.7, 1),
    within={"worlds": (1, 32), "margin": (0, 5), "slack": (-9, 30), "luck": (0, 1)},
)
def finish(
    view: View, rest: float, worlds: float, margin: float, slack: float, eager: float, luck: float
) -> int:
    """Play each sensible move on in {worlds} deals of my hand and the deck, and make the best if it
    scores at least {margin} points more than the move of the rules below. There each player plays
    a known card, else tells a card that fits (by a chance of {luck:.0%}; first of all with at least
    {eager:#token|tokens}), else stalls with at most {slack:#turn|turns} to spare, else discards.
    """
    if not is_modelled(view) or not has_few_unseen(view):
        return NOTHING
    list_options(view)
    value_options(view, int(rest), int(worlds), Schedule(int(slack), int(eager), luck))
    best, listed = best_option(view), option_of(view, int(rest))
    if (
        best < 0
        or best == listed
        or rest != NOTHING
        and (listed < 0 or view.options[best].value - view.options[listed].value < margin)
    ):
        return NOTHING
    return view.options[best].move
