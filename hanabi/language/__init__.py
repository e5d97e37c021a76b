"""A language of rules that can grow: typed primitives, expressions of them, and their machine.

Modules, each importing only those before it:

1. register: ``@primitive``, below which a function becomes a word of the language
2. primitives, moves: the words
3. interpreter: plays any expression in machine code, without compiling it
4. expressions: text, machine form and sentence of an expression

The family ``grown`` of rules, whose entries are expressions, is in rules/agents/grown.py.
"""
