"""Scores of other programs: the file is complete, classes and means are right, the chart and the
table show what the data say.
"""

import re

import pytest
from paths import ROOT

from docs.generate import literature_chart
from docs.generate.literature_chart import field_chart, lost
from docs.generate.literature_tables import (
    ALONE,
    OURS,
    SHOWN,
    THOROUGH,
    field,
    kept_runs,
    our_programs,
    table,
)
from hanabi.evolve.charts.chart import PAPER
from hanabi.evolve.papers import literature
from hanabi.evolve.papers.literature import CLASSES, COUNTS, LAWS, class_of
from hanabi.rules.agents import NAMED, load

DATA = ROOT / "docs/data"
ALL = [one for some in literature.literature().values() for one in some]


@pytest.mark.parametrize("one", ALL, ids=lambda one: one.name)
def test_an_entry_says_what_is_measured(one):
    assert one.kind in CLASSES and one.law in LAWS and one.lives in (3, 4)
    assert one.scores or one.mean
    assert set(one.scores) <= set(COUNTS) and set(one.errors) <= set(one.scores)
    assert all(0 < points < 25 for points in (*one.scores.values(), one.mean or 1))
    assert re.search(r"\d{4}|github\.com", one.source)
    assert not one.ours


def test_the_programs_that_readers_look_for_are_there():
    names = " ".join(f"{one.name} {one.source}" for one in ALL)
    for name in (
        "Osawa",
        "van den Bergh",
        "Eger",
        "Cox",
        "Bouzy",
        "Walton-Rivers",
        "Canaan",
        "SmartBot",
        "FireFlower",
        "hat",
        "SAD",
        "OBL",
        "IPPO",
        "SPARTA",
        "H-Group",
        "language models",
    ):
        assert name in names, name
    assert len({one.name for one in ALL}) == len(ALL)


def test_an_agent_without_all_numbers_of_players_has_no_mean():
    (one,) = (one for one in our_programs(DATA) if one.name == SHOWN[ALONE])
    assert set(one.scores) == set(one.errors) == set(one.zeros) == {2}
    assert one.mean is None and one.mean_error is None and one.searches


PAIR_CODES = {"pairs", "pairs-10", "pairs-finish", "reactor"}
CODES = {"code", "code-information", "code-recommendation"}


def test_the_class_of_every_agent_follows_from_its_conventions():
    """An entry whose name begins with ``pair`` makes a pair code, ``code`` or ``ask`` a code."""
    assert PAIR_CODES | CODES < set(NAMED)
    for name in NAMED:
        agent = load(name)
        used = " ".join(entry.name for some in agent.conventions.values() for entry in some)
        rules = " ".join(entry.name for some in agent.lists.values() for entry in some)
        by_text = "human" if used else "none"
        by_text = "pair" if re.search(r"\bpair\b", used) else by_text
        by_text = "code" if re.search(r"\b(code|ask_\w+)\b", used) else by_text
        by_text = "code" if "cox.tell_recommended" in rules else by_text
        assert class_of(agent) == by_text, name
        assert (by_text == "pair") == (name in PAIR_CODES), name
        assert (by_text == "code") == (name in CODES), name


def test_look_ahead_over_pairs_is_a_pair_code():
    for spec in ("search:pairs", THOROUGH, ALONE):
        assert class_of(load(spec)) == "pair"
    assert class_of(load("search:convention")) == "human"
    assert class_of(load("search:code")) == "code"


def test_the_chart_and_the_table_have_the_classes_of_the_agents():
    kinds = {one.name: one.kind for some in field(DATA).values() for one in some if one.ours}
    assert {SHOWN.get(name, name) for name in OURS} <= set(kinds)
    for name in OURS:
        assert kinds[SHOWN.get(name, name)] == class_of(load(name))
    drawn = {row[1]: row[0] for row in field_chart(field(DATA)).rows}
    assert drawn["pairs"] == drawn["search:pairs"] == "Pair code"
    assert drawn["convention"] == "Human-like convention"
    _, human = table(DATA).split("**Human-like convention**")
    human, pair = human.split("**Pair code**")
    assert "pairs" not in human.replace("without pairs", "")
    assert "| **pairs** |" in pair.split("**Code**")[0]


def test_the_headline_is_without_a_code():
    says = field_chart(field(DATA)).says
    assert "without a code is search:convention: 24.57" in says
    best = max((one for one in our_programs(DATA) if one.mean), key=lambda one: one.mean)
    assert best.kind == "pair"  # so the wrong headline would name another agent


def test_the_kept_runs_are_those_of_mirror_play_that_no_named_agent_repeats():
    names = [one.name for one in kept_runs(DATA)]
    assert "mirror-modern+epistemic-per-count" in names and "mirror-cig2018" in names
    assert not [name for name in names if name.startswith("mixed")]
    assert "mirror-living-per-count-correct" not in names  # convention


