"""The command that writes runs as pages: report."""

import webbrowser
from pathlib import Path
from typing import Annotated

import typer

from hanabi.evolve.cli.command_registry import Jobs, register_command
from hanabi.evolve.cli.progress_display import working


@register_command("Evolve", "runs/2026-11-23-quick")
def report(
    runs: Annotated[
        list[Path],
        typer.Argument(metavar="RUN…", help="A finished run's folder, or several side by side."),
    ],
    output: Annotated[
        Path | None,
        typer.Option(
            "-o", "--output", help="The page about several runs; by default side-by-side.html."
        ),
    ] = None,
    figures: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Write each chart there too, as SVG and PNG."),
    ] = None,
    jobs: Jobs = -1,
    browser: Annotated[bool, typer.Option("--browser", help="Open the page in a browser.")] = False,
) -> None:
    """Write a run as a web page.

    The page, report.html, has the result, fitness, the worth of each rule, and games to step
    through. Several runs are compared on one page.
    """
    with working("writing the page") as tell:
        from hanabi.evolve.reports.run_comparison import side_by_side
        from hanabi.evolve.reports.run_report import report as write_report

        if len(runs) == 1 and output:
            raise ValueError(
                "the page of one run is report.html in its folder: leave -o out, or name several"
                " runs"
            )
        page = (
            write_report(runs[0], figures, jobs, tell)
            if len(runs) == 1
            else side_by_side(runs, output or Path("side-by-side.html"), figures)
        )
    print(page)
    if browser:
        webbrowser.open(page.resolve().as_uri())
