"""Write the generated pages, the generated parts of other pages, and their pictures."""

import os
import sys

os.environ.setdefault("HANABI_PLAIN", "1")  # the games of boards are few

from docs.generate import paper_pages  # noqa: E402
from docs.generate.site_pages import DATA, DOCS, written_pages  # noqa: E402
from hanabi.files import write_whole  # noqa: E402


def main() -> None:
    """Write what differs from the files, and name it; with ``--check``, only name it."""
    made: dict[str, str | bytes] = dict(written_pages())
    made |= {path: draw(DATA) for path, draw in paper_pages.PICTURES.items()}
    for path, text in made.items():
        file, content = DOCS / path, text.encode() if isinstance(text, str) else text
        if not file.exists() or file.read_bytes() != content:
            if "--check" not in sys.argv:
                file.parent.mkdir(parents=True, exist_ok=True)
                write_whole(file, content)
            print(f"docs/{path}")


if __name__ == "__main__":
    main()
