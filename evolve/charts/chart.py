"""Charts as data in the grammar of Vega-Lite, rendered by vl-convert; the charts of a run.

Rendering needs neither a browser nor a network. In a page colours are its CSS variables, so that
one SVG fits its light and its dark theme; in a file they are those of the light theme.

In a notebook charts and tables are one piece of HTML, dark on white in any theme.

Numbers are written with one or two significant figures of their error, and as many places.
"""

import io
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from math import floor, isnan, log10
from pathlib import Path
from typing import Any

import pandas as pd

from hanabi.evolve.ga.run_folder import result
from hanabi.files import OWN, read_bytes, write_whole
from hanabi.registry import LateModules


def places(sem: float) -> int:
    """Return the decimal places of a value with this standard error.

    The error gets two figures if it begins with 1 or 2, else one.
    """
    if isnan(sem) or sem <= 0:
        return 2
    first = floor(log10(sem * (1 + 1e-9)))
    return min(4, max(0, -first + (1 if sem / 10**first < 3 - 1e-9 else 0)))


def plus_minus(value: float, sem: float) -> str:
    """Return ``23.717 ± 0.007``; without an error where there is none; "" for NaN."""
    if isnan(value):
        return ""
    count = places(sem)
    return f"{value:.{count}f}" + (f" ± {sem:.{count}f}" if sem > 0 else "")


def share(part: float) -> str:
    """Return a share in percent with one place."""
    return f"{part:.1%}".replace("%", "\u00a0%")


Spec = dict[str, Any]
WIDE, NARROW = 840, 330  # pixels; a page shows the drawing that fits its width
PAPER = {  # the colours of a file
    "ink": "#1A1C23",
    "muted": "#5A5D68",
    "line": "#D8D2C4",
    "edge": "#7C7768",
    "accent": "#4246B8",
    "hint": "#9A4A00",
    "good": "#1B6E45",
    "bad": "#B3261E",
    "panel": "#FFFFFF",
}
PAGE = {name: f"var(--{name})" for name in PAPER}
LINES = (  # (colour, dashes) of the first, second, … line: colour alone never tells them apart
    ("accent", [1, 0]),
    ("hint", [6, 3]),
    ("ink", [2, 3]),
    ("good", [8, 3, 2, 3]),
)
ROLES = re.compile(r' (?:role|aria-\w+)="[^"]*"')
FONT = "Inter, Segoe UI, Roboto, Helvetica Neue, Noto Sans, Liberation Sans, sans-serif"


@dataclass(frozen=True)
class Chart:
    """A chart: what it shows in words, in numbers and as a drawing.

    Attributes:
        name: Name of its file, without ending.
        title: Its title.
        says: Sentence for readers who cannot see it.
        caption: What follows from it.
        columns: Names of the columns of ``rows``.
        rows: The numbers behind it.
        drawing: Draws it for a width in pixels and colours (PAGE or PAPER).
        wide: Width in pixels of the wide drawing.
    """

    name: str
    title: str
    says: str
    caption: str
    columns: Sequence[str]
    rows: Sequence[Sequence[Any]]
    drawing: Callable[[int, dict[str, str]], Spec]
    wide: int = WIDE

    def svg(self, width: int, inks: dict[str, str] = PAGE) -> str:
        """Return the drawing as SVG; its size follows from its frame."""
        svg = render(finish(self.drawing(width, inks), inks), ".svg").decode()
        return ROLES.sub("", svg)  # the page names the chart; a screen reader skips each mark

    def save(self, folder: Path) -> list[Path]:
        """Write NAME.svg and NAME.png and return their paths.

        Raises:
            ValueError: They cannot be written.
        """
        spec = finish(self.drawing(self.wide, PAPER), PAPER)
        return [write(spec, folder / f"{self.name}{ending}") for ending in (".svg", ".png")]


