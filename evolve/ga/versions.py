"""What a run is made of: recorded at its start and compared at every resume."""

import hashlib
import inspect
import json
import platform
import re
from functools import lru_cache
from importlib import metadata

import hanabi
from hanabi.evolve.ga.config import DEFAULTS, Config, in_sections
from hanabi.evolve.ga.individual import Problem
from hanabi.evolve.ga.operators import operator_files
from hanabi.files import read_bytes, source_files
from hanabi.rules.user_rules import load_rules

PACKAGES = ("numpy", "numba", "deap")
# Records without this key are from before the sources were renamed and reformatted: their hashes of
# sources cannot be compared, and games and logs are the same (tests/golden).
RECORD_VERSION = 2
PARTS = ("ga", "measure")  # folders of evolve whose files have an influence on a result
FILES = {"rule_files": "rule file", "operators": "file of operators"}  # keys of a record
GENOME = {
    "pool": "the pool's agents",
    "conventions": "the conventions there are",
    "weights": "the weights that evolve",
    "start": "the agents to start from",
}


def _hash(paths):
    return hashlib.sha256(b"".join(read_bytes(path) for path in paths)).hexdigest()[:12]


@lru_cache(1)
def sources() -> dict[str, str]:
    """Return the hash of each file of this package that a run may use, by path."""
    used = tuple(f"hanabi/evolve/{part}/" for part in PARTS)
    return {
        place: _hash([path])
        for place, path in source_files().items()
        if not re.match("hanabi/evolve/.*/", place) or place.startswith(used)
    }


def rule_set_hash(problem: Problem) -> str:
    """Return twelve hex digits of the rules' names, in their order, and of their source files."""
    paths = sorted(
        {str(inspect.getsourcefile(rule.family.function)) for rule in problem.find_rules()}
    )
    return hashlib.sha256(repr((problem.rules, _hash(paths))).encode()).hexdigest()[:12]


def made_of(config: Config, problem: Problem) -> dict:
    """Return what a result follows from, as data for JSON.

    That is: settings, rules, partners, versions and sources.
    """
    files = sources()
    return {
        "record_version": RECORD_VERSION,
        "config": json.loads(json.dumps(config.model_dump())),
        "config_hash": config.hash(),
        "rules": list(problem.rules),
        "rules_hash": rule_set_hash(problem),
        "rule_files": {file: load_rules(file) for file in problem.rule_files},
        "operators": operator_files(config),
        "pool": list(problem.pool),
        "conventions": list(problem.conventions),
        "weights": list(problem.weights),
        "start": problem.start,
        "versions": {"hanabi": hanabi.__version__, "python": platform.python_version()}
        | {name: metadata.version(name) for name in PACKAGES},
        "engine": hashlib.sha256(repr(sorted(files.items())).encode()).hexdigest()[:12],
        "files": files,
    }


def changes(then: dict, now: dict) -> list[str]:
    """Return what changed between two records, in words; empty if a run may continue."""
    found = [
        f"config key {key} was {before!r} and is {after!r}"
        for key, before, after in _differences(_by_key(then["config"]), _by_key(now["config"]))
    ]
    if then["rules"] != now["rules"]:
        gone = [name for name in then["rules"] if name not in now["rules"]]
        new = [name for name in now["rules"] if name not in then["rules"]]
        found.append(
            f"the rule set changed (gone: {', '.join(gone) or 'none'}; "
            f"new: {', '.join(new) or 'none'})"
        )
    found += [
        f"the {what} {file} was edited"
        for key, what in FILES.items()
        for file, digest in then.get(key, {}).items()
        if now[key].get(file, digest) != digest
    ]
    found += [
        f"{what} changed"
        for key, what in GENOME.items()
        if json.dumps(then.get(key)) != json.dumps(now.get(key))
    ]
    found += [
        f"{name} was version {before} and is {after}"
        for name, before, after in _differences(then["versions"], now["versions"])
    ]
    if then.get("record_version") == now["record_version"]:
        if not any(text.startswith("hanabi was") for text in found):
            found += _edited(then, now)
        if then["rules"] == now["rules"] and then["rules_hash"] != now["rules_hash"] and not found:
            found.append("a file of the rule set was edited")
    return found


def _differences(then, now):
    """Yield (key, value then, value now) where two dicts differ; None where one has no value."""
    for key in sorted(then | now):
        if then.get(key) != now.get(key):
            yield key, then.get(key), now.get(key)


def _by_key(config):
    """The values of a recorded config by key; old records lack sections and defaults."""
    defaults = json.loads(json.dumps(DEFAULTS))
    sections = in_sections(config).values()
    return defaults | {key: value for section in sections for key, value in section.items()}


def _edited(then, now):
    """The sources that were edited, added or removed."""
    if then["engine"] == now["engine"]:
        return []
    before = then.get("files", {})
    names = [name for name, *_ in _differences(before, now["files"])] if before else []
    if not names:
        return ["the source of hanabi, rules or evolve was edited"]
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return [f"{', '.join(names[:3])}{more} {'was' if len(names) == 1 else 'were'} edited"]