def test_no_error_of_few_games_is_shown():
    sieve, osawa = (
        one for one in ALL if one.name in ("Referential Sieve", "Osawa, self-recognition")
    )
    assert {sieve.games, osawa.games} == {26, 100}
    for one in (sieve, osawa):
        assert one.errors and one.error(2) is None and "±" not in " ".join(one.cells(COUNTS))
    (sad,) = (one for one in ALL if one.name == "SAD")
    assert sad.cells([2])[0] == "23.97 ± 0.04"  # as published


def test_means_are_those_of_the_paper():
    """Canaan et al. 2018, Table V, prints them."""
    means = {one.name: (round(one.mean, 2), one.mean_error) for one in ALL if one.mean}
    assert means["MirrorOld, 50 rules"] == (18.38, 0.02)
    assert means["MirrorNew, 72 rules"] == (19.07, 0.02)
    assert means["MirrorSituational"] == (19.32, 0.02)
    assert means["IPPO with entropy"] == (24.36, None)


def test_a_class_is_in_order():
    for some in literature.literature().values():
        best = [one.mean if one.mean is not None else max(one.scores.values()) for one in some]
        assert best == sorted(best)


def test_our_agents_are_those_of_the_tournament():
    rows = (DATA / "tournament.csv").read_text(encoding="utf-8").splitlines()
    (kept,) = [row.split(",") for row in rows if row.startswith("convention,convention,5,")]
    (ours,) = [one for one in field(DATA)["human"] if one.name == "convention"]
    assert ours.ours and ours.scores[5] == float(kept[4]) and ours.games == int(kept[3])
    assert ours.law == "same"
    assert [one.law for one in field(DATA)["none"] if one.name == "epistemic"] == ["kept"]


def test_the_table_has_every_program_once():
    text = table(DATA)
    for one in ALL:
        assert len(re.findall(rf"^\| {re.escape(one.name)} \|", text, re.M)) == 1
    assert "| **convention** | 24.16 ± 0.01 |" in text
    assert "| 23.00 |  | not stated, 4 lives |" in text  # the fourth misplay
    (irvall,) = (one for one in ALL if "Irvall" in one.name)
    assert (irvall.lives, irvall.law) == (4, "kept")  # its program, docs/papers/irvall.md


def test_the_chart_says_the_same():
    programs = field(DATA)
    chart = field_chart(programs)
    assert len(chart.rows) == sum(map(len, programs.values()))
    assert [row[0] for row in chart.rows if row[1] == "SmartBot"] == ["Human-like convention"]
    marks = [
        row
        for layer in chart.drawing(chart.wide, PAPER)["layer"]
        for row in layer["data"]["values"]
        if "points" in row
    ]
    assert len(marks) == 2 * sum(len(one.scores) or 1 for some in programs.values() for one in some)
    assert all(row["x"] == lost(row["points"]) for row in marks)  # of ticks and of digits
    assert lost(24) - lost(23) == pytest.approx(lost(24.5) - lost(24))


def drawn(svg):
    """A drawing without its frame, whose size depends on the fonts of the machine."""
    svg = re.sub(r' (?:width|height|viewBox)="[^"]*"', "", svg)
    return re.sub(r'transform="translate[^"]*"', "", svg, count=1)


def test_the_picture_is_that_of_the_data():
    """`python -m docs.generate.literature_chart` would change no name and no point."""
    svg = (ROOT / "docs/pictures/field.svg").read_text(encoding="utf-8")
    assert all(f">{name}<" in svg for name in literature_chart.CHOSEN)
    assert drawn(svg) == drawn(literature_chart.picture(DATA))


def test_the_picture_is_small_and_has_the_best_of_each_class():
    programs, some = field(DATA), literature_chart.chosen(field(DATA))
    assert sum(map(len, some.values())) + len(some) <= 20, "rows, with the headings"
    names = {one.name for few in some.values() for one in few}
    assert names == {*literature_chart.CHOSEN} and all(some.values())
    for kind, all_of_it in programs.items():
        for ours in {one.ours for one in all_of_it}:
            same = [one for one in all_of_it if one.ours == ours]
            best = max(same, key=lambda one: one.mean or max(one.scores.values()))
            assert best.name in names, kind


def test_digits_do_not_overlap():
    assert literature_chart.spread([0, 1, 10], 4) == [-1.5, 2.5, 10]
    assert literature_chart.spread([0, 1, 3, 4], 2) == [-1, 1, 3, 5], "groups that meet"
    chart = field_chart(field(DATA))
    drawing = chart.drawing(chart.wide, PAPER)
    rows = [row for layer in drawing["layer"] for row in layer["data"]["values"] if "at" in row]
    low, high = drawing["layer"][0]["encoding"]["x"]["scale"]["domain"]
    for y in {row["y"] for row in rows}:
        places = sorted({row["at"] for row in rows if row["y"] == y})
        apart = [(b - a) / (high - low) * drawing["width"] for a, b in zip(places, places[1:])]
        assert all(pixels > 9 for pixels in apart)
