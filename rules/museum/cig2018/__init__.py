"""The rules of Canaan et al. 2018, quirks included; their order gives them their numbers."""

from hanabi.rules.museum.cig2018 import play, discard, mistake, tell  # noqa: F401, I001  registration order
