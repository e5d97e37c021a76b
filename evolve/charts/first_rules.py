"""With which rule the lists of the whole population begin, by generation."""

from collections.abc import Sequence

from hanabi.evolve.charts.chart import Chart, RunData, Spec, label, layer, number, run_chart
from hanabi.notation import percent

PANELS = 5  # rules that get a panel each


@run_chart(5)
def charts(data: RunData) -> list[Chart]:
    """Return a chart per list of a run; none of runs older than heads.csv."""
    alone = len(data.first_rules) == 1
    return [
        first_rules(names, shares, players, alone)
        for players, (names, shares) in data.first_rules.items()
    ]


def file_name(players: str, alone: bool) -> str:
    """Return the name of the chart of a list for some player counts."""
    return "heads" if alone else f"heads-{players}"


def first_rules(
    names: Sequence[str], shares: Sequence[Sequence[float]], players: str, alone: bool = True
) -> Chart:
    """Return the chart of the first rules of all lists, a panel each for the most frequent ones.

    Args:
        names: The rules, most frequent first.
        shares: For each of them its share of the population, by generation.
        players: The player counts of the lists, in words.
        alone: Whether it is the only such chart of its page.
    """
    panels = list(zip(names, shares))[:PANELS]
    if names[PANELS:]:
        others = [round(sum(some), 9) for some in zip(*shares[PANELS:])]
        panels.append(("any other rule", others))
    last = len(shares[0]) - 1
    first, final = (max(zip(names, shares), key=lambda one: one[1][place]) for place in (0, -1))
    most = max(share for _, line in panels for share in line)
    top = next(top for top in (0.1, 0.2, 0.5, 1) if most <= top)

    def drawing(width: int, inks: dict[str, str]) -> Spec:
        specs = [
            _panel(name, line, top, width - 40, inks, name == panels[-1][0])
            for name, line in panels
        ]
        return {"spacing": 22, "vconcat": specs}

    places = sorted({round(last * i / 8) for i in range(9)})
    return Chart(
        file_name(players, alone),
        f"What the lists of the whole population begin with, {players} players",
        f"In the first generation most lists, {percent(first[1][0])}, begin with {first[0]}; "
        f"in the last most, {percent(final[1][-1])}, begin with {final[0]}.",
        "Share of the individuals of each generation whose list begins with the rule, from 0 to "
        f"{100 * top:.0f} %; at the right that of the last one.",
        ["rule", *(f"generation {place}" for place in places)],
        [[name, *(percent(line[place]) for place in places)] for name, line in panels],
        drawing,
    )


def _panel(name, line, top, width, inks, is_lowest):
    """Return the drawing of one rule: its share by generation; the lowest panel has the axis."""
    title = {"title": "generation", "tickMinStep": 1} if is_lowest else {}
    x = number(
        "x",
        {"domain": [0, max(1, len(line) - 1)], "nice": False},
        grid=False,
        labels=is_lowest,
        ticks=is_lowest,
        **title,
    )
    scale = {"domain": [0, top]}
    y = number("y", scale, values=[0, top], format=".0%", domain=False, ticks=False)
    texts = [("left", 0, name), ("right", width, percent(line[-1]))]
    return {
        "width": width,
        "height": 34,
        "layer": [
            layer(
                "area",
                [dict(x=i, y=share) for i, share in enumerate(line)],
                {"x": x, "y": y},
                color=inks["edge"],
                opacity=0.35,
                line={"color": inks["ink"], "strokeWidth": 1.5},
            ),
            *(
                label(
                    [dict(t=text, at=at)],
                    {"x": {"value": at}, "y": {"value": -9}},
                    color=inks["ink"],
                    align=align,
                    limit=width - 50,
                    fontWeight=600,
                )
                for align, at, text in texts
            ),
        ],
    }
