"""What a run of the tests skipped, and why: its last line."""

from collections import Counter


def skipped(reports):
    """One line: how many tests were skipped for each reason, the commonest first. "" where none
    was.
    """
    reasons = Counter(str(report.longrepr[2]).removeprefix("Skipped: ") for report in reports)
    parts = [
        f"{count} ({reason})"
        for reason, count in sorted(reasons.items(), key=lambda item: (-item[1], item[0]))
    ]
    return f"Not tested here: {len(reports)} skipped: {'; '.join(parts)}" if parts else ""
