"""An agent's weights, by which its rules compare hints and plays; written in the agent file."""

from hanabi.variant import check_known, shown

WEIGHTS = {  # weight: (if not given, lowest, highest, what it is a weight of)
    "new": (10, 0, 40, "a play that the hint adds"),
    "information": (3, 0, 10, "halving the copies that a touched or passed over card can be"),
    "useless": (1, 0, 10, "a card that becomes known as useless"),
    "critical": (5, 0, 20, "a last copy that becomes known as one"),
    "soon": (5, 0, 20, "a card one away that becomes known as playable or one away"),
    "copy": (
        5,
        0,
        20,
        "against: touching a copy of a card that is touched, promised or known to me",
    ),
    "waste": (1, 0, 10, "against: touching a useless card that stays unknown as one"),
    "distance": (0, -5, 5, "against: each seat that the hint passes over"),
    "idle": (0, 0, 10, "a play for a player who had none"),
    "low": (0, 0, 5, "each rank that an added play is below 3"),
    "five": (0, -10, 10, "each 5 that is touched for the first time"),
    "finesse": (0, 0, 20, "a finesse"),
    "bluff": (0, 0, 20, "a bluff"),
    "danger": (5, 0, 20, "against: leaving the next player about to discard a last copy"),
    "unlock": (1, 0, 5, "of two known plays: a card of a partner that would fit next"),
    "lowest": (1, 0, 5, "of two known plays: each rank that it is lower"),
    "private": (0, -2, 5, "of two known plays: one that others do not know I have"),
    "fives": (0, 0, 5, "of two known plays: a 5"),
    "trust_lives": (1, 0, 3, "plays known only by assumption are made with more lives than this"),
    "trust_chance": (0, 0, 1, "… and with at least this chance by what was promised"),
}
WIDER = {
    "trust_lives": (0, 4)
}  # what may be given, where evolution tries less: a variant has up to 4 lives
(
    NEW,
    INFORMATION,
    USELESS,
    CRITICAL,
    SOON,
    COPY,
    WASTE,
    DISTANCE,
    IDLE,
    LOW,
    FIVE,
    FINESSE,
    BLUFF,
    DANGER,
    UNLOCK,
    LOWEST,
    PRIVATE,
    FIVES,
    TRUST_LIVES,
    TRUST_CHANCE,
) = range(len(WEIGHTS))


def read_weights(weights: dict[str, float]) -> tuple[float, ...]:
    """Return all weights in order, with the defaults of WEIGHTS for those not given.

    Raises:
        ValueError: There is no weight of a name, or a value is out of its range.
    """
    for name, value in weights.items():
        check_known(name, WEIGHTS, "no weight")
        low, high = WIDER.get(name, WEIGHTS[name][1:3])
        if type(value) not in (int, float) or not low <= value <= high:
            raise ValueError(
                f"weight {name} = {shown(value)} should be a number from {low} to {high}"
            )
    return tuple(float(weights.get(name, entry[0])) for name, entry in WEIGHTS.items())
