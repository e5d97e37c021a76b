"""The student report on multi-agent systems: its strategy and its full Kripke model."""

from hanabi.rules.museum.student_report import report_rules  # noqa: F401  registers its rules
