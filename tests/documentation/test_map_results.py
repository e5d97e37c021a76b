"""The data file of the maps of ways to play."""

import json

from docs.generate import map_results


def test_a_run_takes_the_place_of_the_one_with_its_label(tmp_path, monkeypatch):
    monkeypatch.setattr(map_results, "map_result", lambda run: {"run": run.name})
    file = tmp_path / "maps.json"
    map_results.write_results({"two": tmp_path / "a", "three": tmp_path / "b"}, file)
    map_results.write_results({"two": tmp_path / "c", "four": tmp_path / "d"}, file)
    found = json.loads(file.read_text())
    assert [(one["label"], one["run"]) for one in found] == [
        ("two", "c"),
        ("three", "b"),
        ("four", "d"),
    ]
