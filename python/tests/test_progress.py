"""Who sees a progress line, and when."""

import io
import sys

import pytest

from treecca import _progress


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def without_tqdm(monkeypatch):
    monkeypatch.setattr(_progress, "_tqdm", lambda: None)


def shown(monkeypatch, verbose, *, terminal, seconds):
    """What 3 rounds print that take this long together."""
    stream = Terminal() if terminal else io.StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    now = iter([0.0, *(value for step in (1, 2, 3) for value in [step * seconds / 3] * 2)])
    monkeypatch.setattr(_progress.time, "monotonic", lambda: next(now))
    with _progress.progress("round", verbose) as bar:
        for done in (1, 2, 3):
            if bar is not None:
                bar(done, 3, 0.5)
    return stream.getvalue()


def test_progress_is_shown_to_somebody_who_waits(without_tqdm, monkeypatch):
    monkeypatch.delitem(sys.modules, "ipykernel", raising=False)
    assert "round 3/3" in shown(monkeypatch, None, terminal=True, seconds=9)
    assert shown(monkeypatch, None, terminal=True, seconds=1) == ""
    assert shown(monkeypatch, None, terminal=False, seconds=9) == ""
    assert shown(monkeypatch, 0, terminal=True, seconds=9) == ""
    assert "round 1/3" in shown(monkeypatch, 1, terminal=False, seconds=1)


def test_workers_show_nothing(without_tqdm, monkeypatch):
    monkeypatch.setattr(_progress.multiprocessing, "parent_process", object)
    assert shown(monkeypatch, None, terminal=True, seconds=9) == ""


def test_notebooks_show_progress(without_tqdm, monkeypatch):
    monkeypatch.setitem(sys.modules, "ipykernel", object())
    assert "round 3/3" in shown(monkeypatch, None, terminal=False, seconds=9)
