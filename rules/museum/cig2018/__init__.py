"""The rules of Canaan et al. 2018, quirks included; their order gives them their numbers."""

from hanabi.rules.museum.cig2018 import play_rules, discard_rules, mistake, tell_rules  # noqa: F401, I001  registration order
