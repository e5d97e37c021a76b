"""From Python to machine code: how it is compiled (compile.py), kept (store.py) and called by address.

Rooms, from the ground: bits, store and unbroken; native (two instructions); then plain, public and cache, three forms of the same
(cache alone touches numba's private parts), and compile, which chooses one. What the rest of the house uses stands here.
"""

from hanabi.machine.bits import (
    FAULT,
    ROW,
    VALUES,
    copy_record,
    exceeds,
    lowest,
    meets,
    popcount,
    singles,
)
from hanabi.machine.compile import CACHE, COLD, PLAIN, address, call, compiled, first_here, inlined
from hanabi.machine.store import announce
from hanabi.machine.unbroken import unbroken

__all__ = [
    "CACHE",
    "COLD",
    "FAULT",
    "PLAIN",
    "ROW",
    "VALUES",
    "address",
    "announce",
    "call",
    "compiled",
    "copy_record",
    "exceeds",
    "first_here",
    "inlined",
    "lowest",
    "meets",
    "popcount",
    "singles",
    "unbroken",
]
