"""What a run was made of, written down at its start and compared at every resume."""
from __future__ import annotations

import hashlib
import inspect
import json
import platform
from dataclasses import asdict
from importlib import metadata
from pathlib import Path

import hanabi
from evolve.ga.config import Config
from evolve.ga.fitness import Setting
from rules import load_file

PACKAGES = ("numpy", "numba", "deap")
OURS = ("config.py", "fitness.py", "individual.py", "operators.py", "race.py", "../publish/export.py")


def _hash(paths):
    return hashlib.sha256(b"".join(Path(path).read_bytes() for path in paths)).hexdigest()[:12]


def rule_set_hash(setting: Setting) -> str:
    """Twelve hex digits of the rules' names, in their order, and of the files that they stand in."""
    paths = sorted({inspect.getsourcefile(rule.family.function) for rule in setting.find_rules()})
    return hashlib.sha256(repr((setting.rules, _hash(paths))).encode()).hexdigest()[:12]


def made_of(config: Config, setting: Setting) -> dict:
    """Everything that a result follows from: settings, rules, partners and versions, as data for JSON."""
    engine = sorted(Path(hanabi.__file__).parent.rglob("*.py")) + [Path(__file__).parent / name for name in OURS]
    return {
        "config": json.loads(json.dumps(asdict(config))), "config_hash": config.hash(),
        "rules": list(setting.rules), "rules_hash": rule_set_hash(setting),
        "rule_files": {file: load_file(file) for file in setting.rule_files},
        "pool": list(setting.pool),
        "conventions": [{"name": gene.name, "switched": gene.switched} | dict(gene.values)
                        for gene in setting.makeup.conventions], "weights": list(setting.makeup.weights),
        "held": dict(setting.makeup.held), "start": setting.start,
        "versions": {"hanabi": hanabi.__version__, "python": platform.python_version()} | {
            name: metadata.version(name) for name in PACKAGES},
        "engine": _hash(engine),
    }


def changes(then: dict, now: dict) -> list[str]:
    """What changed between two records, in words; nothing where a run may go on."""
    found = []
    for key in sorted(then["config"] | now["config"]):
        before, after = then["config"].get(key), now["config"].get(key)
        if before != after:
            found.append(f"config key {key} was {before!r} and is {after!r}")
    if then["rules"] != now["rules"]:
        gone = [name for name in then["rules"] if name not in now["rules"]]
        new = [name for name in now["rules"] if name not in then["rules"]]
        found.append(f"the rule set changed (gone: {', '.join(gone) or 'none'}; new: {', '.join(new) or 'none'})")
    for file, digest in then["rule_files"].items():
        if now["rule_files"].get(file, digest) != digest:
            found.append(f"the rule file {file} was edited")
    if then["rules"] == now["rules"] and then["rules_hash"] != now["rules_hash"] and not any(
            "edited" in text for text in found):
        found.append("a file of the rule set was edited")
    if then["pool"] != now["pool"]:
        found.append("the pool's agents changed")
    for key, what in dict(conventions="the conventions that evolve", weights="the weights that evolve",
                          held="the weights held", start="the agents to start from").items():
        if json.dumps(then.get(key)) != json.dumps(now.get(key)):
            found.append(f"{what} changed")
    for name in sorted(then["versions"] | now["versions"]):
        before, after = then["versions"].get(name), now["versions"].get(name)
        if before != after:
            found.append(f"{name} was version {before} and is {after}")
    if then["engine"] != now["engine"] and not any(text.startswith("hanabi was") for text in found):
        found.append("the source of hanabi or evolve was edited")
    return found
