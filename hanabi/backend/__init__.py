"""From Python to machine code: compiled, kept on disk and called by address.

Modules, each importing only those before it:

1. bits, memory_layout, code_cache, deferred_sigint
2. intrinsics: machine instructions that numba does not name
3. uncompiled, numba_private: two forms of the same; the last alone uses numba's private parts
4. compilation, which chooses one of the two

What other packages use is exported here.
"""

from hanabi.backend.bits import (
    ASKS_REST,
    BITS_AT_ONCE,
    FAULT,
    ROW,
    VALUES,
    Code,
    copy_prefix,
    copy_record,
    differs,
    exceeds,
    fetch_ahead,
    lowest,
    meets,
    popcount,
    singles,
    write_bits,
)
from hanabi.backend.code_cache import announce
from hanabi.backend.compilation import (
    CACHE,
    COLD,
    PLAIN,
    address,
    addresses,
    call_address,
    compiled,
    first_here,
    inlined,
    load_together,
)
from hanabi.backend.deferred_sigint import defer_sigint

__all__ = [
    "ASKS_REST",
    "BITS_AT_ONCE",
    "CACHE",
    "COLD",
    "FAULT",
    "PLAIN",
    "Code",
    "ROW",
    "VALUES",
    "address",
    "addresses",
    "announce",
    "call_address",
    "compiled",
    "copy_prefix",
    "copy_record",
    "differs",
    "exceeds",
    "fetch_ahead",
    "first_here",
    "inlined",
    "load_together",
    "lowest",
    "meets",
    "popcount",
    "singles",
    "write_bits",
    "defer_sigint",
]
