"""Prepare a checkout for a release: what a package index shows needs whole addresses.

    python .ci/release_text.py https://github.com/OWNER/NAME v0.1.0

Makes the links and pictures of README.md absolute, and adds the project's addresses to
pyproject.toml. The workflow runs it: only the publishing repository knows its address.
Nothing of it is committed.
"""

import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LINK = re.compile(r"(\]\(|<img src=\")(?!https?:|mailto:|#)(?:\./)?([^)\s\"]+)")
PICTURES = ".svg", ".png", ".webp", ".gif"


def absolute(text: str, address: str, tag: str) -> str:
    """Return Markdown with links into the repository at a tag in place of relative ones."""

    def whole(found: re.Match) -> str:
        kind = "raw" if found[2].lower().endswith(PICTURES) else "blob"
        return f"{found[1]}{address}/{kind}/{tag}/{found[2]}"

    return LINK.sub(whole, text)


def with_urls(text: str, address: str) -> str:
    """Return pyproject.toml with the addresses of the project."""
    urls = {
        "Homepage": address,
        "Documentation": f"{address}/tree/main/docs",
        "Source": address,
        "Issues": f"{address}/issues",
        "Changelog": f"{address}/blob/main/CHANGELOG.md",
    }
    lines = "".join(f'{name} = "{url}"\n' for name, url in urls.items())
    return text.replace("[project.scripts]\n", f"[project.urls]\n{lines}\n[project.scripts]\n", 1)


def main(address: str, tag: str) -> None:
    """Change README.md and pyproject.toml; the tag has to be that of the version."""
    version = re.search(r'__version__ = "(.+)"', (ROOT / "hanabi/__init__.py").read_text("utf-8"))
    if version is None or tag != f"v{version[1]}":
        sys.exit(
            f"the tag {tag} is not v{version and version[1]}, the version of hanabi/__init__.py"
        )
    for name, change in (
        ("README.md", lambda text: absolute(text, address, tag)),
        ("pyproject.toml", lambda text: with_urls(text, address)),
    ):
        path = ROOT / name
        path.write_text(change(path.read_text("utf-8")), encoding="utf-8")
    tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))


if __name__ == "__main__":
    main(*sys.argv[1:])
