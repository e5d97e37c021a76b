"""Random texts and data, damaged ones too, and what a refusal has to be."""

import copy

from hypothesis import HealthCheck, settings, strategies as st
from sizes import tries

FUZZ = settings(
    max_examples=tries(200),
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
)
SLOW_FUZZ = settings(FUZZ, max_examples=tries(400))
LETTERS = st.sampled_from(
    list("RBGYWP12345067890 -=,#?\"'[]{}()\n\r\0\x7f.\\ \u2028é🂡")
    + [
        "players",
        "colours",
        "hand",
        "copies",
        "standard",
        "mini",
        "two-colour",
        "play ",
        "discard ",
        "tell Bob ",
        "true",
        "false",
        "nan",
        "inf",
        "1e999",
        "9" * 30,
        "0x1F",
        "toml",
        ".toml",
        "touched",
        "--",
        "??",
        "/",
        "~",
        "forfeit",
    ]
)
TEXT = st.one_of(st.text(max_size=30), st.lists(LETTERS, max_size=12).map("".join))


def refuses_well(read, text):
    """Read a text; a refusal must be a ValueError of one printable line. Returns what was read, or
    None.
    """
    try:
        return read(text)
    except ValueError as error:
        message = str(error)
        assert message and len(message.splitlines()) == 1, message
        assert len(message) < 2000 + len(str(text))
        message.encode()  # can be printed
    return None


VALUES = st.one_of(
    st.integers(-3, 300),
    st.integers(),
    st.booleans(),
    st.floats(),
    TEXT,
    st.dates(),
    st.just([]),
    st.just({}),
    st.lists(st.one_of(st.integers(0, 9), TEXT), max_size=3),
    st.sampled_from(
        [
            "Ann",
            "Eve",
            "R1",
            "R1 R1",
            "??",
            "R5 #1",
            "play 0",
            "play 0: R1",
            "tell Bob R: 0",
            "forfeit",
            "nothing",
            "mini",
            "two-colour",
            "hand=1",
            "R",
            "12",
            "#3",
            "touched",
        ]
    ),
)


@st.composite
def damaged(draw, text):
    """A text with a few lines or signs dropped, doubled, swapped or made something else."""
    for _ in range(draw(st.integers(1, 4))):
        by = draw(st.sampled_from(["\n", " ", '"', "", "="]))
        parts = text.split(by) if by else list(text) or [""]
        place, other = (draw(st.integers(0, len(parts) - 1)) for _ in range(2))
        kind = draw(st.integers(0, 3))
        if kind == 0:
            parts[place] = draw(TEXT)
        elif kind == 1 and len(parts) > 1:
            del parts[place]
        elif kind == 2:
            parts.insert(place, parts[other])
        else:
            parts[place], parts[other] = parts[other], parts[place]
        text = by.join(parts)
    return text


@st.composite
def changed(draw, data):
    """Data as TOML or JSON gives them, with a few values changed, dropped, or added."""
    data = copy.deepcopy(data)
    for _ in range(draw(st.integers(1, 3))):
        inside = data
        while isinstance(inside, dict | list) and inside:
            key = draw(
                st.sampled_from(list(inside) if isinstance(inside, dict) else range(len(inside)))
            )
            if isinstance(inside[key], dict | list) and inside[key] and draw(st.integers(0, 2)):
                inside = inside[key]
                continue
            if draw(st.integers(0, 4)) == 0:
                del inside[key]
            else:
                inside[key] = draw(st.one_of(VALUES, TEXT))
            break
        if isinstance(data, dict) and draw(st.integers(0, 9)) == 0:
            data[draw(TEXT)] = draw(VALUES)
    return data
