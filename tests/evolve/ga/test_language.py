"""Languages that are decided before the search, or held."""

import csv
import shutil
from types import SimpleNamespace

import numpy as np
import pytest
from stopped import kill_and_resume, results

from hanabi.evolve.ga.config import override, preset
from hanabi.evolve.ga.individual import Individual, Problem, convention_of, settings_to_decide
from hanabi.evolve.ga.language import Decision, decide_language, decision_text
from hanabi.evolve.ga.run import evolve
from hanabi.evolve.reports import report_games
from hanabi.evolve.reports.run_report import report
from hanabi.evolve.site.run_list import read_changes
from hanabi.rules.agents import load

TINY = override(
    preset("ordered"),
    "players=[2,3] lists=['2','3'] generations=2 games=20 local_search_games=600 finalists=2"
    " race_games=60 prune_games=60 final_games=20 decision_games=100 close_games=200".split(),
).changed(conventions=["focus(ranks=0)", "warning", "stall"])


class StatedGains:
    """An evaluator whose lists score what ``worth`` says, with noise of a standard error."""

    def __init__(self, worth, noise=0.0):
        self.problem = SimpleNamespace(players=(3,), partners=1)
        self.worth, self.noise, self.calls = worth, noise, []

    def evaluate(self, lists, seed, games, first=0):
        self.calls.append((lists, seed, first, games))
        signs = np.where(np.arange(first, first + games) % 2, 1.0, -1.0)
        points = [
            self.worth(tuple(one.conventions)) + self.noise * signs * (number > 0)
            for number, one in enumerate(lists)
        ]
        return SimpleNamespace(points=lambda scoring: np.array(points)[:, None])


def decided(conventions, worth, noise=0.0, **keys):
    config = preset("ordered").changed(conventions=conventions, **keys)
    evaluator = StatedGains(worth, noise)
    return decide_language(evaluator, Individual(["play_marked"]), config), evaluator


def by_family(gains):
    """The points of a list whose conventions bring so much each, by name or family."""
    return lambda names: sum(
        gains.get(name, gains.get(convention_of(name).family.name, 0.0)) for name in names
    )


def test_each_family_is_decided_in_its_turn_against_the_threshold():
    gains = {"stall": 0.1, "identify": 0.05, "pair": 0.3}
    found, _ = decided(["stall", "identify", "pair"], by_family(gains))
    first = [row for row in found.decisions if row.turn == 1]
    assert [(row.family, row.taken) for row in first] == [
        ("stall", 1),
        ("identify", 0),
        ("pair", 1),
    ]
    assert [row.gain for row in first] == pytest.approx([0.1, 0.05, 0.3])
    assert first[1].distance == pytest.approx(-0.01), "from the threshold of 0.06"
    again = [row.family for row in found.decisions if row.turn == 2]
    assert again == ["identify"], "the list has changed since; what was taken stays"


def test_a_family_is_not_decided_again_on_the_same_list():
    found, _ = decided(["pair", "stall"], by_family({"pair": 0.3}))
    assert [(row.turn, row.family) for row in found.decisions] == [(1, "pair"), (1, "stall")]


def test_a_second_pass_takes_what_a_later_convention_made_useful():
    def worth(names):
        return 0.2 * ("pair" in names) + 0.5 * ("pair" in names and "stall" in names)

    found, _ = decided(["stall", "pair"], worth)
    assert [(row.turn, row.family, row.taken) for row in found.decisions] == [
        (1, "stall", 0),
        (1, "pair", 1),
        (2, "stall", 1),
    ]


@pytest.mark.parametrize(
    ("lead", "chosen"), [(0.05, "warning(colours=1)"), (0.07, "warning(colours=0)")]
)
def test_the_first_setting_wins_unless_another_leads_by_the_margin(lead, chosen):
    gains = {"warning(colours=1)": 0.2, "warning(colours=0)": 0.2 + lead}
    found, _ = decided(["warning(colours=1)", "warning"], by_family(gains))
    [one] = found.decisions
    assert (one.convention, found.individual.conventions) == (chosen, [chosen])


