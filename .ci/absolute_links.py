"""Print README.md with absolute links, for a package index: relative ones lead nowhere there.

``python .ci/absolute_links.py https://github.com/OWNER/NAME [COMMIT]``; a release writes the output
over README.md before it builds (``${{ github.server_url }}/${{ github.repository }}`` is the
address of the repository in a workflow).
"""

import re
import sys
from pathlib import Path

PICTURE = re.compile(r"(!\[[^]]*\]\()(?!https?:)([^)\s]+)")
LINK = re.compile(r"(\]\()(?!https?:|mailto:|#)([^)\s]+)")


def absolute(text: str, repository: str, commit: str = "main") -> str:
    """Return a page whose relative links and pictures are those of a repository.

    Args:
        text: The page.
        repository: Address of the repository.
        commit: Commit, tag or branch.
    """
    repository = repository.rstrip("/")
    text = PICTURE.sub(rf"\1{repository}/raw/{commit}/\2", text)
    return LINK.sub(rf"\1{repository}/blob/{commit}/\2", text)


if __name__ == "__main__":
    sys.stdout.write(absolute(Path("README.md").read_text(encoding="utf-8"), *sys.argv[1:]))
