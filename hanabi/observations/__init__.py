"""What a seat sees as a row of numbers, as the Hanabi Learning Environment and JaxMARL lay it out.

Modules: layout (where each part is), past (what the moves so far told), encoding, decoding.
"""

from typing import TYPE_CHECKING

__all__ = [
    "LAYOUTS",
    "Part",
    "decode",
    "encode",
    "meaning_of",
    "observation_size",
    "parts_of",
]

if TYPE_CHECKING:
    from hanabi.observations.decoding import decode, meaning_of
    from hanabi.observations.encoding import LAYOUTS, Part, encode, observation_size, parts_of
else:
    from hanabi.lazy_exports import exports

    __getattr__, __dir__ = exports(__name__, __file__)
