"""Result files."""

import json

from benchmarks.records import write_records


def test_one_record_per_line(tmp_path):
    records = [{"data": "a", "curve": [0.1, 1 / 3]}, {"data": "b", "curve": []}]
    write_records(tmp_path / "x.json", iter(records))
    text = (tmp_path / "x.json").read_text()
    assert json.loads(text) == records
    assert len(text.splitlines()) == 4
