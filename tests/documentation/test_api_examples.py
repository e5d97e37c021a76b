"""Every name of the Python API has an example on its page, and the examples run."""

import doctest

import pytest
from typed import own_rules

from docs.generate import api_pages


@pytest.mark.parametrize("package", api_pages.GROUPS)
def test_each_name_has_an_example_that_uses_it(package):
    names = " ".join(api_pages.GROUPS[package].values()).split()
    shown = api_pages.examples(package)
    assert sorted(shown) == sorted(names)
    page = api_pages.page(package)
    for name, example in shown.items():
        assert example.startswith(">>> ") and f"```pycon\n{example}\n```" in page, name


@pytest.mark.parametrize("package", api_pages.GROUPS)
def test_the_examples_run(package, tmp_path, monkeypatch):
    """In the order of the file, in one empty folder."""
    monkeypatch.chdir(tmp_path)
    names = {"__name__": "examples"}
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    problems = []
    with own_rules():
        for name, example in api_pages.examples(package).items():
            test = doctest.DocTestParser().get_doctest(f"{example}\n", names, name, None, 0)
            runner.run(test, out=problems.append, clear_globs=False)
            names = test.globs
    assert runner.tries and not problems, "".join(problems)
