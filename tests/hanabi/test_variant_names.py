"""Which names agents, players, runs and files may have."""

import pytest

from hanabi.variant import check_name


@pytest.mark.parametrize("name", ["a", "piers, the second", "n" * 80, "été ±", "a/b", ".x", "-x"])
def test_a_name_is_a_line_of_plain_text(name):
    assert check_name(name, "here") == name


@pytest.mark.parametrize(
    "name", ["", "n" * 81, "a\tb", "a\nb", " a", "a ", "\x1b[2J", "\ud800", 3, None]
)
def test_other_names_are_refused_in_one_line(name):
    with pytest.raises(ValueError, match="^here: the name .* should be one line of plain") as error:
        check_name(name, "here")
    assert str(error.value).isprintable()


@pytest.mark.parametrize("name", ["a/b", "a\\b", ".x", "-x", "n" * 61, "\U0001f600" * 51])
def test_a_file_has_a_plain_short_name(name):
    with pytest.raises(ValueError, match="^here: the name .* a plain word of up to 60 letters$"):
        check_name(name, "here", is_file=True)


@pytest.mark.parametrize("name", ["n" * 60, "a b", "\U0001f600" * 50, "v1.2"])
def test_what_a_file_may_be_called(name):
    assert check_name(name, "here", is_file=True) == name
