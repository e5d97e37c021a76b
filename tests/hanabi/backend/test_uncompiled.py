"""HANABI_PLAIN=1: what is called by address is a Python function, with the faults of machine code."""

import os
import subprocess
import sys

CODE = """
from hanabi.backend import FAULT, Code, call_address, compilation
from hanabi.state import VIEW
import numpy as np, sys

def first(view, value):
    return view.me + int(value)

def broken(view):
    return 1 // 0

view = np.zeros(1, VIEW)[0]
view.me = 3
(one, _), (other, _) = compilation.addresses([Code(VIEW, 2, first), Code(VIEW, 2, broken)])
assert 0 not in (one, other)
print(call_address(one, view, 4.0, 9.0), call_address(other, view, 4.0, 9.0) == FAULT)
print("numba" in sys.modules)
"""


def test_functions_are_called_by_address_without_numba():
    """A function takes the first of the values; one that raises gives FAULT."""
    done = subprocess.run(
        [sys.executable, "-c", CODE],
        env=os.environ | {"HANABI_PLAIN": "1"},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.stdout.split() == ["7", "True", "False"], done.stderr