@pytest.mark.parametrize("ahead", [0.055, 0.065])
def test_a_setting_near_the_margin_is_what_another_run_might_take(ahead):
    """Each is 0.005 from the margin, whoever wins; both settings are far above the threshold."""
    names = ["warning(colours=1)", "warning(colours=0)"]

    def worth(conventions):
        signs = np.where(np.arange(100) % 2, 1.0, -1.0)
        return {names[0]: 0.5, names[1]: 0.5 + ahead + 0.1 * signs}.get(*conventions, 0.0)

    def points(self, lists, seed, games, first=0):
        rows = [worth(one.conventions) if one.conventions else 0.0 for one in lists]
        return SimpleNamespace(
            points=lambda scoring: np.array([np.resize(row, games) for row in rows])[:, None]
        )

    evaluator = type("", (StatedGains,), {"evaluate": points})(None)
    config = preset("ordered").changed(conventions=names, decision_games=100, close_games=100)
    [one] = decide_language(evaluator, Individual(["play_marked"]), config).decisions
    chosen = names[ahead > 0.06]
    assert (one.convention, one.taken) == (chosen, 1)
    assert one.other == names[ahead < 0.06] and one.chance == pytest.approx(0.362, abs=0.001)


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ({"taken": 1, "chance": 0.001, "other": ""}, "take pair"),
        ({"taken": 0, "chance": 0.2, "other": ""}, "another run would take it with 20% chance"),
        ({"taken": 1, "chance": 0.2, "other": ""}, "another run would not with 20% chance"),
        ({"taken": "1", "chance": "0.2", "other": "x"}, "another run would take x with 20%"),
    ],
)
def test_a_decision_in_words(row, words):
    assert words in decision_text({"convention": "pair"} | row)


def test_meanings_apply_in_their_order_whatever_was_decided_first():
    gains = dict.fromkeys(("focus(ranks=0)", "pair", "warning(colours=0)"), 0.5)
    found, _ = decided(["focus(ranks=0)", "pair", "warning(colours=0)"], by_family(gains))
    assert found.individual.conventions == ["warning(colours=0)", "pair", "focus(ranks=0)"]


@pytest.mark.parametrize(
    ("gain", "noise", "games"),
    [
        (0.5, 0.5, 8000),  # far above the threshold: as many as a decision has
        (0.075, 0.5, 16_000),  # near it: more, until others would hardly decide otherwise
        (0.0601, 0.5, 160_000),  # at it: as many as there are
        (-0.15, 0.5, 800),  # bad after the first games
    ],
)
def test_more_games_are_played_near_the_threshold(gain, noise, games):
    found, evaluator = decided(["stall"], by_family({"stall": gain}), noise, close_games=160_000)
    [one] = found.decisions
    assert one.games == games == sum(call[3] for call in evaluator.calls)
    assert found.games == 2 * games, "with those of the list without it"
    assert len({call[1] for call in evaluator.calls}) == 1, "on common deals"
    firsts = [call[2] for call in evaluator.calls]
    assert firsts == sorted(set(firsts)), "no deal twice"


def test_the_chance_that_other_deals_decide_otherwise():
    """Half of 100 gains are 1.08, half -0.92: their mean has an error of 1 / sqrt(99). The mean of
    other deals has one, too, so 0.02 are 0.1407 standard errors of the difference.
    """
    keys = {"decision_games": 100, "close_games": 100}
    [one] = decided(["stall"], by_family({"stall": 0.08}), 1.0, **keys)[0].decisions
    assert one.sem == pytest.approx(1 / 99**0.5)
    assert one.chance == pytest.approx(0.44405, abs=1e-4)


def test_settings_of_a_family_are_tried_as_they_are_named():
    found = settings_to_decide(["focus(ranks=1)", "pair", "focus"])
    assert found == {"focus": ("focus(ranks=1)", "focus(ranks=0)"), "pair": ("pair",)}


@pytest.fixture(scope="module")
def unbroken(tmp_path_factory):
    """(config file, the folder of a run that was never stopped)."""
    place = tmp_path_factory.mktemp("ordered")
    file = place / "ordered.toml"
    file.write_text(TINY.text())
    return file, evolve(TINY, place, jobs=1).folder


