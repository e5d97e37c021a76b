"""The page of the rules of 2018 as expressions of grown rules, from docs/data/rules-2018.toml."""

from __future__ import annotations

from pathlib import Path

from docs.generate.markdown import table
from hanabi.files import read_toml
from hanabi.rules import SETS


def page(data: Path) -> str:
    """Return the page.

    Args:
        data: The folder of the data.
    """
    found = read_toml(data / "rules-2018.toml")
    numbers = {name.partition(".")[2]: number for number, name in enumerate(SETS["cig2018"])}
    rows = {
        part: [(numbers[name], f"`{name}`", one) for name, one in some.items()]
        for part, some in found.items()
    }
    equal = [(number, name, f"`{text}`") for number, name, text in rows["equal"]]
    nearly = [
        (number, name, f"`{one['grown']}`", one["differs"]) for number, name, one in rows["nearly"]
    ]
    words = (data / "words_2018.py").read_text(encoding="utf-8")
    return f"""# The rules of 2018 as grown rules

The 72 rules of [Canaan et al. 2018](cig2018-rules.md) in the
[words of grown rules](../reference/questions.md): {len(equal)} have an expression that gives the
same answer in every tested position, 2,000 for each rule (`make test-slow`), {len(nearly)} have one
that nearly does, and {len(rows["none"])} have none.

## The same move

{table(["no.", "rule", "expression"], equal)}

A rule that never applies (`hail_mary`) is an expression that names no card.

## Nearly the same

{table(["no.", "rule", "expression", "what the rule does otherwise"], nearly)}

## No expression

{table(["no.", "rule", "why"], rows["none"])}

## Words of a file

Some of the words are those of a file, `docs/data/words_2018.py`; `--rules docs/data/words_2018.py`
reads it. Evolution draws them only in runs that name the file.

```python
{words.strip()}
```
"""
