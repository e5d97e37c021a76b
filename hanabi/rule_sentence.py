"""The sentence of a rule: its docstring with the values of the rule filled in."""

import string


class _Sentence(string.Formatter):
    """Fill values into a docstring.

    - ``{chance:.0%}``: as in Python.
    - ``{newest:any card|my newest card}``: the words for 0, 1, ….
    - ``{lives:#life|lives}``: the number with its noun, "1 life" or "2 lives".
    """

    def format_field(self, value, spec):
        if spec.startswith("#"):
            one, more = spec[1:].split("|")
            return f"{value} {one if value == 1 else more}"
        return spec.split("|")[int(value)] if "|" in spec else format(value, spec)


SENTENCE = _Sentence()
