"""Readers of evolve and rules under random text and random data: read, or refused in one line;
test_text has the rest.
"""

import json
import tomllib

import pytest
from hypothesis import example, given, settings, strategies as st
from sizes import tries
from texts import FUZZ, TEXT, changed, damaged, refuses_well
from tiny import TINY, tiny
from typed import typed

from hanabi.evolve.cli.command_registry import player_counts
from hanabi.evolve.ga import checkpoint, config, run_folder
from hanabi.evolve.reports import sealed_agent
from hanabi.logic.parser import read
from hanabi.rules import agents
from hanabi.rules.agents.agent import from_data

FEW = settings(FUZZ, max_examples=tries(120))
AGENT = agents.dumps(
    agents.Agent(
        "x",
        {"2-3": agents.load("iggi").rules(2), "5": agents.load("outer").rules(5)},
        "forfeit",
        "by hand",
        {"seed": 3, "score": 1.5},
    )
)
CONFIG = tiny(rules=["cig2018"], rule_files=[]).text()


def reads_back(agent):
    """An agent that was read is written as text that reads back."""
    assert agent is None or agents.loads(agents.dumps(agent)).lists == agent.lists


@FEW
@given(st.one_of(TEXT, damaged(AGENT)))
def test_agent_files(text):
    reads_back(refuses_well(agents.loads, text))


@FEW
@given(changed(tomllib.loads(AGENT)))
def test_agent_data(data):
    refuses_well(lambda values: from_data(values, "agent"), data)


@FEW
@given(TEXT)
@example("\0.toml")
@example("cig2018:" + "9" * 5000)
@example("cig2018:²")
@example("play(" * 200)
@example("/")
def test_agent_specs(text):
    for spec in (text, "cig2018:" + text, "cig2018.play_probably_safe(" + text):
        refuses_well(agents.load, spec)


@FEW
@given(st.one_of(TEXT, damaged(CONFIG)))
def test_config_files(text):
    made = refuses_well(config.loads, text)
    assert made is None or config.loads(made.text()) == made


@FEW
@given(
    changed(TINY | {"pool": ["piers"], "mode": "mixed", "order_length": 3, "variant": "standard"})
)
def test_config_data(data):
    made = refuses_well(lambda values: config.from_mapping(values, "x"), data)
    assert made is None or config.loads(made.text()) == made


@FEW
@given(
    st.lists(
        st.one_of(TEXT, st.builds("{}={}".format, st.sampled_from(config.KEYS), TEXT)), max_size=3
    )
)
@example(["population=[" + "[" * 5000])
@example(["seed=" + "9" * 5000])
def test_settings_on_the_command_line(words):
    refuses_well(lambda some: config.override(tiny(), some), words)


@FEW
@given(TEXT)
@example("2-" * 3000)
@example("²")
def test_player_counts(text):
    found = refuses_well(player_counts, text)
    assert found is None or all(2 <= n <= 5 for n in found)


SIGNS = st.lists(
    st.sampled_from(
        [
            "K0 ",
            "M1 ",
            "E{0,1}",
            "C{",
            "D{0}",
            "}",
            "(",
            ")",
            "[",
            "!]",
            "p",
            "q(1,R3)",
            "&",
            "|",
            "->",
            "~",
            " ",
            "true",
            "9" * 30,
            "²",
            "\0",
            "é",
            "K",
            "-",
            ",",
        ]
    ),
    max_size=30,
).map("".join)


@FEW
@given(st.one_of(TEXT, SIGNS))
def test_formulas(text):
    formula = refuses_well(read, text)
    assert formula is None or read(str(formula)) == formula
    refuses_well(lambda some: read(some, agents=(0, 1)), text)


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """(A finished run's folder, its record, its result, its checkpoint)."""
    from hanabi.evolve.ga.run import evolve

    place = evolve(tiny(generations=1), tmp_path_factory.mktemp("fuzz"), jobs=1).folder
    return (
        place,
        *(json.loads((place / name).read_text()) for name in ("run.json", "result.json")),
        checkpoint.read(checkpoint.files(place)[0]),
    )


@settings(FEW, max_examples=tries(30))
@given(st.data())
def test_run_folders(run, data):
    place, record, result, _ = run
    believed = [
        {key: value for key, value in some.items() if key != "checksum"}
        for some in (record, result)
    ]
    for name, was in (
        ("run.json", record),
        ("result.json", result),
        ("run.json", believed[0]),
        ("result.json", believed[1]),
    ):
        whole = (place / name).read_bytes()
        try:
            text = data.draw(
                st.one_of(
                    TEXT,
                    damaged(json.dumps(was)),
                    changed(was).map(lambda d: json.dumps(d, default=str)),
                )
            )
            (place / name).write_bytes(text.encode("utf-8", "surrogatepass"))
            refuses_well(run_folder.read, place)
            refuses_well(sealed_agent.export, place)
            (state,) = [state for state in run_folder.list_runs(place.parent) if state.run == place]
            assert state.state in ("done", "broken")
            assert typed("runs", place.parent)[0] == 0
        finally:
            (place / name).write_bytes(whole)


@settings(FEW, max_examples=tries(60))
@given(st.data())
def test_checkpoints(run, data):
    path = checkpoint.files(run[0])[0]
    whole = path.read_bytes()
    try:
        text = data.draw(st.one_of(TEXT, damaged(whole.decode())))
        path.write_bytes(text.encode("utf-8", "surrogatepass"))
        state = refuses_well(checkpoint.read, path)
        assert state in (None, run[3]), "what is not whole is refused"
    finally:
        path.write_bytes(whole)
