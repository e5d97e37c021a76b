"""The documents say what is there: files, sections and names exist, tables are made of the data,
recipes work.
"""

import json
import posixpath
import re
import tomllib
from importlib import import_module
from pathlib import Path

import pytest
from documents import FILES, WRITTEN, anchors, by_hand, read
from paths import ROOT
from typed import own_rules
from typer.main import get_command

from docs.generate import (
    api_pages,
    format_pages,
    paper_pages,
    results_page,
    results_tables,
    site_pages,
)
from hanabi import rules
from hanabi.conventions.register import CONVENTION_FAMILIES, find_convention
from hanabi.evolve.cli.app import app
from hanabi.evolve.ga.run_folder import RECORD
from hanabi.evolve.measure import tournament
from hanabi.rulebook import find
from hanabi.rules.agents.agent import KEYS as AGENT_KEYS

DATA = ROOT / "docs/data"
TEXTS = [
    path
    for folder in ("hanabi", "rules", "evolve", "tests", "docs", "examples", ".ci")
    for path in sorted((ROOT / folder).rglob("*"))
    if path.suffix in (".py", ".md", ".toml", "") and path.is_file()
] + [
    ROOT / name
    for name in (
        "README.md",
        "CHANGELOG.md",
        "CONTRIBUTING.md",
        "Makefile",
        "pyproject.toml",
        "runs/README.md",
    )
]
PATH = re.compile(r"`((?:hanabi|rules|evolve|tests|docs|examples|runs)/[\w./-]*)`")
FORMER = re.compile(
    r"(?<![\w./-])(?:\.\./)?shared/|\b(?!README|CHANGELOG|CONTRIBUTING|AGENTS)[A-Z][A-Z0-9_]+\.md\b"
    r"|\b(?:kripke_oracle|traces_2018)\.md"
)
CITED = re.compile(r"docs/([\w/-]+\.md)(?:,? (?:sections? |§ ?)|\)? ?§| )(\d+(?:\.\d+)?)")


def text(path):
    return path.read_text(encoding="utf-8")


def sections(name):
    """The numbers of a document's sections: of headings, and of paragraphs that begin with a bold
    number.
    """
    return set(re.findall(r"^(?:#+ |\*\*)(\d+(?:\.\d+)?)\.? ", read(f"docs/{name}"), re.M))


@pytest.mark.parametrize("name", FILES)
def test_what_a_document_names_is_there(name):
    """Every link works where the repository is read: on a code host, without a build."""
    words = read(name)
    assert not dead_links(name, words)
    for path in PATH.findall(words):
        assert (ROOT / path).exists(), f"names {path}"
    for name, file in re.findall(r"`(\w+)` in `([\w./]+\.py)`", words):
        assert re.search(rf"\b{name}\b", text(ROOT / file)), f"{file} has no {name}"


def dead_links(name, words):
    """The links and pictures of a document that lead to no file, or to no heading of it."""
    words = re.sub(r"^```.*?^```$|`[^`\n]*`", "", words, flags=re.M | re.S)
    found = re.findall(r"\]\((?!https?:|mailto:)([^)\s]+)|src=\"(?!https?:)([^\"]+)", words)
    dead = []
    for target in map("".join, found):
        file, _, anchor = target.partition("#")
        page = posixpath.normpath(posixpath.join(posixpath.dirname(name), file)) if file else name
        if not (ROOT / page).exists() or (anchor and anchor not in anchors(page)):
            dead.append(target)
    return dead


def test_the_links_for_programs_lead_to_every_page_by_hand():
    words = text(ROOT / "docs/llms.txt")
    assert not dead_links("docs/llms.txt", words)
    starts = {path.name for path in (ROOT / "docs/start").glob("*.md")}
    assert starts == {name for name in starts if f"(start/{name})" in words}


def test_the_check_of_links_sees_dead_ones():
    words = "[a](docs/index.md) [b](docs/none.md) [c](#none) [d](#install)"
    assert dead_links("README.md", words) == ["docs/none.md", "#none"]
    assert dead_links("README.md", '<img src="docs/none.webp">') == ["docs/none.webp"]


def test_the_commands_for_kubernetes_fit_the_image():
    """kubectl run passes arguments to the image's program, kubectl create deployment names the
    program; the image has dask.
    """
    image, page = text(ROOT / "Dockerfile"), text(ROOT / "docs/guides/many-machines.md")
    assert 'ENTRYPOINT ["hanabi"]' in image and "'/hanabi[dask]'" in image
    (run,) = re.findall(r"^kubectl run .* -- (.*)$", page, re.M)
    words = run.split()
    made = get_command(app).make_context("hanabi", words, resilient_parsing=True)
    assert (
        words[0] == "evolve" in made.command.commands
        and words[words.index("--backend") + 1] == "dask"
    )
    programs = re.findall(r"^kubectl create deployment .* -- (\w+ \w+)", page, re.M)
    assert programs == ["dask scheduler", "dask worker"]


