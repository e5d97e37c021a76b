"""`make test` retries what failed, and reports what passes only then."""

import pytest
import retry_failures


@pytest.mark.parametrize(
    "codes, failed, said, code",
    [
        ([0], [], "", 0),
        ([1], [[]], "", 1),
        ([3], [], "", 3),  # all is well; a plugin failed; a worker fell
        ([1, 0], [["a", "b"], []], "flaky: passed only the second time: a, b", 0),
        ([1, 1], [["a", "b"], ["b"]], "flaky: passed only the second time: a\n", 1),
        (
            [1, 0],
            [["a", "b"], ["b"]],
            "flaky: passed only the second time: a\n",
            1,
        ),  # b was not found again
        ([1, 5], [["a"], ["a"]], "Once more, alone: a\n", 5),
    ],
)
def test_what_failed_runs_once_more(codes, failed, said, code, monkeypatch, capsys):
    calls, books = [], iter(failed)
    monkeypatch.setattr(
        retry_failures.subprocess,
        "call",
        lambda words: calls.append(words) or codes[len(calls) - 1],
    )
    monkeypatch.setattr(retry_failures, "failed", lambda: next(books))
    assert retry_failures.main(["pytest", "-n", "auto"]) == code and len(calls) == len(codes)
    assert said in capsys.readouterr().out
    assert calls[0][-1] == "--cache-clear" and "--last-failed" in calls[-1] or len(calls) == 1
