"""The page of one game: self-contained, with every name escaped."""

import re

from typed import typed


def test_show_writes_a_page_of_a_game(tmp_path):
    typed(
        "show", "piers", "--players", 3, "--seed", 7, "-o", "g.toml", "--no-pager", folder=tmp_path
    )
    code, out, err = typed("show", "g.toml", "--html", "g.html", folder=tmp_path)
    assert code == 0, out + err
    page = (tmp_path / "g.html").read_text(encoding="utf-8")
    assert "<hanabi-board" in page and not re.search(r'(src|href)="https?://(?!hanab\.live)', page)
