import json
import re

import numpy as np
import pytest
from conftest import related_views

import treecca
from treecca import TreeCCA


def data_of(html):
    return json.loads(re.search(r'id="data">(.*?)</script>', html, re.S).group(1))


def test_report_of_a_fit(quick, tmp_path):
    pd = pytest.importorskip("pandas")
    a, b = related_views(150)
    model = TreeCCA(**quick).fit({"rna": pd.DataFrame(a, index=[f"s{i}" for i in range(150)]), "prot": b})
    model.report(tmp_path / "report.html", labels=np.arange(150) % 2)
    html = (tmp_path / "report.html").read_text()
    data = data_of(html)
    assert data["ids"][3] == "s3"
    assert data["labels"][:2] == ["0", "1"]
    assert data["kind"] == "out of fold"
    np.testing.assert_allclose(data["variates"][0][1], model.out_of_fold_variates_[0][:, 1], atol=6e-4)
    assert f"{model.correlations_[0]:.3f}" in html


def test_report_of_a_loaded_model_has_no_samples(views, quick, tmp_path):
    TreeCCA(**quick).fit(views).save(tmp_path / "m.json")
    treecca.load(tmp_path / "m.json").report(tmp_path / "r.html")
    assert data_of((tmp_path / "r.html").read_text())["variates"] == []


def test_what_a_report_refuses(views, quick, tmp_path):
    model = TreeCCA(**quick).fit(views)
    with pytest.raises(ValueError, match="one entry per training sample"):
        model.report(tmp_path / "r.html", labels=[1, 2])
    with pytest.raises(OSError, match="nowhere"):
        model.report(tmp_path / "nowhere" / "r.html")
    assert list(tmp_path.iterdir()) == []