def faults(path, words):
    """What a text cites that does not come with the project."""
    found = [f"{match[0]} is not in the project" for match in FORMER.finditer(words)]
    for name, number in CITED.findall(words):
        if not (ROOT / "docs" / name).exists() or number not in sections(name):
            found.append(f"docs/{name} has no section {number}")
    found += [
        f"there is no docs/{name}"
        for name in re.findall(r"\bdocs/([\w/-]+\.\w+)", words)
        if not (ROOT / "docs" / name).exists() and not name.startswith("level-")
    ]
    return [f"{path}: {fault}" for fault in found]


def test_no_file_cites_what_is_not_here():
    here = Path(__file__).resolve()
    found = [
        fault
        for path in TEXTS
        if path.resolve() != here
        for fault in faults(path.relative_to(ROOT), text(path))
    ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    "words",
    [
        "see ../shared/x.txt",
        "(shared/y)",
        "KRIPKE.md, section 1",
        "kripke_oracle.md",
        "docs/explanations/exact-knowledge.md §3.9",
        "docs/explanations/exact-knowledge.md 77",
        "docs/nothing.md",
        "docs/papers/cig2018.md, section 99",
    ],
)
def test_the_check_sees_a_citation_of_nothing(words):
    assert faults("planted", words)
    assert not faults(
        "fine",
        "docs/explanations/exact-knowledge.md §3.3, docs/papers/cig2018-rules.md §4 and README.md; `tests/support` is shared",
    )


# Tables


def test_every_section_of_the_results_is_on_one_page():
    headings = [heading for _, some in results_page.PAGES.values() for heading in some]
    assert sorted(headings) == sorted(results_page.sections(ROOT / "docs/data"))


def test_a_part_is_replaced_and_another_is_an_error():
    asked = "[Table: x](y) <!-- table: presets -->\n"
    once = site_pages.filled(f"a\n{asked}b\n", "planted.md")
    assert once.startswith(f"a\n{asked}\n| ") and once.endswith("\n\n<!-- end -->\nb\n")
    stale = once.replace("| ", "| stale ")
    assert site_pages.filled(stale, "planted.md") == once != stale
    with pytest.raises(ValueError, match="asks for 'nothing'"):
        site_pages.filled("<!-- table: nothing -->\n", "planted.md")


def test_the_site_shows_live_boards_and_no_words_for_the_tests():
    for name in WRITTEN:
        if name.startswith("docs/"):
            shown = site_pages.site_text(read(name), name.removeprefix("docs/"))
            assert "<!-- board: " not in shown
            assert shown.count('<figure class="board"') == read(name).count("<!-- board: ")
            assert not re.search(r"^```[a-z]+ ", shown, re.M), name  # the site shows it as text


def test_every_public_name_is_on_a_page_of_the_api_once():
    for package, groups in api_pages.GROUPS.items():
        names = " ".join(groups.values()).split()
        assert sorted(names) == sorted(import_module(package).__all__), package


@pytest.mark.parametrize("path, file", paper_pages.REPORTS.items())
def test_the_pages_of_papers_have_every_table_of_their_report(path, file):
    """But for the long one that is drawn."""
    page = text(ROOT / "docs" / path)
    asked = re.findall(r"^\[Table: .*\]\(\.\./data/(.*)\) <!-- table: (\S+) -->$", page, re.M)
    names = set(paper_pages.tables(path, DATA))
    others = {"reference.json", paper_pages.CONTROLLER}
    assert {report for report, _ in asked} <= {file, *others}
    assert sorted(name for _, name in asked) == sorted(names - {paper_pages.SWEEP})


def test_other_data_make_another_paper(tmp_path):
    """The page shows the report; a name that the report lacks is an error."""
    path, file = "papers/zhao.md", paper_pages.REPORTS["papers/zhao.md"]
    data = results_page.read_json(DATA / file)
    data["tables"][0]["rows"][0][3] = 1.2345
    (tmp_path / file).write_text(json.dumps(data))
    name = data["tables"][0]["name"]
    shown = site_pages.filled(f"[x](y) <!-- table: {name} -->\n", path)
    assert paper_pages.tables(path, DATA)[name]().strip() in shown
    assert "| 1.23 |" not in shown and "| 1.23 |" in paper_pages.tables(path, tmp_path)[name]()
    for kind in (
        "[Table: x](y) <!-- table: nothing -->",
        "[Picture: x](y) <!-- picture: no.svg -->",
    ):
        with pytest.raises(ValueError, match="asks for"):
            site_pages.filled(kind + "\n", path)


def test_every_picture_is_on_a_page_and_drawn_from_the_data(tmp_path):
    shown = "\n".join(map(read, FILES))
    for path, draw in paper_pages.PICTURES.items():
        assert path.rpartition("/")[2] in shown
        assert draw(DATA).startswith(b"<svg")
    sweep = paper_pages.load_report(DATA, "osawa.json")[paper_pages.SWEEP]
    other = sweep | {
        "rows": [[*row[:1], row[1] + row[0].count("9"), *row[2:]] for row in sweep["rows"]]
    }
    assert paper_pages.osawa_picture(sweep) == paper_pages.PICTURES["papers/osawa-sweep.svg"](DATA)
    assert paper_pages.osawa_picture(sweep) != paper_pages.osawa_picture(other)


