"""Pages and pictures that the code and the data make are in docs/ as they make them."""

import subprocess
import sys

from documents import FILES
from paths import ROOT

from docs.generate import paper_pages, site_pages


def test_every_page_has_what_the_code_and_the_data_make():
    """In a process of its own: other tests register rules, which the reference would list."""
    command = [sys.executable, "-m", "docs.generate", "--check"]
    found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert not found.stdout, f"run `make docs` and commit docs/:\n{found.stdout}"


def test_every_generated_page_and_picture_is_written():
    assert {f"docs/{path}" for path in site_pages.PAGES} <= {*FILES}
    assert all((ROOT / "docs" / path).exists() for path in paper_pages.PICTURES)
