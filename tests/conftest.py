"""What holds for every test."""
import pytest
from typed import own_rules


@pytest.fixture
def untried(monkeypatch):
    """Rules of the test's own play without a trial, as if they had passed: their faults show later."""
    monkeypatch.setattr("hanabi.trial.GAMES", 0)


@pytest.fixture(autouse=True)
def forget_own_rules():
    """A rule that one test defines is unknown to the next, whatever their order and however many share a process."""
    with own_rules():
        yield