def finish(drawing: Spec, inks: dict[str, str]) -> Spec:
    """Return a drawing with what all drawings share: fonts, axes, no frame."""
    return drawing | {
        "$schema": "https://vega.github.io/schema/vega-lite/v5.json",
        "background": None if inks is PAGE else inks["panel"],
        "padding": 2 if inks is PAGE else 12,
        "config": {
            "font": FONT,
            "view": {"stroke": None},
            "text": {"fontSize": 12, "color": inks["ink"]},
            "axis": {
                "labelColor": inks["muted"],
                "titleColor": inks["muted"],
                "gridColor": inks["line"],
                "domainColor": inks["line"],
                "tickColor": inks["line"],
                "labelFontSize": 12,
                "titleFontSize": 12,
                "titleFontWeight": "normal",
                "labelLimit": 300,
            },
            "title": {
                "color": inks["ink"],
                "anchor": "start",
                "fontSize": 15,
                "subtitleColor": inks["muted"],
                "subtitleFontSize": 12,
            },
            "legend": {
                "labelColor": inks["ink"],
                "labelFontSize": 12,
                "symbolFillColor": inks["edge"],
            },
        },
    }


def render(drawing: Spec, ending: str) -> bytes:
    """Render a finished drawing as ".svg" or ".png"."""
    import vl_convert

    if ending == ".svg":
        return vl_convert.vegalite_to_svg(drawing).encode()
    return vl_convert.vegalite_to_png(drawing, scale=2)


def write(drawing: Spec, path: Path) -> Path:
    """Write a finished drawing as .svg or .png and return its path.

    Raises:
        ValueError: It cannot be written.
    """
    write_whole(path, render(drawing, path.suffix))
    return path


def layer(mark: str, rows: Sequence[dict], encoding: Spec, **style: Any) -> Spec:
    """Return a layer of a drawing that has its own data.

    Args:
        mark: The kind of mark, such as "line".
        rows: Its data.
        encoding: The channels, by name.
        style: Further properties of the mark.
    """
    return {"data": {"values": list(rows)}, "mark": {"type": mark, **style}, "encoding": encoding}


def label(rows: Sequence[dict], encoding: Spec, **style: Any) -> Spec:
    """Return a layer that writes the field ``t`` of each row."""
    return layer("text", rows, {"text": {"field": "t"}} | encoding, **style)


def number(field: str, scale: Spec | None = None, **axis: Any) -> Spec:
    """Return a quantitative channel; its axis has no title unless one is given."""
    return {
        "field": field,
        "type": "quantitative",
        "scale": scale or {"zero": False},
        "axis": {"title": None, **axis},
    }


def names() -> Spec:
    """Return the vertical channel of names, in the order of the rows."""
    axis = {"title": None, "ticks": False, "domain": False, "labelLimit": 210}
    return {"field": "y", "type": "nominal", "sort": None, "axis": axis}


def steps(title: str, **axis: Any) -> Spec:
    """Return the horizontal channel of few values that each have a place, such as points."""
    axis = {"title": title, "labelAngle": 0, "ticks": False} | axis
    return {"field": "x", "type": "ordinal", "axis": axis}


@dataclass(frozen=True)
class Curve:
    """The fitness of a list over a run.

    Attributes:
        name: The list, or the run.
        best: Fitness of the best individual, by generation.
        best_sem: Its standard errors.
        mean: Mean fitness of the population, by generation.
        mean_sem: Its standard errors.
        race: (points, standard error) in the race.
        final: (points, standard error) on fresh deals.
    """

    name: str
    best: Sequence[float]
    best_sem: Sequence[float]
    mean: Sequence[float]
    mean_sem: Sequence[float]
    race: tuple[float, float] | None = None
    final: tuple[float, float] | None = None


