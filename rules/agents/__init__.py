"""Agents: lists of rules by player count. Agent files, the named agents of the literature, and the agent-spec grammar.

An agent file is TOML that a person can read and edit; it holds data only. An agent *spec*, wherever one is asked for, is
the path of an agent file, the name of a named agent, or numbers of a set of rules, such as ``cig2018:46,8,2``.
"""
from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, field
from pathlib import Path

import tomlkit

from hanabi.conventions.register import find_convention, in_stages
from hanabi.conventions.weights import WEIGHTS, read_weights
from hanabi.moves import move_text
from hanabi.position import Position
from hanabi.rule import BOOK, Rule, find
from hanabi.table import RuleError, Strategy, answers, decision
from hanabi.variant import nearest, parse_toml, read_toml
from rules import SETS

KEYS = ("name", "source", "otherwise", "rules", "conventions", "weights", "provenance")
OTHERWISE = ("default", "forfeit")


@dataclass(frozen=True)
class Agent:
    """A name and ordered lists of rules by player count: keys ``"2"``, ``"3-5"``, ``"2-5"``, each count at most once.

    ``otherwise`` says what to do where no rule applies: "default" (discard the oldest card; with all tokens give a hint)
    or "forfeit" (the game ends there, as in 2018). ``source`` is where it comes from, in words; ``provenance`` what made
    it, as data. ``conventions``, also by player count, are the agreed meanings of hints that it plays by (none: hints mean
    what they say); ``weights`` the weights of its hints and plays that differ from hanabi/conventions/weights.py. Raises ValueError,
    in one line, for an agent that could not play.
    """
    name: str
    lists: dict[str, tuple[Rule, ...]]
    otherwise: str = "default"
    source: str = ""
    provenance: dict = field(default_factory=dict)
    conventions: dict[str, tuple[Rule, ...]] = field(default_factory=dict)
    weights: dict[str, dict[str, float]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.otherwise not in OTHERWISE:
            raise ValueError(f"otherwise must be \"default\" or \"forfeit\", not {self.otherwise!r}")
        if not self.lists:
            raise ValueError("an agent needs a list of rules, such as \"2-5\" = [\"…\"] below [rules]")
        for lists in (self.lists, self.conventions, self.weights):
            seen = {}
            for key in lists:
                for players in counts(key):
                    if players in seen:
                        raise ValueError(f"the lists {seen[players]!r} and {key!r} are both for {players} players: keep one")
                    seen[players] = key
        for key, rules in self.lists.items():
            if not rules:
                raise ValueError(f"the list {key!r} has no rule")
        for conventions in self.conventions.values():
            in_stages(conventions)
        for weights in self.weights.values():
            read_weights(weights)

    def rules(self, players: int) -> tuple[Rule, ...]:
        """The list for a player count. Raises ValueError where there is none."""
        for key, rules in self.lists.items():
            if players in counts(key):
                return rules
        raise ValueError(f"agent {self.name} has no list for {players} players, only for {', '.join(self.lists)}")

    def at(self, players: int) -> Strategy:
        """What it does at a table of so many players."""
        return Strategy(self.rules(players), self.otherwise, _for(self.conventions, players, ()),
                        tuple(_for(self.weights, players, {}).items()))

    def move(self, position: Position) -> tuple[str, str]:
        """(its move in a position as text, the rule that makes it or "otherwise"). ValueError where the game is over or
        the agent has conventions, RuleError where a rule fails."""
        strategy = self.at(position.variant.players)
        rule, move, problem = decision(strategy, position, answers(strategy, position))
        if problem:
            raise RuleError(f"rule {rule.name} {problem}")
        return move_text(move), rule.name if rule else "otherwise"

    def plays(self, players: int) -> bool:
        """Has it a list for this player count?"""
        return any(players in counts(key) for key in self.lists)

    @property
    def hash(self) -> str:
        """Twelve digits that change with anything that changes a decision."""
        data = [self.otherwise, *((key, [rule.name for rule in rules]) for key, rules in sorted(self.lists.items()))]
        if self.conventions or self.weights:
            data += [(key, [rule.name for rule in rules]) for key, rules in sorted(self.conventions.items())]
            data += [(key, sorted(weights.items())) for key, weights in sorted(self.weights.items())]
        return hashlib.sha256(repr(data).encode()).hexdigest()[:12]


def _for(lists, players, otherwise):
    """What stands in lists by player count for one count."""
    return next((entry for key, entry in lists.items() if players in counts(key)), otherwise)


def counts(key: str) -> range:
    """The player counts that ``"2"``, ``"3-5"`` or ``"2-5"`` means."""
    match = re.fullmatch(r"([2-5])(?:-([2-5]))?", key)
    if not match or int(match[2] or match[1]) < int(match[1]):
        raise ValueError(f"a list is for player counts such as \"2\" or \"3-5\", not {key!r}")
    return range(int(match[1]), int(match[2] or match[1]) + 1)


def dumps(agent: Agent, shares: dict[str, list[float]] | None = None) -> str:
    """An agent file: each rule below its sentence, with its share of the decisions where given (by list, by place)."""
    document = tomlkit.document()
    document.add("name", agent.name)
    if agent.source:
        document.add("source", agent.source)
    document.add("otherwise", agent.otherwise)
    document.add("rules", _lists(agent.lists, shares, numbered=True))
    if agent.conventions:
        document.add("conventions", _lists(agent.conventions))
    if agent.weights:
        tables = tomlkit.table(is_super_table=True)
        for key, weights in agent.weights.items():
            table = tomlkit.table()
            for name, value in weights.items():
                table.add(name, tomlkit.item(value).comment(WEIGHTS[name][3]))
            tables.add(key, table)
        document.add("weights", tables)
    if agent.provenance:
        document.add("provenance", tomlkit.item(agent.provenance))
    return tomlkit.dumps(document)


def _lists(lists, shares=None, numbered=False):
    table = tomlkit.table()
    for key, rules in lists.items():
        array = tomlkit.array()
        for place, rule in enumerate(rules):
            share = f"  ({shares[key][place]:.1%} of moves)" if shares else ""
            array.add_line(comment=f"{f'{place + 1}. ' if numbered else ''}{rule.says}{share}")
            array.add_line(rule.name)
        array.add_line(indent="")
        table.add(key, array)
    return table


def loads(text: str, where: str = "agent") -> Agent:
    """The agent in the text of an agent file. Raises ValueError, one line that names the file, the key and the rule."""
    return _from_data(parse_toml(text, where), where)


def _from_data(data, where):
    for key in data:
        if key not in KEYS:
            raise ValueError(f"{where}: no key {key!r}{nearest(key, KEYS)}; the keys are {', '.join(KEYS)}")
    for key, kind in dict(name=str, source=str, otherwise=str, rules=dict, conventions=dict, weights=dict,
                          provenance=dict).items():
        if not isinstance(data.get(key, kind()), kind):
            raise ValueError(f"{where}: {key} should be {'a table' if kind is dict else 'text'}, not {data[key]!r}")
    if not data.get("name", "").isprintable():
        raise ValueError(f"{where}: name {data['name']!r} should be one line of plain text")
    lists = _read_lists(data, "rules", find, where)
    conventions = _read_lists(data, "conventions", find_convention, where)
    tables = data.get("weights", {})
    for key, weights in tables.items():
        if not isinstance(weights, dict):
            raise ValueError(f"{where}: weights.{key} should be a table of weights, not {weights!r}")
    try:
        return Agent(data.get("name") or Path(where).stem, lists, data.get("otherwise", "default"), data.get("source", ""),
                     data.get("provenance", {}), conventions, tables)
    except ValueError as error:
        raise ValueError(f"{where}: {error}") from None


def _read_lists(data, what, reader, where):
    lists = {}
    for key, names in data.get(what, {}).items():
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            raise ValueError(f"{where}: {what}.{key} should be a list of {what}, each as text")
        lists[key] = []
        for place, name in enumerate(names):
            try:
                lists[key].append(reader(name))
            except ValueError as error:
                raise ValueError(f"{where}: {what}.{key}, {what[:-1]} {place + 1}: {error}") from None
    return {key: tuple(rules) for key, rules in lists.items()}


def load(spec: str | Agent) -> Agent:
    """The agent that a spec means: an agent file, a name, or numbers of a set. Raises ValueError, one line, if none."""
    if isinstance(spec, Agent):
        return spec
    if spec in FILES:
        return _from_data(read_toml(FILES[spec]), spec)
    if spec in NAMED:
        source, otherwise, lists = NAMED[spec]
        return Agent(spec, {key: _numbered(spec, numbers) for key, numbers in lists.items()}, otherwise, source)
    if spec.endswith(".toml") or _is_file(spec):
        return _from_data(read_toml(spec), spec)
    name, colon, numbers = spec.partition(":")
    if colon:
        rules = _numbered(spec, spec)
        return Agent(spec, {"2-5": rules}, "forfeit" if name.startswith("cig2018") else "default", f"numbers of {name}")
    if spec in POOLS:
        raise ValueError(f"{spec!r} is a pool of agents, not one: {', '.join(POOLS[spec])}")
    raise ValueError(f"no agent {spec!r}{nearest(spec, NAMED)}: write an agent file, a name that `hanabi agents` lists, "
                     "or numbers of a set such as cig2018:46,8,2")


def _is_file(spec):
    try:
        return Path(spec).is_file()
    except (OSError, ValueError):            # too long, or no path at all
        return False


def _numbered(spec, text):
    if isinstance(text, list):
        return tuple(rule for part in text for rule in (_numbered(spec, part) if ":" in part else (find(part),)))
    name, _, numbers = text.partition(":")
    entries = rule_set(name)
    picked = []
    for number in numbers.split(","):
        number = number.strip()
        if not (number.isascii() and number.isdigit() and int(number) < len(entries)):
            raise ValueError(f"agent {spec[:80]!r}: {number[:20]!r} is no number of the set {name}, which has 0 to {len(entries) - 1}")
        picked.append(entries[int(number)])
    return tuple(picked)


def rule_set(name: str) -> list[Rule]:
    """The rules of a named set, each at the place of its number. Raises ValueError where there is none of that name."""
    if name not in SETS:
        raise ValueError(f"no set of rules {name!r}{nearest(name, SETS)}; there are {', '.join(SETS)}")
    return [BOOK[entry] if entry in BOOK else find(entry) for entry in SETS[name]]


def read_scores(file: Path = Path(__file__).with_name("scores.toml")) -> dict[str, dict]:
    """What the named agents score in mirror play, by name: ``hash`` of the agent that was measured, ``games`` a player
    count, and by player count ("2", …) [mean kept, s.e., mean zero, s.e.]. Written by `hanabi agents --measure`."""
    return read_toml(file) if file.exists() else {}


def mean_score(entry: dict) -> tuple[float, float, float, float]:
    """(kept, s.e., zero, s.e.) of an entry of ``read_scores``: the mean over its player counts."""
    cells = [values for key, values in entry.items() if key.isdigit()]
    kept, kept_error, zero, zero_error = zip(*cells)
    return (sum(kept) / len(cells), sum(e * e for e in kept_error) ** 0.5 / len(cells),
            sum(zero) / len(cells), sum(e * e for e in zero_error) ** 0.5 / len(cells))


def pool(name: str) -> list[Agent]:
    """The agents of a named pool, in its order. Raises ValueError where there is none of that name."""
    if name not in POOLS:
        raise ValueError(f"no pool {name!r}{nearest(name, POOLS)}; there are {', '.join(POOLS)}")
    return [load(member) for member in POOLS[name]]


_FIREWORKS = "Fireworks framework and the 2018 project, Canaan et al. 2018"
_EVOLVED = "evolved by Canaan et al. 2018, Table V or VI"
NAMED = {                                    # name: (source, otherwise, lists by number; docs/rules-2018.md §4 and §6)
    "iggi": (f"IGGI, {_FIREWORKS}", "forfeit", {"2-5": "cig2018:2,8,13,38,27,39"}),
    "internal": ("Internal, Osawa 2015, as in 2018", "forfeit", {"2-5": "cig2018:8,38,20,22,34"}),
    "outer": ("Outer, Osawa 2015, as in 2018", "forfeit", {"2-5": "cig2018:8,38,21,23,34"}),
    "legal-random": (f"LegalRandom, {_FIREWORKS}", "forfeit", {"2-5": "cig2018:39"}),
    "van-den-bergh": ("Van den Bergh et al. 2016, as in 2018", "forfeit", {"2-5": [
        "cig2018.if_lives_play_probably_safe_else_safe(chance=0.6)", "cig2018.discard_probably_useless(chance=1)",
        "cig2018:13,14,19,29"]}),
    "flawed": (f"Flawed, {_FIREWORKS}", "forfeit", {"2-5": "cig2018:8,49,22,38,27,34"}),
    "piers": (f"Piers, {_FIREWORKS}", "forfeit", {"2-5": "cig2018:41,8,46,13,48,38,27,22,34"}),
    "cautious": (f"Cautious, {_FIREWORKS}", "forfeit", {"2-5": "cig2018:2,8,13,38,34"}),
    "sample": ("the template agent of the 2018 project, really in its pool", "forfeit", {"2-5": "cig2018:8,22,34"}),
    "mirror-old-2018": (f"MirrorOld, {_EVOLVED}", "forfeit", {
        "2-5": "cig2018:46,8,2,13,25,38,1,36,27,26,12,17,14,11,48,19,15,3,10,33,30,34,44,29,49,6,28,47,37,39,9,43,45,42,"
               "21,22,24,23,35,20,4,40,41,7,32,0,5,31,16,18"}),
    "mirror-situational-2018": (f"MirrorSituational, {_EVOLVED}", "forfeit", {
        "2": "cig2018:68,7,63,8,67,66,52,35,36,51,33,13,54,16,48,37,69,19,4,5,44,61,27,49,34,39",
        "3-5": "cig2018:63,41,50,7,67,29,32,0,39"}),
    "mixed-old-2018": (f"MixedOld, {_EVOLVED}", "forfeit", {
        "2-5": "cig2018:47,46,13,10,8,32,36,27,15,22,31,41,21,18,35,28,9,49,14,39"}),
    "mixed-situational-2018": (f"MixedSituational, {_EVOLVED}", "forfeit", {
        "2": "cig2018:67,69,62,57,46,8,33,36,19,44,54,26", "3-5": "cig2018:46,10,7,67,45,29,4,71,17,43,19"}),
    "epistemic": ("exact knowledge and exact chances, no conventions: rules/epistemic.py", "default", {
        "2": [
            "epistemic.tell_to_know(gain=1)",
            "epistemic.play_likely(chance=0.7, lives=2)",
            "epistemic.tell_hopeful(chance=0.6, loss=3)",
            "epistemic.play_known(order=2, level=2)",
            "epistemic.tell_unknown(about=0)",
            "epistemic.play_at_end(chance=0.1, deck=1)",
            "epistemic.discard_useless(tokens=8, level=2)",
            "epistemic.play_likely(chance=0.6, lives=1)",
            "epistemic.play_likely(chance=0.8, lives=0)",
            "epistemic.discard_least_risky(useless=0.5, age=0.01, risk=1)"],
        "3-5": [
            "epistemic.play_known(order=2, level=2)",
            "epistemic.play_likely(chance=0.6, lives=1)",
            "epistemic.tell_hopeful(chance=0.6, loss=3)",
            "epistemic.tell_hopeful(chance=0.46, loss=0.5)",
            "epistemic.play_likely(chance=0.7, lives=0)",
            "epistemic.play_at_end(chance=0.13, deck=1)",
            "epistemic.discard_least_risky(useless=2, age=0.02, risk=0.18)",
            "epistemic.tell_most(bit=0.3, tokens=3)",
            "epistemic.discard_least_risky(useless=0.5, age=0, risk=1)"],
    }),
    "irvall": ("the action list of Irvall's thesis, 2023, on exact knowledge", "default", {"2-5": [
        "irvall.play_known", "irvall.discard_dead(pile=5)", "irvall.tell_random", "irvall.discard_dead(pile=50)",
        "irvall.discard_twin", "irvall.discard_dispensable", "irvall.discard_slot_0"]}),
    "mas": ("a student report's strategy for the variant mini (rules/museum/mas.py)", "default", {"2-5": [
        "mas.play_certain", "mas.tell_save", "mas.tell_playable", "mas.play_clued(chance=0.5)", "mas.discard_known",
        "mas.discard_chop"]}),
}
POOLS = {
    "cig2018-paper": ("iggi", "sample", "internal", "legal-random", "van-den-bergh", "flawed", "piers"),
    "cig2018-nominal": ("iggi", "internal", "outer", "legal-random", "van-den-bergh", "flawed", "piers"),
}
FILES = {path.stem: path for path in sorted(Path(__file__).parent.glob("*.toml")) if path.stem != "scores"}    # named agents that are files
NAMED |= {name: None for name in FILES}
