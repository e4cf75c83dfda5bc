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
    assert data["classes"] == ["0", "1"]
    assert data["labels"][:2] == [0, 1]
    assert data["kind"] == "out-of-fold"
    np.testing.assert_allclose(data["correlations"], model.pairwise_correlations_.ravel(), atol=6e-4)
    np.testing.assert_allclose(data["variates"][0][1], model.out_of_fold_variates_[0][:, 1], atol=6e-4)
    assert f"{model.correlations_[0]:.3f}" in html


def labels_of(model, labels, tmp_path):
    model.report(tmp_path / "labels.html", labels=labels)
    data = data_of((tmp_path / "labels.html").read_text())
    return [data["classes"][number] for number in data["labels"]]


def test_labels_become_few_classes(quick, tmp_path):
    model = TreeCCA(**quick).fit(related_views(200))
    ages = np.random.default_rng(0).permutation(np.linspace(20, 80, 200))
    shown = labels_of(model, ages, tmp_path)
    assert sorted(set(shown)) == ["20 to 31.8", "32.1 to 43.8", "44.1 to 55.9", "56.2 to 67.9", "68.2 to 80"]
    assert all(float(name.split(" to ")[0]) <= age + 0.05 for name, age in zip(shown, ages, strict=True))
    assert all(age - 0.05 <= float(name.split(" to ")[1]) for name, age in zip(shown, ages, strict=True))
    assert all(abs(shown.count(name) - 40) <= 1 for name in set(shown))

    ages[7] = np.nan
    assert labels_of(model, ages, tmp_path)[7] == "missing"
    close = 1e6 + np.linspace(0, 1, 200)  # three digits would call them all the same
    assert len(set(labels_of(model, close, tmp_path))) == 5
    mostly_zero = np.r_[np.zeros(150), np.linspace(1, 2, 50)]
    assert "0 to 0" in labels_of(model, mostly_zero, tmp_path)

    sites = np.array([f"site {i % 25:02d}" for i in range(200)])
    sites[:100] = "site 24"
    shown = labels_of(model, sites, tmp_path)
    assert len(set(shown)) == 20
    assert set(shown[:100]) == {"site 24"}
    assert shown.count("other") == sum(site not in set(shown) for site in sites)
    assert labels_of(model, np.arange(200) % 20, tmp_path) == [str(i % 20) for i in range(200)]


def test_report_tells_of_labels_that_repeat(quick, tmp_path):
    pd = pytest.importorskip("pandas")
    patients = np.repeat([f"patient {i}" for i in range(40)], 5)
    views = {name: pd.DataFrame(v, index=patients) for name, v in zip(("rna", "prot"), related_views(200), strict=True)}
    message = 'index of view "rna" repeats: 200 samples but only 40 different labels'
    with pytest.warns(UserWarning, match=message):
        model = TreeCCA(**quick).fit(views)
    assert sum(message in warning for warning in model.warnings_) == 1
    model.report(tmp_path / "r.html")
    assert "200 samples but only 40 different labels" in (tmp_path / "r.html").read_text()
    for told in (
        TreeCCA(**quick).fit(views, groups=patients),
        TreeCCA(**quick, cross_fit=0).fit(views),  # no folds
    ):
        assert not any("repeats" in warning for warning in told.warnings_)


def test_report_of_a_loaded_model_has_no_samples(views, quick, tmp_path):
    TreeCCA(**quick).fit(views).save(tmp_path / "m.json")
    treecca.load(tmp_path / "m.json").report(tmp_path / "r.html")
    assert data_of((tmp_path / "r.html").read_text())["variates"] == []


def test_what_a_report_refuses(views, quick, tmp_path):
    model = TreeCCA(**quick).fit(views)
    with pytest.raises(ValueError, match="one entry per training sample"):
        model.report(tmp_path / "r.html", labels=[1, 2])
    model.save(tmp_path / "m.json")
    with pytest.raises(ValueError, match="Leave the labels out"):
        treecca.load(tmp_path / "m.json").report(tmp_path / "r.html", labels=np.zeros(300))
    (tmp_path / "m.json").unlink()
    with pytest.raises(OSError, match="nowhere"):
        model.report(tmp_path / "nowhere" / "r.html")
    assert list(tmp_path.iterdir()) == []


def test_a_report_is_html(quick, tmp_path):
    model = TreeCCA(**quick).fit(related_views(100))
    (tmp_path / "precious.txt").write_text("mine")
    with pytest.raises(ValueError, match=r'call it "report.html"'):
        model.report(tmp_path / "precious.txt")
    assert (tmp_path / "precious.txt").read_text() == "mine"


def test_a_report_with_the_views_has_shap_values(views, quick, tmp_path):
    model = TreeCCA(**quick).fit(views)
    model.report(tmp_path / "without.html")
    model.report(tmp_path / "with.html", views=views)
    without, complete = ((tmp_path / f"{name}.html").read_text() for name in ("without", "with"))
    assert "SHAP values</h5>" not in without
    assert complete.count("SHAP values</h5>") == 4
    with pytest.raises(ValueError, match="report needs every view of the model; missing: view1"):
        model.report(tmp_path / "no.html", views={"view0": views[0]})


def test_the_verdict_comes_first_and_noise_is_marked(quick, tmp_path):
    rng = np.random.default_rng(0)
    with pytest.warns(UserWarning, match="No component exceeds its noise threshold"):
        model = TreeCCA(**quick).fit(list(rng.normal(size=(2, 100, 4))))
    model.report(tmp_path / "r.html")
    html = (tmp_path / "r.html").read_text()
    k = len(model.correlations_)
    verdict = html.index(f"<b>0 of {k}</b> components are above noise")
    total = html.index(f"<b>{np.maximum(model.correlations_, 0).sum():.2f}</b> is the out-of-fold total correlation")
    assert verdict < total < html.index("<svg")
    assert html.count('<span class="chip">below noise</span>') == 3 * k + 1  # table, tabs, headings; across views
    assert html.count(">below noise</text>") == k


def test_rugs_show_where_the_data_lie(views, quick, tmp_path):
    model = TreeCCA(**quick).fit(views)
    model.report(tmp_path / "without.html")
    model.report(tmp_path / "with.html", views=views)
    rugs = {
        name: re.findall(r'<path class="rug" d="(.*?)"/>', (tmp_path / f"{name}.html").read_text())
        for name in ("without", "with")
    }
    assert len(rugs["with"]) == len(rugs["without"]) >= 2
    assert all(lines == "" for lines in rugs["without"])
    assert all(5 < lines.count("v-7") <= 100 for lines in rugs["with"])


def test_training_counts_rounds(views, quick, tmp_path):
    model = TreeCCA(**{**quick, "n_estimators": 80}).fit(views)
    model.report(tmp_path / "r.html")
    html = (tmp_path / "r.html").read_text()
    points = re.search(r'<polyline class="curve out-of-fold" points="(.*?)"', html).group(1).split()
    rounds = model.history_["round"]
    assert len(points) == len(rounds)
    x = np.array([float(point.split(",")[0]) for point in points])
    width = 470 - 56  # of the chart without its margins
    np.testing.assert_allclose(x, 56 + width * rounds / rounds[-1], atol=0.06)