def test_killed_at_any_place_it_ends_the_same(unbroken, tmp_path):
    """Before the first generation is written: the language is then decided again."""
    assert "2/language.csv" in results(unbroken[1])
    kill_and_resume(unbroken, tmp_path, ["half:7", "half:1", "half:5"], ["jobs=2"])


def test_workers_change_no_byte(unbroken, tmp_path):
    again = evolve(TINY, tmp_path, jobs=2, backend="threads")
    assert results(again.folder) == results(unbroken[1])


def test_the_language_is_held_by_the_search(unbroken):
    folder = unbroken[1]
    for players in (2, 3):
        part = folder / str(players)
        with open(part / "language.csv", newline="") as file:
            rows = list(csv.DictReader(file))
        assert tuple(rows[0]) == Decision._fields
        taken = {row["convention"] for row in rows if row["taken"] == "1"}
        assert taken >= {"focus(ranks=0)"}
        agent = load(str(part / "best.toml"))
        assert {entry.name for entry in agent.list_at(players).conventions} == taken
        with open(part / "log.csv", newline="") as file:
            assert {frozenset(row["conventions"].split("; ")) for row in csv.DictReader(file)} == {
                frozenset(taken)
            }


def test_the_run_has_its_decisions_as_a_table(unbroken):
    from hanabi.evolve.ga.result import Run

    table = Run(unbroken[1]).language
    assert list(table["list"].unique()) == ["2", "3"] or set(table["list"]) == {2, 3}
    assert set(table["family"]) == {"focus", "warning", "stall"}


def test_the_pages_of_a_run_say_what_another_run_might_decide(unbroken, tmp_path, monkeypatch):
    folder = tmp_path / "run"
    shutil.copytree(unbroken[1], folder)
    file = folder / "3" / "language.csv"
    with open(file, newline="") as text:
        rows = list(csv.DictReader(text))
    rows[1] |= {"chance": "0.25", "taken": "0", "other": ""}
    with open(file, "w", newline="") as text:
        writer = csv.DictWriter(text, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    monkeypatch.setattr(report_games, "GAMES", 6)
    words = f"do without {rows[1]['convention']}; another run would take it with 25% chance"
    assert words in report(folder, jobs=1).read_text()
    changes = read_changes(folder)["changes"]
    [told] = [one for one in changes if one["says"] == words]
    assert (told["list"], told["generation"]) == ("3", "0")
    places = [one["says"].startswith(("take", "do")) for one in changes if one["list"] == "3"]
    assert places == sorted(places, reverse=True), "decisions come first"


def test_held_conventions_are_those_of_the_start():
    config = TINY.changed(
        language="held", conventions=[], start=["convention"], players=[3], lists=[]
    )
    problem = Problem.of(config)
    [one] = problem.initial_individuals()
    held = load("convention").list_at(3)
    assert one.conventions == [entry.name for entry in held.conventions]
    assert problem.families == () and one.weights == dict(held.weights)


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ({"start": []}, 'language: "ordered" begins with a list'),
        ({"start": ["piers", "outer"]}, 'language: "ordered" begins with a list'),
        ({"language": "held"}, 'conventions: "ordered" decides those that are named'),
        ({"conventions": []}, 'conventions: "ordered" decides those that are named'),
        ({"inherit": ["3"]}, "language: .* is chosen by each list for itself"),
        ({"language": "strict"}, 'language: .strict. should be "free" or "ordered" or "held"'),
        ({"conventions": ["focuss"]}, "conventions: no convention 'focuss'.*focus"),
        ({"conventions": ["all"]}, "conventions: no convention 'all'.*one by one"),
        ({"conventions": ["focus(ranks=7)"]}, "conventions: .*ranks"),
        ({"meaning_order": ["focuss"]}, "meaning_order: no convention 'focuss'.*focus"),
    ],
)
def test_what_makes_no_sense_is_said(keys, words):
    with pytest.raises(ValueError, match=words) as error:
        Problem.of(TINY.changed(**keys))
    assert "\n" not in str(error.value)
