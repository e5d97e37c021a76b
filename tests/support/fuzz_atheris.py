"""Coverage-guided fuzzing of every text reader, by hand, where atheris installs (pip install
atheris)::

PYTHONPATH=. python tests/fuzz_atheris.py -max_total_time=120

Anything but a value or a ValueError of one line stops it and is a bug; so is a text that takes more
than a few seconds.
"""

import os
import sys

os.environ["HANABI_PLAIN"] = "1"  # plain Python: what is compiled cannot be followed

import atheris  # noqa: E402

with atheris.instrument_imports(include=["hanabi", "rules", "evolve", "tomllib"]):
    from hanabi import game_record, moves, rulebook, variant
    from hanabi.evolve.ga import config
    from hanabi.logic import parser
    from hanabi.positions import position
    from hanabi.rules import agents

READERS = (
    agents.loads,
    agents.load,
    config.loads,
    rulebook.find,
    variant.read_variant,
    position.Position.read,
    game_record.Game.read,
    parser.read,
    moves.read_move,
    moves.read_card,
    position.read_pile,
    lambda text: config.override(config.preset("quick"), text.split("\n")),
)


def one_text(data):
    """The first byte chooses the reader, the rest is the text."""
    if not data:
        return
    text = data[1:].decode("utf-8", "replace")
    try:
        READERS[data[0] % len(READERS)](text)
    except ValueError as error:
        assert len(str(error).splitlines()) == 1, str(error)


if __name__ == "__main__":
    atheris.Setup(sys.argv, one_text)
    atheris.Fuzz()
