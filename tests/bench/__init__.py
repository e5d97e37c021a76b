"""Measurements of the project that only its checkout can make: ``python tests/bench NAME…``."""

import pkgutil
from importlib import import_module


def load():
    """Import the modules of this folder, which register its benchmarks."""
    for module in pkgutil.iter_modules(__path__):
        if not module.name.startswith(("_", "test_")):
            import_module(f"{__name__}.{module.name}")
