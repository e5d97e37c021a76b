"""The convention agents of the library as strategies by player count."""
import rules.convention  # noqa: F401
import rules.conventions  # noqa: F401
from hanabi.convention import find_convention
from hanabi.rule import find
from hanabi.table import Strategy, Table
from hanabi.variant import read_toml


def _at(data, players):
    def part(name):
        return next(value for key, value in data.get(name, {}).items()
                    if int(key[0]) <= players <= int(key[-1])) if data.get(name) else ()
    conventions = tuple(map(find_convention, part("conventions")))
    return Strategy(tuple(map(find, part("rules"))), data["otherwise"], conventions, tuple(dict(part("taste")).items()))


def read(path):
    """The strategies of an agent file."""
    data = read_toml(path)
    return {players: _at(data, players) for players in (2, 3, 4, 5)}


FULL, SIMPLE = read("rules/convention.toml"), read("rules/convention-simple.toml")
_tables = {}


def table_of(variant, strategy):
    """A table where everybody plays one strategy; the same one for the same arguments."""
    key = variant, *(entry.name for entry in strategy.rules + strategy.conventions), strategy.taste
    if key not in _tables:
        _tables[key] = Table(variant, [strategy])
    return _tables[key]
