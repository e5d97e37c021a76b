"""What an evolution is: configs and presets. What users import; evolve/ga/config.py does it."""
from evolve.ga.config import Config, from_mapping, loads, override, preset, read

__all__ = ["Config", "from_mapping", "loads", "override", "preset", "read"]
