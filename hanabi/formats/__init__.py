"""File formats of games, one module each; ``hanabi.game_reader`` finds them here, so a new format is one new file.

A format is a module with

* ``CALLED``: its name in error messages;
* ``ENDINGS``: the endings of its files, which a folder is searched for;
* ``matches(source)``: whether the content of a ``hanabi.game_source.Source`` is of this format; it is cheap and raises nothing;
* ``read(source)``: the games of the source by number (None: it holds one game), each a function that takes the name for
  error messages, and returns a ``Game`` or ``Position``. Both raise ValueError, one line, for what they cannot read.
"""
