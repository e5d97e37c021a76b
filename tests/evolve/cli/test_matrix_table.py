"""The printed and the drawn matrix of a cross tournament: its numbers read back, at any width."""

import re

import numpy as np
import pandas as pd
import pytest
from typed import typed

from hanabi.evolve.cli.measure import CELL, print_matrix
from hanabi.evolve.measure.cross_play import matrix, ordered, strangers
from hanabi.evolve.measure.tournament import COLUMNS


def many(size, counts=(2, 3)):
    """Rows of a cross tournament of agents with long names, with points by chance."""
    chance = np.random.default_rng(size)
    names = [f"an-agent-with-a-long-name-{i}" for i in range(size)]
    return pd.DataFrame(
        [
            dict(
                dict.fromkeys(COLUMNS, 0),
                agent=a,
                partner=b,
                players=players,
                games=100,
                mean_kept=chance.uniform(0, 25),
                sem_kept=0.1,
            )
            for a in names
            for b in names
            for players in counts
        ]
    )


def read(text, size):
    """The last matrix in a text, from its blocks of columns."""
    found, columns = np.full((size, size), np.nan), []
    for line in text.split("mean over")[-1].split("guest:")[0].splitlines():
        numbers = re.findall(r"[\d.]+", re.sub(r"[a-z][a-z-]*-\d+", "", line))
        if numbers and all("." not in number for number in numbers):
            columns = list(map(int, numbers))
        elif (
            numbers
            and "." not in numbers[0]
            and len(numbers) == len(columns) + 1
            and "±" not in line
        ):
            found[int(numbers[0]) - 1, np.array(columns) - 1] = list(map(float, numbers[1:]))
    return found


