"""Fixtures of the benchmarks' tests. Tests of published data need the files, in the folder named by TREECCA_DATA."""

import os

import pytest


@pytest.fixture
def data_folder(tmp_path, monkeypatch):
    """An empty folder that TREECCA_DATA names."""
    monkeypatch.setenv("TREECCA_DATA", str(tmp_path))
    return tmp_path


@pytest.fixture
def real_data():
    if not os.environ.get("TREECCA_DATA"):
        pytest.skip("TREECCA_DATA does not name the folder with the data files.")