@dataclass(frozen=True)
class RunData:
    """What the charts of a run are made from; what is not known is empty.

    Attributes:
        scoring: "kept" or "zero".
        rows: Results on the final deals: a row per number of players, then one over all.
        curves: The fitness by generation, of each list.
        published: Published points by number of players.
        published_by: Where they were published.
        games: Games of the winner that are played for the page (reports.report_games.ReportGames).
        first_rules: By list: names of rules, and for each its share of the population by
            generation, see ``analysis.subjects.began``.
        front: The rows of front.csv.
    """

    scoring: str
    rows: Sequence[Mapping[Any, Any]] = ()
    curves: Sequence[Curve] = ()
    published: Mapping[str, float] = field(default_factory=dict)
    published_by: str = ""
    games: Any = None
    first_rules: Mapping[str, tuple[list[str], list[list[float]]]] = field(default_factory=dict)
    front: Sequence[Mapping[Any, Any]] = ()


Maker = Callable[[RunData], Iterable[Chart]]
_makers: dict[int, Maker] = {}  # by place on the page


def run_chart(place: int) -> Callable[[Maker], Maker]:
    """Register a function that returns or yields charts of a run.

    Args:
        place: Its place among the charts of a run, in ascending order.
    """

    def register(make: Maker) -> Maker:
        _makers[place] = make
        return make

    return register


def charts_of_run(data: RunData) -> list[Chart]:
    """Return all charts of a run, in their order."""
    LateModules("hanabi.evolve.charts.*").load()
    return [chart for _, make in sorted(_makers.items()) for chart in make(data)]


COLUMNS = ("best", "best_sem", "mean", "mean_sem")  # of log.csv


def log_of(run: Any) -> pd.DataFrame:
    """Return log.csv of a Run with one list.

    Raises:
        LookupError: A column is missing.
    """
    log = pd.read_csv(io.BytesIO(read_bytes(run / "log.csv", OWN)))
    for column in ("generation", *COLUMNS):
        log[column]
    return log


def curves_of(run: Any) -> list[Curve]:
    """Return the curve of each list of a Run."""
    found = []
    for part in run.parts[: len(LINES)]:
        log, race, final = log_of(part), None, None
        if (part / "race.csv").exists():
            first = part.race.iloc[0]
            race = float(first["mean"]), float(first["sem"])
        if (part / "result.json").exists():
            row = result(part.folder)["results"][-1]
            final = row[f"mean_{part.config.game.scoring}"], row[f"sem_{part.config.game.scoring}"]
        is_count = part.folder != run.folder and part.name[0].isdigit()
        if len(log):
            # single games have no error
            best, best_sem, mean, mean_sem = (log[column].fillna(0).tolist() for column in COLUMNS)
            name = f"{part.name} players" if is_count else part.name
            found.append(Curve(name, best, best_sem, mean, mean_sem, race, final))
    return found


CLASS = "hanabi-cell"
# notebooks colour the rows of tables for their theme
TABLES = f"""<style>
.{CLASS} tr, .{CLASS} tr:hover {{ background: none !important; color: inherit }}
.{CLASS} th, .{CLASS} td {{ border-bottom: 1px solid {PAPER["line"]} }}
.{CLASS} code {{ background: none !important; color: {PAPER["muted"]} !important }}
</style>"""
STYLE = f"background:{PAPER['panel']};color:{PAPER['ink']};padding:12px;max-width:900px"


def notebook_cell(headline: str, charts: Iterable[Chart], table: str) -> str:
    """Return the HTML of a notebook's cell: a headline, charts with their captions, a table."""
    figures = (
        notebook_drawing(chart.svg(chart.wide, PAPER), chart.says, chart.caption)
        for chart in charts
    )
    content = f"<p><b>{escape(headline)}</b></p>{''.join(figures)}{table}"
    return f'<div class="{CLASS}" style="{STYLE}">{TABLES}{content}</div>'


def notebook_drawing(svg: str, says: str, caption: str = "") -> str:
    """Return an SVG with its sentence for readers who cannot see it, and its caption."""
    below = f'<p style="color:{PAPER["muted"]}">{escape(caption)}</p>' if caption else ""
    return f'<div role="img" aria-label="{escape(says)}">{svg}</div>{below}'