@pytest.mark.parametrize("size, columns", [(2, 60), (13, 60), (13, 80), (13, 130), (17, 80)])
def test_the_matrix_reads_back_at_any_width(size, columns, monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", str(columns))
    rows = many(size)
    print_matrix(rows)
    out = capsys.readouterr().out
    lines, names = out.splitlines(), ordered(matrix(rows)[0])
    assert max(map(len, lines)) <= columns and not [line for line in lines if line != line.rstrip()]
    means = matrix(rows)[0].loc[names, names]
    assert read(out, size) == pytest.approx(means.to_numpy(), abs=0.0501)
    worth, plain = strangers(rows), [f"{' '.join(line.split())} " for line in lines]
    for i, name in enumerate(names):
        assert f"[{means.iat[i, i]:{CELL - 1}.1f}]" in out, (
            "mirror play is marked without colour too"
        )
        mirror, guest, loses = worth.loc[name, ["mirror", "guest", "loses"]]
        assert any(
            line.startswith(f"{i + 1} {name} {mirror:.2f} {guest:.2f} {loses:+.2f} ")
            for line in plain
        )
    assert (
        out.count("2 players: s.e. ± 0.10 over 100 games") == 1
        and "mean over 2 to 3 players: s.e. ± 0.07 over 200 games" in out
    )


def test_one_count_is_one_matrix(monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", "80")
    print_matrix(many(3, (4,)))
    out = capsys.readouterr().out
    assert out.count("4 players: s.e.") == 1 and "mean over" not in out


def test_single_games_have_no_error_to_print(monkeypatch, capsys):
    from hanabi.evolve.charts.tournament_charts import matrix_drawing

    monkeypatch.setenv("COLUMNS", "80")
    rows = many(2).assign(sem_kept=float("nan"))
    print_matrix(rows)
    out = capsys.readouterr().out
    assert "\n2 players\n" in out and "\nmean over 2 to 3 players\n" in out and "s.e." not in out
    about = [" ".join(matrix_drawing(some)["title"]["subtitle"]) for some in (rows, many(2))]
    assert "rrors" not in about[0] and "Standard errors: ±" in about[1]


def test_the_command_prints_writes_and_draws_the_same_with_any_workers(tmp_path):
    """And piers among copies of flawed is worth less than flawed among copies of piers."""
    made = []
    for jobs in (1, 2):
        words = (
            "tournament",
            "piers",
            "flawed",
            "--mode",
            "cross",
            "--players",
            "2,5",
            "--games",
            600,
            "--seed",
            3,
            "--jobs",
            jobs,
        )
        code, out, err = typed(
            *words, "-o", tmp_path / f"{jobs}.csv", "--picture", tmp_path / f"{jobs}.svg"
        )
        assert code == 0 and not err, err
        made.append(
            (out, *((tmp_path / f"{jobs}.{ending}").read_bytes() for ending in ("csv", "svg")))
        )
    assert made[0] == made[1]
    assert "understand each other. plain: piers, flawed." in " ".join(made[0][0].split())
    means = matrix(pd.read_csv(tmp_path / "1.csv"))[0]
    assert means.at["piers", "flawed"] < means.at["flawed", "piers"] - 1
    wanted = means.loc[ordered(means), ordered(means)].to_numpy()
    assert read(made[0][0], 2) == pytest.approx(wanted, abs=0.0501)


def test_a_picture_shows_every_number(tmp_path):
    from hanabi.evolve.charts.drawings import draw_matrix
    from hanabi.evolve.charts.tournament_charts import matrix_drawing

    rows = many(4)
    draw_matrix(rows, str(tmp_path / "it.png"))
    draw_matrix(rows, str(tmp_path / "it.svg"))
    assert (tmp_path / "it.png").read_bytes().startswith(b"\x89PNG")
    names = ordered(matrix(rows)[0])
    wanted = [f"{points:.1f}" for points in matrix(rows)[0].loc[names, names].to_numpy().ravel()]
    texts = re.findall(r"<text[^>]*>([^<]*)</text>", (tmp_path / "it.svg").read_text())
    assert [text for text in texts if re.fullmatch(r"\d+\.\d", text)] == wanted
    assert [text for text in texts if text in names] == names * 2, (
        "a label for each row and each column, in order"
    )
    legend = [text for text in texts if text in ("mirror play", "as guest")]
    assert legend == ["mirror play", "as guest"], "one legend, of colours and shapes"
    beside = matrix_drawing(rows)["hconcat"][1]["layer"][1]["data"]["values"]
    for what, says in (("mirror", "mirror play"), ("guest", "as guest")):
        assert [one["points"] for one in beside if one["what"] == says] == pytest.approx(
            strangers(rows).loc[names, what].tolist()
        )


@pytest.mark.parametrize(
    "names",
    [
        ("a", "b"),
        ("piers", "iggi", "convention"),
        [f"an-agent-with-a-long-name-{i}" for i in range(12)],
    ],
)
def test_a_picture_says_which_side_is_the_guest_and_nothing_in_it_collides(tmp_path, names):
    """With a letter of 7.2 px, the widest of the fonts that a browser may have for it, everything
    stays within the picture.
    """
    from hanabi.evolve.charts.drawings import draw_matrix

    rows = pd.DataFrame(
        [
            dict(
                dict.fromkeys(COLUMNS, 0),
                agent=a,
                partner=b,
                players=2,
                games=100,
                mean_kept=18.0 - (a == b),
                sem_kept=0.1,
            )
            for a in names
            for b in names
        ]
    )
    draw_matrix(rows, str(tmp_path / "it.svg"))
    svg = (tmp_path / "it.svg").read_text()
    texts = re.findall(
        r'<text text-anchor="\w+" transform="translate\(([-\d.]+),[^"]*"[^>]*>([^<]*)</text>', svg
    )
    said = [text for _, text in texts]
    assert "guest" in said and "host" in said, "the axes say which side is which"
    width = float(re.search(r'<svg [^>]*?width="([\d.]+)"', svg)[1])
    lines = re.findall(r"<tspan[^>]*>([^<]*)</tspan>", svg) + [
        text for text in said if text.startswith("Row: ")
    ]
    assert any(line.startswith("Row: the guest") for line in lines)
    assert max(len(line) for line in lines) * 7.2 <= width, "no line of the subtitle is cut"
    ticks = sorted((float(x), text) for x, text in texts if re.fullmatch(r"\d+", text))
    assert len(ticks) > 2 and all(
        right - left > 8 * len(text) + 8 for (left, text), (right, _) in zip(ticks, ticks[1:])
    )