def test_other_data_make_another_page(tmp_path):
    (tmp_path / "runs").symlink_to(ROOT / "runs")
    data = tmp_path / "docs/data"
    data.mkdir(parents=True)
    for file in filter(Path.is_file, (ROOT / "docs/data").iterdir()):
        (data / file.name).write_bytes(file.read_bytes())
    rows = (data / "tournament.csv").read_text()
    assert "\npiers,piers,2,20000,17." in rows
    (data / "tournament.csv").write_text(
        rows.replace("\npiers,piers,2,20000,17.", "\npiers,piers,2,20000,18.")
    )
    assert results_page.page("scores", data) != results_page.page("scores", DATA)
    with pytest.raises(ValueError, match="tournament.csv.*--measure"):
        results_page.page("scores", tmp_path / "empty")


def test_every_part_of_the_benchmarks_is_shown():
    import bench

    from hanabi.evolve.bench.benchmark_registry import find_benchmarks

    bench.load()
    assert find_benchmarks(list(results_tables.SPEEDS))
    table = results_tables.speeds(
        [dict(name="plain-twin", players=3, value=5978.9, unit="times slower")],
        {"plain-twin": "nothing"},
    )
    assert "| 5,979 times slower | nothing |" in table


def test_the_page_of_formats_has_every_kind_and_column():
    page = read("docs/reference/formats.md")
    assert list(format_pages.SECTIONS) == [kind.title for kind in format_pages.KINDS_OF_FILES]
    for block in re.findall(r"```toml\n(.*?)```", page, re.S):
        tomllib.loads(block)
    for name in (*tournament.COLUMNS, *RECORD, *AGENT_KEYS):
        assert f"| `{name}` |" in page
    with pytest.raises(ValueError, match="MEANINGS, what nothing means"):
        format_pages._columns(["agent", "nothing"])


def test_every_row_is_in_a_table():
    """A row after an empty line would be shown as text."""
    for name in WRITTEN:
        words = re.sub(r"^```.*?^```$", "", read(name), flags=re.M | re.S)
        starts = re.findall(r"(?<!\|)\n(\|.*\n.*)\n", words)
        assert not [one for one in starts if not re.search(r"\n\|[-:| ]+$", one)], name


# Lists of names


def test_the_guide_knows_every_convention():
    """The page that defines them; docs/reference/rules.md lists all rules and weights."""
    named = set(re.findall(r"`(\w+)`", text(ROOT / "docs/guides/conventions.md")))
    assert not set(CONVENTION_FAMILIES) - named


# CONTRIBUTING


def recipes():
    """(title, text) of each recipe."""
    return re.findall(r"^### (.*?)\n(.*?)(?=^##)", text(ROOT / "CONTRIBUTING.md"), re.M | re.S)


def code(title):
    return re.search(r"```python\n(.*?)```", dict(recipes())[title], re.S)[1]


def test_the_recipe_of_a_rule(tmp_path):
    file = tmp_path / "my_rules.py"
    file.write_text(code("A rule"))
    with own_rules():
        rules.load_rules(file)
        assert (
            find("throw_oldest(lives=2)").says
            == "Discard my oldest card if I have at most 2 lives."
        )
        assert rules.SETS["my_rules"] == [f"throw_oldest(lives={lives})" for lives in (1, 2, 3)]


def test_the_recipe_of_a_convention():
    try:
        exec(compile(code("A convention"), "CONTRIBUTING.md", "exec"), {"__name__": "recipe"})
        assert (
            find_convention("ranks_are_plain").says
            == "A hint of a rank says nothing more than the rank."
        )
        assert CONVENTION_FAMILIES["ranks_are_plain"].stage == "meaning"
    finally:
        CONVENTION_FAMILIES.pop("ranks_are_plain", None)


def test_the_documentation_is_short():
    """README and the pages that are written by hand, without their code."""
    texts = [by_hand(name) for name in WRITTEN if name == "README.md" or name.startswith("docs/")]
    words = [
        re.sub(r"^```.*?^```$|<!--.*?-->", "", one, flags=re.M | re.S).split() for one in texts
    ]
    assert sum(map(len, words)) <= 26_000


def test_the_changelog_is_kept_by_the_format():
    """https://keepachangelog.com: versions, six kinds of changes, one line for each change."""
    for line in filter(None, text(ROOT / "CHANGELOG.md").splitlines()[4:]):
        assert re.match(
            r"## \[(Unreleased\]|\d+\.\d+\.\d+\] - \d{4}-\d\d-\d\d)$"
            r"|### (Added|Changed|Deprecated|Removed|Fixed|Security)$|- \S",
            line,
        ), line
