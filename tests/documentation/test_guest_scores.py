"""Scores as guests: the file that is shipped is made of the committed cross tournament."""

import pandas as pd
from paths import ROOT

from docs.generate import guest_scores
from hanabi.rules.agents import read_guests


def test_the_file_is_made_of_the_data():
    made = guest_scores.text(pd.read_csv(ROOT / "docs" / "data" / "cross.csv"))
    assert guest_scores.FILE.read_text(encoding="utf-8") == made


def test_an_agent_is_no_guest_of_itself():
    guests = read_guests()
    assert "piers" in guests and all(name not in row["among"] for name, row in guests.items())
    assert guests["convention"]["guest"][0] < guests["piers"]["guest"][0]
