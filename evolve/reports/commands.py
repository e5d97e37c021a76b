"""Commands that write runs as pages and agents as files: report, export."""

from __future__ import annotations

import webbrowser
from pathlib import Path
from typing import Annotated

import typer

from hanabi.evolve.cli.command_name import as_typed
from hanabi.evolve.cli.command_registry import register_command
from hanabi.evolve.cli.options import Jobs, RuleFiles, load_rules
from hanabi.evolve.cli.progress_display import working
from hanabi.evolve.cli.runs import rules_of
from hanabi.shell_command import command


@register_command("Exchange", "piers --standalone agent.py", compiled=False)
def export(
    runs: Annotated[
        list[Path],
        typer.Argument(
            metavar="RUN…",
            help="A finished run's folder; with --standalone or --page also an agent.",
        ),
    ],
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="The agent file to write.")
    ] = None,
    alone: Annotated[
        Path | None,
        typer.Option(
            "--standalone",
            metavar="FILE.py|FOLDER",
            help="Write it as plain Python without imports; a folder for courses.",
        ),
    ] = None,
    page: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER", help="Write a web page that plays; several agents are partners."
        ),
    ] = None,
    pyodide: Annotated[
        str | None,
        typer.Option(
            metavar="FOLDER|cdn", help="The page's Python: a folder, or from a public server."
        ),
    ] = None,
    files: RuleFiles = None,
) -> None:
    """Write a run's agent to a file.

    The file is TOML, to read and edit, or plain Python. Without an option it is printed. A page
    needs only a server of files; its Python, Pyodide, is fetched once.
    """
    run = runs[0]
    with working("reading the run"):
        from hanabi.evolve.reports.agent_export import export as read_run
        from hanabi.files import write_whole

        load_rules(files)
        if sum(map(bool, (output, alone, page))) > 1:
            raise ValueError(
                "-o writes an agent file, --standalone plain Python, --page a web page: "
                "give one of them"
            )
        if len(runs) > 1 and not page:
            raise ValueError("several agents stand in one page: give --page FOLDER")
        if pyodide and not page:
            raise ValueError("--pyodide says where a page has its Python from: give --page FOLDER")
        if page:
            from hanabi.evolve.site.page_export import write_page

            written = write_page(runs, page, pyodide)
        elif alone:
            from hanabi.evolve.reports.standalone import write_alone

            written = write_alone(run, alone)
        else:
            text = read_run(run)
    if page:
        server = command("python3", "-m", "http.server", "--directory", page)
        print(f"{written}: any server of files shows it. Try: {server}")
        return
    if alone:
        print(f"{written}: it needs nothing but Python. Try: {command('python3', written)}")
        return
    if output is None:
        print(text, end="")
        return
    write_whole(output, text)
    print(
        as_typed(
            f"{output}: the agent of {run}. Try:"
            f" {command('hanabi', 'show', output, *rules_of(run))}"
        )
    )


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
        if len(runs) == 1:
            page = write_report(runs[0], figures, jobs, tell)
        else:
            page = side_by_side(runs, output or Path("side-by-side.html"), figures)
    print(page)
    if browser:
        webbrowser.open(page.resolve().as_uri())
