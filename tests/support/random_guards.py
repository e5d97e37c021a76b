"""Random guards that rules and conventions may have."""

from hanabi.conditions import QUANTITIES, guard

USUAL = {
    "tokens": (0, 8),
    "deck": (0, 20),
    "lives": (1, 3),
    "spare": (-3, 16),
}  # where games are mostly


def quantities(family):
    """The quantities that entries of a family may bound."""
    return [
        name
        for name, quantity in QUANTITIES.items()
        if family.stage != "game"
        and (not quantity.of_hints or family.stage == "meaning")
        and (name != "next_plays" or family.stage != "fits")
    ]


def random_guard(rng, family, chance=0.5):
    """A guard with some bounds, with a chance, else none."""
    names = quantities(family)
    if not names or rng.random() > chance:
        return None
    bounds = {}
    for name in rng.sample(names, rng.randint(1, 2)):
        low, high = USUAL.get(name, QUANTITIES[name][:2])
        ends = sorted((rng.randint(low, high), rng.randint(low, high)))
        bounds[name] = rng.choice(
            [tuple(ends), (ends[0], QUANTITIES[name].highest), (QUANTITIES[name].lowest, ends[1])]
        )
    return guard(bounds)
