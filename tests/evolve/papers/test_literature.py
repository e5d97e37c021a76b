"""Scores of other programs: the file is complete, classes and means are right, the chart and the
table show what the data say.
"""

import re

import pytest
from paths import ROOT

from hanabi.evolve.charts.chart import PAPER
from hanabi.evolve.papers import literature, literature_chart
from hanabi.evolve.papers.literature import (
    ALONE,
    CLASSES,
    COUNTS,
    LAWS,
    SHOWN,
    field,
    our_programs,
    table,
)
from hanabi.evolve.papers.literature_chart import field_chart, lost

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
    assert len(marks) == sum(len(one.scores) or 1 for some in programs.values() for one in some)
    assert all(row["x"] == lost(row["points"]) for row in marks)
    assert lost(24) - lost(23) == pytest.approx(lost(24.5) - lost(24))


def drawn(svg):
    """A drawing without its frame, whose size depends on the fonts of the machine."""
    svg = re.sub(r' (?:width|height|viewBox)="[^"]*"', "", svg)
    return re.sub(r'transform="translate[^"]*"', "", svg, count=1)


def test_the_picture_is_that_of_the_data():
    """`python -m hanabi.evolve.papers.literature_chart` would change no name and no point."""
    svg = (ROOT / "docs/pictures/field.svg").read_text(encoding="utf-8")
    named = [one.name for some in field(DATA).values() for one in some]
    assert all(f">{name}<" in svg for name in named)
    assert drawn(svg) == drawn(literature_chart.picture(DATA))
