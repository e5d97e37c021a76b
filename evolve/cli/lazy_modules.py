"""The modules that commands use; each is imported at its first use, so that help appears at once.

A command writes ``lazy.one_game.play_game(...)`` after
``from hanabi.evolve.cli import lazy_modules as lazy``.
"""
# ruff: noqa: F401

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas
    from rich import (
        box,
        cells,
        console as rich_console,
        live,
        markdown,
        markup,
        progress as rich_progress,
        table as rich_table,
        text,
    )

    from hanabi import (
        agent_kind,
        backend,
        card_notes,
        conditions,
        drawings,
        files,
        game,
        game_reader,
        game_record,
        moves,
        notation,
        player,
        rulebook,
        rules,
        table,
        variant,
    )
    from hanabi.conventions import register
    from hanabi.evolve import doctor, file_templates
    from hanabi.evolve.analysis import rendering, run_analysis
    from hanabi.evolve.bridges import external_bot
    from hanabi.evolve.ga import config, progress, result, run, run_folder
    from hanabi.evolve.measure import (
        ablation,
        arena,
        attribution,
        behaviour,
        comparison,
        cross_play,
        human_games,
        imitation,
        move_table,
        one_game,
        tournament,
        user_rule_check,
        workers,
    )
    from hanabi.evolve.pools import partner_menu, pool_making, pool_report
    from hanabi.formats import hanab_live
    from hanabi.lookahead import move_values, search_explanation
    from hanabi.observations import decoding
    from hanabi.rules import agents, user_rules
    from hanabi.rules.agents import named, pool_file
    from hanabi.text import explanation, move_facts, question_reference, transcript
else:
    from hanabi.lazy_exports import exports

    __getattr__, __dir__ = exports(__name__, __file__, modules=True)
