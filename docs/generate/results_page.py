"""The pages of docs/results and README's chart, made of the data in docs/data.

The site shows the pages when it is built. ``python -m docs.generate.results_page`` writes
README's chart; ``--measure`` (`make results`) first makes the data with the commands of
COMMANDS, which the pages print above each table. Published numbers are in docs/data/others.toml,
with their sources. The text around the tables is results_page.txt in this folder.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
from functools import cache
from pathlib import Path
from textwrap import wrap
from typing import Annotated, Any

import pandas as pd
import typer

from docs.generate import (
    adaptation_results,
    best_of_class,
    book_results,
    copies_and_strangers,
    literature_chart,
    literature_tables,
    people_books,
    pool_results,
    recombination,
    strangers_table,
)
from docs.generate.literature_tables import ALONE, FIRST, THOROUGH
from docs.generate.results_tables import (
    SPEEDS,
    company,
    discarded,
    faster,
    gains,
    memory_of_hour,
    page_costs,
    reached,
    scores,
    searched,
    seeds_again,
    speeds,
    speedup_sentence,
    worths,
)
from hanabi.evolve.analysis.rendering import render
from hanabi.evolve.ga.config import preset
from hanabi.evolve.measure.cross_play import errors_text
from hanabi.evolve.papers import literature
from hanabi.evolve.papers.report import LEAST
from hanabi.files import write_whole

DATA = Path("docs/data")
TEMPLATE = Path(__file__).with_suffix(".txt")
AGENTS = (
    "convention from-both from-nothing convention-2026 convention-simple epistemic"
    " mirror-situational-2018 \\\n    mirror-old-2018 van-den-bergh piers iggi outer internal"
    " sample cautious irvall flawed legal-random"
)
CROSS = (
    "iggi outer piers flawed van-den-bergh mirror-situational-2018"
    " runs/reference/mirror-cig2018/best.toml \\\n    runs/reference/mixed-cig2018/best.toml"
    " epistemic convention-simple convention-2026 \\\n    convention search:convention"
)
PAGES = {  # by file name below docs/results: its title, and its sections of results_page.txt
    "scores": ("Scores", ["Mirror play", "Beside other programs", "Cross-play"]),
    "partners": (
        "Partners",
        [
            "Pools of partners",
            "Independent runs",
            "Copies and strangers",
            "Books that people play by",
            "Unknown partners",
        ],
    ),
    "evolution": (
        "Evolution",
        [
            "The reference runs",
            "Does recombination pay?",
            "What each part of the search is worth",
        ],
    ),
    "agent-parts": (
        "What the parts of an agent are worth",
        [
            "What each part of `convention` is worth",
            "What `convention` loses its points by",
            "What each level of knowledge is worth",
        ],
    ),
    "speed": ("Speed", ["Speed"]),
}
THINKERS = (
    "iggi outer piers flawed van-den-bergh mirror-situational-2018 epistemic convention-simple"
    " \\\n    convention-2026 convention search:piers partners:cig2018-paper"
)
LIBRARY = " \\\n    ".join(wrap(" ".join(copies_and_strangers.AGENTS), 90, break_on_hyphens=False))
WIDE = "---\nhide: [toc]\n---\n"  # the tables take the place of the page's table of contents
LAWS = """\
Standard game. *Kept*: points stay when the last life is lost; *zero*: such a game counts 0. The
commands above a table make its data; the same seed gives the same numbers on any machine, except
for speeds.
"""
COMMANDS = {  # file in docs/data: the commands that make it
    "tournament.csv": (
        f"hanabi tournament {AGENTS} \\\n    --mode mirror --games 20000 --seed 20261120 -o"
        " docs/data/tournament.csv"
    ),
    "codes.csv": (
        "hanabi tournament code code-information \\\n    --mode mirror --games 20000 --seed"
        " 20261120 -o docs/data/codes.csv"
    ),
    "recommendation.csv": (
        "hanabi tournament code-recommendation \\\n    --players 5 --games 20000 --seed 20261120 -o"
        " docs/data/recommendation.csv"
    ),
    "hgroup.csv": (
        "hanabi tournament hgroup-1 hgroup-5 \\\n    --mode mirror --games 20000 --seed 20261120 -o"
        " docs/data/hgroup.csv"
    ),
    "pairs.csv": (
        "hanabi tournament pairs reactor sieve \\\n    --mode mirror --games 20000 --seed"
        " 20261120 -o docs/data/pairs.csv"
    ),
    "meanings.csv": (
        "hanabi evolve --preset meanings\n"
        "for n in 3 4 5; do  # once more, from its lists\n"
        "    hanabi evolve --preset meanings --set players=$n --set 'lists=[]' --seed 2 \\\n"
        "        --set start=runs/DATE-meanings/best.toml --set local_search_games=300000\n"
        "done\n"
        "hanabi tournament docs/data/meanings.toml convention pairs \\\n    --players 3-5 --games"
        " 20000 --seed 20261129 -o docs/data/meanings.csv"
    ),
    "sieve-further.csv": (
        "hanabi evolve --preset meanings --set players=2 --set 'lists=[]' --set start=sieve \\\n"
        "    --set conventions=all --set local_search_games=1000000 \\\n"
        '    --set \'rules=["living", "correct(tokens=1, far=1, belief=1)"]\'\n'
        "hanabi tournament docs/data/sieve-further.toml sieve convention \\\n    --players 2"
        " --games 20000 --seed 20261130 -o docs/data/sieve-further.csv"
    ),
    "sieve-losses.csv": (
        "hanabi analyse sieve docs/data/sieve-further.toml convention --losses \\\n    --players 2"
        " --games 4000 -o docs/data/sieve-losses.csv"
    ),
    "finish-two.csv": (
        "hanabi tournament pairs-finish convention-finish \\\n    --players 2 --games 100000"
        " --seed 20261129 -o docs/data/finish-two.csv"
    ),
    "finish-scores.csv": (
        "hanabi tournament pairs-finish convention-finish \\\n    --mode mirror --games 20000"
        " --seed 20261120 -o docs/data/finish-scores.csv"
    ),
    **{
        f"finish-{law}.csv": f"hanabi compare convention-finish convention pairs-finish pairs \\\n"
        f"    --scoring {law} --games 4000 --width 0.001 --seed 2611 -o docs/data/finish-{law}.csv"
        for law in ("kept", "zero")
    },
    "pairs-lab.csv": "hanabi analyse --only parts pairs --games 2000 -o docs/data/pairs-lab.csv",
    "hgroup-lab.csv": "hanabi analyse --only parts hgroup-1 --games 2000"
    " -o docs/data/hgroup-lab.csv",
    "hgroup-5-lab.csv": "hanabi analyse --only parts hgroup-5 --games 2000"
    " -o docs/data/hgroup-5-lab.csv",
    "cross.csv": (
        "# at that time a guest that searches had the settings of a table where all seats search\n"
        f"hanabi tournament {CROSS} \\\n    --mode cross --games 5000 --searched-games 16 --seed"
        " 20261122 -o docs/data/cross.csv"
    ),
    "cross-thinkers.csv": (
        f"hanabi tournament {THINKERS} \\\n    --mode cross --games 4 --searched-games 4 --seed"
        " 20261124 -o docs/data/cross-thinkers.csv"
    ),
    "thinkers.csv": (
        "hanabi tournament search:piers partners:cig2018-paper --games 25 \\\n"
        "    --searched-games 25 --seed 20261124 -o docs/data/thinkers.csv"
    ),
    "simplified.csv": (
        "# at that time `pairs` with 5 players was the list in docs/data/pairs-ungrown.toml\n"
        "for agent in convention pairs; do\n"
        "    hanabi simplify $agent --loss 0.2 --seed 5252 \\\n"
        "        -o /tmp/$agent.toml --table /tmp/$agent.csv\n"
        '    sed "1 s/^/agent,/; 2,$ s/^/$agent-10,/" /tmp/$agent.csv\n'
        "done | awk 'NR == 1 || !/^agent,/' > docs/data/simplified.csv"
    ),
    "simplified-finals.csv": (
        "hanabi tournament convention convention-10 pairs pairs-10 --games 20000 --seed 5210 \\\n"
        "    -o docs/data/simplified-finals.csv"
    ),
    "partners.json": "python tests/bench search-mixed --json > docs/data/partners.json",
    "lookahead.csv": (
        "hanabi tournament search:convention convention --games 200 --seed 20261123 \\\n"
        "    -o docs/data/lookahead.csv"
    ),
    "lookahead-codes.csv": (
        "hanabi tournament search:code code --players 4-5 --games 1000 --searched-games 1000 \\\n"
        "    --seed 20261123 -o docs/data/lookahead-codes.csv"
    ),
    "lookahead-code-3.csv": (
        "hanabi tournament search:code code --players 3 --games 200 --searched-games 200 \\\n"
        "    --seed 20261123 -o docs/data/lookahead-code-3.csv"
    ),
    "lookahead-pairs.csv": (
        f"hanabi tournament {THOROUGH} \\\n"
        "    search:pairs pairs --games 500 --searched-games 500 \\\n"
        "    --seed 20261123 -o docs/data/lookahead-pairs.csv"
    ),
    "lookahead-lead.csv": (
        f"hanabi tournament {FIRST} --players 2 --games 500 \\\n"
        "    --searched-games 500 --seed 20261123 -o docs/data/lookahead-lead.csv"
    ),
    "lookahead-one.csv": (
        f"hanabi tournament {ALONE} --players 2 --games 500 --searched-games 500 \\\n"
        "    --seed 20261123 -o docs/data/lookahead-one.csv"
    ),
    "lookahead.json": (
        "HANABI_BENCH_GAMES=25 python tests/bench search-one search-curve --json \\\n"
        "    > docs/data/lookahead.json"
    ),
    "lookahead-choice.json": (
        "python tests/bench search-choice --json > docs/data/lookahead-choice.json"
    ),
    "lookahead-times.json": (
        "python tests/bench search-move --json > docs/data/lookahead-times.json"
    ),
    "lookahead-late.json": (
        "HANABI_BENCH_GAMES=400 python tests/bench search-late --json \\\n"
        "    > docs/data/lookahead-late.json"
    ),
    "asking.csv": (
        "hanabi analyse docs/data/asks.toml --only worth --games 2000 -o docs/data/asking.csv"
    ),
    "bridges.json": "python tests/bench bridges --json > docs/data/bridges.json",
    "first-run.txt": (
        "here=$PWD; cd $(mktemp -d)\n"
        "hanabi evolve --preset quick --seed 1 > $here/docs/data/first-run.txt"
    ),
    "review.txt": (
        "here=$PWD; cd $(mktemp -d)\n"
        "hanabi show piers --players 3 --seed 7 -o game.toml > game.txt\n"
        "hanabi review game.toml > $here/docs/data/review.txt"
    ),
    "grow.csv": (
        "here=$PWD; cd $(mktemp -d)\n"
        "for players in 2 3 4 5; do for seed in 1 2 3; do\n"
        "    hanabi evolve --preset grow -p $players --seed $seed --name p$players-s$seed\n"
        "done; done\n"
        "awk 'NR == 1 || FNR > 1' runs/*/finals.csv > $here/docs/data/grow.csv"
    ),
    "grow-long.csv": (
        "here=$PWD; cd $(mktemp -d)\n"
        "for players in 2 3 4 5; do for seed in 1 2 3; do\n"
        "    hanabi evolve --preset grow-long --set local_search_games=2000000 -p $players \\\n"
        "        --seed $seed --name long-p$players-s$seed\n"
        "done; done\n"
        "awk 'NR == 1 || FNR > 1' runs/*/finals.csv > $here/docs/data/grow-long.csv"
    ),
    "grow-mixed.csv": (
        "here=$PWD; cd $(mktemp -d)\n"
        "for seed in 1 2 3; do\n"
        "    hanabi evolve --preset grow --set mode=mixed --pool cig2018-paper -p 2-5 \\\n"
        "        --set local_search_games=2400000 --set trial_games=40000 \\\n"
        "        --seed $seed --name mixed-s$seed\n"
        "done\n"
        "awk 'NR == 1 || FNR > 1' runs/*/finals.csv > $here/docs/data/grow-mixed.csv"
    ),
    "front.csv": (
        "here=$PWD; cd $(mktemp -d); hanabi evolve --preset front\n"
        "cp runs/*/front.csv $here/docs/data/front.csv"
    ),
    "grow-book.csv": (
        "here=$PWD; cd $(mktemp -d); grow='hanabi evolve --preset grow-book'\n"
        "for seed in 1 2 3; do\n"
        "    $grow -p 3 --seed $seed --name p3-s$seed\n"
        "    $grow -p 5 --seed $seed --name p5-s$seed --set start=book:pairs\n"
        "done\n"
        "awk 'NR == 1 || FNR > 1' runs/*/finals.csv > $here/docs/data/grow-book.csv\n"
        "for run in runs/*; do\n"
        "    echo \"== ${run#runs/}\"; sed -n '/^.rules/,/^]/p' $run/best.toml\n"
        "done > $here/docs/data/grow-book.txt"
    ),
    "grow-by-hand.csv": (
        "for of in 'convention 3 convention' 'pairs 5 docs/data/pairs-ungrown.toml'; do\n"
        "    set -- $of\n"
        "    hanabi tournament $3 docs/data/$1-grown.toml -p $2 --games 20000 -o /tmp/$1.csv\n"
        "done; awk 'NR == 1 || FNR > 1' /tmp/convention.csv /tmp/pairs.csv"
        " > docs/data/grow-by-hand.csv"
    ),
    "error-rates.csv": "python tests/support/error_rates.py",
    "first-steps.json": "python tests/bench first-steps --json > docs/data/first-steps.json",
    "level.csv": (
        'for level in 0 1 2; do sed "s/LEVEL/$level/" docs/data/level.toml'
        " > /tmp/level-$level.toml; done\nhanabi tournament /tmp/level-0.toml /tmp/level-1.toml"
        " /tmp/level-2.toml \\\n    --games 4000 --seed 20261121 -o docs/data/level.csv"
    ),
    "lab.csv": "hanabi analyse --only parts convention --games 5000 -o docs/data/lab.csv",
    "losses.csv": "hanabi analyse convention --losses --games 4000 -o docs/data/losses.csv",
    "reference.json": "hanabi experiment reference --table --json > docs/data/reference.json",
    "search.json": "hanabi experiment search --seeds 8 --json > docs/data/search.json",
    "memetic.json": "hanabi experiment memetic --seeds 20 --json > docs/data/memetic.json",
    "memetic-one.json": (
        "hanabi experiment memetic --seeds 20 --only one --json > docs/data/memetic-one.json"
    ),
    "memetic-long.json": (
        "hanabi experiment memetic-long --seeds 20 --json > docs/data/memetic-long.json"
    ),
    "memetic-3m.json": "hanabi experiment memetic-3m --seeds 8 --json > docs/data/memetic-3m.json",
    "scaling.json": "hanabi experiment scaling --seeds 8 --json > docs/data/scaling.json",
    "recombination.csv": (
        "hanabi experiment recombination --seeds 20 -o docs/data/recombination.csv"
    ),
    "ablation.csv": "hanabi experiment ablation --seeds 20 -o docs/data/ablation.csv",
    "strangers.json": ("hanabi experiment strangers --seeds 8 --json > docs/data/strangers.json"),
    "library-copies.csv": (
        f"hanabi tournament {LIBRARY} \\\n    --players 3 --games 2000 --searched-games 50"
        " --seed 20261128 \\\n    -o docs/data/library-copies.csv"
    ),
    "library-strangers.csv": (
        f"hanabi tournament {LIBRARY} \\\n    --mode mixed --pool docs/data/book-partners.toml"
        " --players 3 --games 1000 --searched-games 40 \\\n    --seed 20261128"
        " -o docs/data/library-strangers.csv"
    ),
    "people-books.csv": people_books.COMMAND,
    "cig2018.json": "hanabi experiment cig2018 --json > docs/data/cig2018.json",
    "controller.json": "hanabi experiment controller --json > docs/data/controller.json",
    "osawa.json": "hanabi experiment osawa --games 6000 --json > docs/data/osawa.json",
    "irvall.json": "hanabi experiment irvall --json > docs/data/irvall.json",
    "mas.json": "hanabi experiment mas --json > docs/data/mas.json",
    "zhao.json": "hanabi experiment zhao --games 1000 --json > docs/data/zhao.json",
    "training.csv": (
        "python examples/train_best_response.py piers piers.onnx --steps 2500000\n"
        "python examples/train_best_response.py map-2p:train pool.onnx --steps 3500000"
    ),
    "training-test.csv": (
        "hanabi tournament policy:pool.onnx policy:piers.onnx map-2p/10-14 piers --mode mixed \\\n"
        "    --pool map-2p:test --players 2 --games 2000 --seed 5 -o docs/data/training-test.csv"
    ),
    "environment.json": "hanabi bench environment --json > docs/data/environment.json",
    "pools.json": pool_results.COMMANDS,
    "adaptation.json": adaptation_results.COMMANDS,
    "books.json": book_results.COMMAND,
    "against.json": (
        "git worktree add --detach /tmp/943cb82 943cb82\n"
        "python tests/bench convention-mirror piers-mirror random-order epistemic-mirror \\\n"
        "    outer-mirror mixed-table search-mirror compile-cold evolve-climb \\\n"
        "    --against /tmp/943cb82 --json > docs/data/against.json\n"
        "git worktree remove /tmp/943cb82"
    ),
    "bench.json": (
        f"python tests/bench {' '.join(tuple(SPEEDS)[:8])} \\\n    {' '.join(tuple(SPEEDS)[8:])}"
        " --json > docs/data/bench.json"
    ),
    "pages.json": (
        "python tests/bench convention-mirror pages static-page --json > docs/data/pages.json"
    ),
    "pages-hour.json": "python tests/bench pages-hour --json > docs/data/pages-hour.json",
    "review.json": (
        "python tests/bench review-ranking review-search review-blunders review-speed \\\n"
        "    --json > docs/data/review.json"
    ),
}


def commands(*names: str) -> str:
    """Return the commands that make some files of data, as a block."""
    return "\n".join(["```sh", *(COMMANDS[name] for name in names), "```"])


def read_json(file: Path) -> Any:
    """Return the content of a JSON file."""
    return json.loads(file.read_text(encoding="utf-8"))


def page(name: str, folder: Path) -> str:
    """Return the text of a page of docs/results from the data in a folder.

    Args:
        name: A key of PAGES.
        folder: The folder of the data.

    Raises:
        ValueError: If a file of data is missing.
    """
    title, headings = PAGES[name]
    found = sections(folder)
    return "\n".join([WIDE, f"# {title}\n", LAWS, *(found[heading] for heading in headings)])


def sections(folder: Path) -> dict[str, str]:
    """Return the sections of results_page.txt by heading, with the data in a folder.

    Raises:
        ValueError: If a file of data is missing.
    """
    parts = re.split(r"^(?=## )", _filled(folder), flags=re.M)
    return {part.partition("\n")[0].removeprefix("## "): part for part in parts if part}


@cache
def _filled(folder):
    """Return results_page.txt with the data in a folder."""
    missing = [name for name in (*COMMANDS, "others.toml") if not (folder / name).exists()]
    if missing:
        raise ValueError(
            f"there is no {folder / missing[0]}: run this in the project's folder, and --measure"
            " makes the data"
        )
    others = tomllib.loads((folder / "others.toml").read_text(encoding="utf-8"))
    against = read_json(folder / "against.json")
    tournament = pd.read_csv(folder / "tournament.csv")
    codes = pd.read_csv(folder / "codes.csv")
    cross = pd.read_csv(folder / "cross.csv")
    level = pd.read_csv(folder / "level.csv")
    losses = pd.read_csv(folder / "losses.csv")
    lab = pd.read_csv(folder / "lab.csv", dtype={"players": str})
    memetic = read_json(folder / "memetic.json")
    scaling = read_json(folder / "scaling.json")
    return TEMPLATE.read_text(encoding="utf-8").format(
        where=others["machine"],
        tournament=scores(tournament),
        tournament_games=tournament["games"].iloc[0],
        tournament_command=commands("tournament.csv"),
        codes=scores(codes),
        codes_command=commands("codes.csv"),
        hgroup=scores(pd.read_csv(folder / "hgroup.csv")),
        hgroup_command=commands("hgroup.csv", "hgroup-lab.csv", "hgroup-5-lab.csv"),
        pairs=scores(pd.read_csv(folder / "pairs.csv")),
        pairs_command=commands("pairs.csv", "pairs-lab.csv"),
        meanings=scores(pd.read_csv(folder / "meanings.csv")),
        meanings_command=commands("meanings.csv"),
        steered=scores(pd.read_csv(folder / "sieve-further.csv")),
        steered_command=commands("sieve-further.csv", "sieve-losses.csv"),
        discarded=discarded(pd.read_csv(folder / "sieve-losses.csv")),
        finish=gains(folder, "finish"),
        finish_command=commands("finish-kept.csv", "finish-zero.csv"),
        codes_two=_lead_with_two(tournament, codes),
        best=best_of_class.table(folder),
        field=literature_tables.table(folder),
        laws=literature.LAW_SENTENCE,
        cross=company(cross),
        cross_games=cross["games"].max(),
        cross_searched=cross["games"].min(),
        cross_errors=errors_text(cross, least=LEAST),
        cross_command=commands("cross.csv"),
        pools=pool_results.pools(folder),
        pools_command=commands("pools.json"),
        ceilings=pool_results.ceiling_sentence(folder),
        independent=pool_results.independent_evolutions(folder),
        independent_games=pool_results.games_of("evolved-best", folder),
        strangers=strangers_table.strangers(folder),
        strangers_shared=strangers_table.shared(folder),
        strangers_games=strangers_table.games(folder),
        strangers_gain=preset("ordered").genome.convention_gain,
        strangers_command=commands("strangers.json"),
        library_command=commands("library-copies.csv", "library-strangers.csv"),
        library_says=copies_and_strangers.sentences(folder),
        people_moves=book_results.MOVES,
        people_command=commands("people-books.csv"),
        people_books=people_books.table(folder),
        people_says=people_books.sentence(folder),
        adaptation=adaptation_results.adaptation(folder),
        adaptation_command=commands("adaptation.json"),
        level=scores(level),
        level_games=level["games"].iloc[0],
        level_command=commands("level.csv"),
        losses="\n".join(one.markdown() for one in render({"losses": losses})).rstrip(),
        losses_command=commands("losses.csv"),
        search=searched(read_json(folder / "search.json")),
        search_command=commands("search.json"),
        memetic=searched(memetic),
        memetic_arms=len({row["run"] for row in memetic if row["row"] == "ours"}),
        memetic_seeds=int(memetic[0]["seeds"]),
        memetic_command=commands("memetic.json"),
        one_again=seeds_again(read_json(folder / "memetic-one.json")[0]),
        one_again_command=commands("memetic-one.json"),
        memetic_long=searched(read_json(folder / "memetic-long.json")),
        memetic_3m=searched(read_json(folder / "memetic-3m.json")),
        memetic_long_command=commands("memetic-long.json", "memetic-3m.json"),
        recombination=recombination.table(folder),
        recombination_says=recombination.sentences(folder),
        recombination_seeds=recombination.seeds(folder),
        recombination_games=recombination.games(),
        recombination_command=commands("recombination.csv"),
        choices=recombination.choices(folder),
        choices_seeds=recombination.seeds(folder, recombination.CHOICES),
        choices_command=commands("ablation.csv"),
        scaling=searched(scaling),
        scaling_seeds=int(scaling[0]["seeds"]),
        scaling_command=commands("scaling.json"),
        reference=reached(read_json(folder / "reference.json")),
        reference_command=commands("reference.json"),
        lab=worths(lab),
        lab_games=lab["games"].iloc[0],
        lab_command=commands("lab.csv"),
        bench=speeds(read_json(folder / "bench.json")["results"], others["speed"]),
        bench_command=commands("bench.json"),
        pages=page_costs(read_json(folder / "pages.json")["results"]),
        pages_command=commands("pages.json"),
        pages_hour=memory_of_hour(read_json(folder / "pages-hour.json")["results"]),
        pages_hour_command=commands("pages-hour.json"),
        against=faster(against["results"]),
        against_means=speedup_sentence(against["results"]),
        against_command=commands("against.json"),
    )


def _lead_with_two(tournament: pd.DataFrame, codes: pd.DataFrame) -> float:
    """Return by how much `convention` is ahead of the best agent with a code at two players."""
    lead, best = (
        rows[rows["players"] == 2].groupby("agent")["mean_kept"].first()
        for rows in (tournament, codes)
    )
    return float(lead["convention"] - best.max())


def measure() -> None:
    """Make all data with the public commands; stops at the first that fails."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    for name, text in COMMANDS.items():
        print(f"docs/data/{name} …", file=sys.stderr)
        subprocess.run(["bash", "-euc", text], check=True, env=os.environ | {"PATH": path})


def main(
    measured: Annotated[
        bool,
        typer.Option(
            "--measure", help="First make docs/data by the commands that the page prints."
        ),
    ] = False,
) -> None:
    """Write README's chart."""
    try:
        if not DATA.is_dir():
            raise ValueError(f"there is no {DATA}: run this in the project's folder")
        if measured:
            measure()
        write_whole(literature_chart.PICTURE, literature_chart.picture(DATA))
    except (OSError, ValueError, subprocess.CalledProcessError) as error:
        sys.exit(f"results: {error}")


if __name__ == "__main__":
    typer.run(main)
