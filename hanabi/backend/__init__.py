"""From Python to machine code: how it is compiled (compilation.py), kept (code_cache.py) and called by address.

Rooms, from the ground: bits, store and unbroken; native (two instructions); then plain, public and cache, three forms of the same
(cache alone touches numba's private parts), and compile, which chooses one. What the rest of the house uses stands here.
"""

from hanabi.backend.bits import (
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
from hanabi.backend.code_cache import announce
from hanabi.backend.compilation import (
    CACHE,
    COLD,
    PLAIN,
    address,
    call,
    compiled,
    first_here,
    inlined,
)
from hanabi.backend.deferred_sigint import unbroken

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
