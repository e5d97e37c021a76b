"""The library of rules, one file per kind of move."""
