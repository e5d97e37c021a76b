"""File formats of games, one module each. A new format is one new file.

``hanabi.game_reader`` finds the modules of this folder. Each has

- ``NAME``: the name of the format in error messages;
- ``ENDINGS``: the file name endings for which a folder is searched;
- ``matches(source)``: whether the content of a ``hanabi.game_source.Source`` is of this format;
  it is fast and raises nothing;
- ``read(source)``: the games of the source by number (None for the only game). Each is a function
  that takes the name for error messages and returns a ``Game`` or ``Position``. Both raise
  ValueError, in one line, for content that they cannot read.
"""
