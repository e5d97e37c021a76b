"""The driver with all machine code loaded that a tiny run needs: copies of a process that has
imported this have nothing to wait for. Of that run they know nothing.
"""

from tempfile import TemporaryDirectory

from driver import evolve
from tiny import tiny
from typed import own_rules

with own_rules(), TemporaryDirectory() as folder:
    evolve(tiny(generations=0), folder, jobs=1)
