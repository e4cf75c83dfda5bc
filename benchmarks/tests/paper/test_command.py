"""The command `python -m benchmarks.paper`: quick runs, interrupted runs, missing packages and data."""

import importlib
import json
import re
import sys

import numpy as np
import pytest

from benchmarks import datasets
from benchmarks.paper import __main__ as command
from benchmarks.paper import experiments, plan, protocol, results, tasks, unit
from benchmarks.paper.methods import METHODS
from benchmarks.paper.results import Results
from benchmarks.paper.scale import Scale
from treecca.datasets import MultiviewDataset

QUICK = Scale(quick=True, seeds=(42,))
STAND_INS = {  # published set -> number of views and classes of its replacement
    "split_mnist": (2, 10),
    "uci_har": (2, 6),
    "threesources": (3, 6),
    "handwritten": (6, 10),
    "msrc_v5": (5, 7),
    "caltech101_7": (6, 7),
}


def call(folder, *arguments):
    return command.main([*arguments, "--quick", "--cache", str(folder / "cache"), "--out", str(folder / "paper.md")])


def page_of(folder):
    return (folder / "paper.md").read_text(encoding="utf-8")


def results_in(folder):
    return list((folder / "cache").rglob("output.pkl"))


def stand_in(name, seed):
    """Six features per view that depend on three latents; the first gives the class. 200 samples."""
    n_views, n_classes = STAND_INS[name]
    rng = np.random.default_rng(seed)
    latents = rng.normal(size=(200, 3))
    labels = np.floor(n_classes * (np.argsort(np.argsort(latents[:, 0])) / 200)).astype(int)
    views = [latents @ rng.normal(size=(3, 6)) + 0.3 * rng.normal(size=(200, 6)) for _ in range(n_views)]
    features = [f"{axis}_{statistic}" for axis in ("x", "mag") for statistic in ("mean", "std", "rms")]
    return MultiviewDataset(
        name,
        [view.astype(np.float32) for view in views],
        [f"view{v}" for v in range(n_views)],
        k=min(5, n_classes - 1),
        feature_names=[[f"sensor{v}_{feature}" for feature in features] for v in range(n_views)],
        labels=labels,
        groups=np.arange(200) // 10 if name == "uci_har" else None,
    ).split(seed)


@pytest.fixture(scope="module")
def whole_run(tmp_path_factory):
    """The folder of a quick run of every experiment, with small replacements of the published sets."""
    folder = tmp_path_factory.mktemp("paper")
    real = datasets.load

    def load(name, *, random_state=42, **options):
        if name in STAND_INS:
            return stand_in(name, random_state)
        return real(name, random_state=random_state, **options)

    with pytest.MonkeyPatch.context() as patch:
        (folder / "nothing").mkdir()
        patch.setenv("TREECCA_DATA", str(folder / "nothing"))
        patch.setattr(datasets, "load", load)
        protocol._loaded.cache_clear()
        assert call(folder, "--seeds", "42") == 0
    protocol._loaded.cache_clear()
    return folder


def section_of(page, title):
    return page.split(f"\n## {title}\n")[1].split("\n## ")[0]


def test_every_experiment_runs_and_has_its_section(whole_run):
    page = page_of(whole_run)
    assert "its numbers mean nothing" in page
    for experiment in experiments.all_experiments():
        section = section_of(page, experiment.TITLE)
        assert "|---|" in section or "](paper/" in section or not importlib.util.find_spec("matplotlib")
    # Only optional packages and NUS-WIDE may be missing.
    lacks = re.findall(r"not run(?!: `pip install)|failed|Error|data absent: (?!NUS-WIDE)", page)
    assert lacks == []
    assert "data absent: NUS-WIDE.mat" in page
    assert re.findall(r"\b(?:nan|inf|None)\b", page) == []
    assert str(whole_run) not in page


def test_rows_say_what_they_show(whole_run):
    page = page_of(whole_run)
    assert "| 4 | TreeMCCA, defaults |" in page
    assert "| `zero` | 0.00 | 0.00 |" in page  # zero is a critical point
    learned = section_of(page, "Learning without labels: TreeCCA-SSL (K = 5, 6 classes)")
    for fitted_to in ("all samples, without labels", "training samples"):
        for method in ("PCA(X)", "TreeCCA-SSL, defaults", "Oracle: PCA(\\|X\\|)"):
            assert f"| {method} | {fitted_to} |" in learned
    plots = {plot.name for plot in (whole_run / "paper").iterdir()}
    assert plots == set(re.findall(r"\]\(paper/(\w+\.png)\)", page))
    assert all(plot.stat().st_size < 100_000 for plot in (whole_run / "paper").iterdir())


def test_page_is_written_again_from_what_was_kept(whole_run, monkeypatch):
    page = page_of(whole_run)
    kept = len(results_in(whole_run))
    monkeypatch.setenv("TREECCA_DATA", str(whole_run / "nothing"))
    (whole_run / "paper.md").unlink()
    assert call(whole_run, "--seeds", "42") == 0
    assert page_of(whole_run) == page
    assert len(results_in(whole_run)) == kept


def test_an_experiment_alone_leaves_the_others_not_run(tmp_path, capsys):
    assert call(tmp_path, "--only", "schedule", "--seeds", "42") == 0
    assert "4 fits to run, about 0 min" in capsys.readouterr().err
    page = page_of(tmp_path)
    assert "| Signed Power | jacobi |" in page
    assert "| KCCA, RBF (cca-zoo) | 2.28 ± 0.03 | not run |" in page


def test_only_a_whole_run_replaces_the_committed_page(tmp_path, monkeypatch, capsys):
    page = tmp_path / "docs" / "paper.md"
    monkeypatch.setattr(command, "PAGE", page)
    done = set()
    monkeypatch.setattr(Results, "compute", lambda self, unit: done.add(unit.key) or {})
    monkeypatch.setattr(Results, "is_done", lambda self, unit: unit.key in done)
    monkeypatch.setattr(command, "write_page", lambda out, *_: (out.parent.mkdir(exist_ok=True), out.touch()))
    arguments = ["--cache", str(tmp_path / "cache")]
    partial = tmp_path / "cache" / "page" / "partial.md"
    for incomplete in (["--only", "schedule"], ["--seeds", "42"]):
        assert command.main([*arguments, *incomplete]) == 0
        assert str(partial) in capsys.readouterr().out
        assert partial.exists() and not page.exists()
        partial.unlink()
    assert command.main(arguments) == 0
    assert page.exists() and not partial.exists()


def test_interrupted_run_goes_on(tmp_path, monkeypatch):
    ran, compute = [], Results.compute

    def interrupted_once(self, unit):
        if not self.is_done(unit):
            ran.append(unit.key if len(ran) != 3 else None)
            if ran[-1] is None:
                raise KeyboardInterrupt
        return compute(self, unit)

    monkeypatch.setattr(Results, "compute", interrupted_once)
    assert call(tmp_path, "--only", "schedule", "--seeds", "42", "0") == 130
    assert not (tmp_path / "paper.md").exists()
    assert len(results_in(tmp_path)) == 3
    assert call(tmp_path, "--only", "schedule", "--seeds", "42", "0") == 0
    assert len(results_in(tmp_path)) == 8
    done = [key for key in ran if key is not None]
    assert len(done) == len(set(done)) == 8  # each unit once


def test_missing_packages_cost_a_row_and_no_more(tmp_path, monkeypatch):
    for name in ("jax", "cca_zoo", "cca_zoo.tree", "xgboost", "lightgbm"):
        monkeypatch.setitem(sys.modules, name, None)
    assert call(tmp_path, "--only", "table1", "--seeds", "42") == 0
    page = page_of(tmp_path)
    assert "| DeepCCA, EY loss, 1,000 epochs | 2.43 ± 0.04 |  | not run: `pip install jax` |" in page
    assert "| KCCA, RBF (cca-zoo) | 2.28 ± 0.03 |  | not run: `pip install cca-zoo` |" in page
    assert "not run: `pip install xgboost`" in page
    assert "not run: `pip install lightgbm`" in page
    kcca = plan.compare(QUICK, "kcca", "signed_power", 42, seconds=25)
    assert not Results(tmp_path / "cache").is_done(kcca)  # the next run tries again


def test_missing_data_say_where_to_get_them(tmp_path, monkeypatch):
    (tmp_path / "nothing").mkdir()
    monkeypatch.setenv("TREECCA_DATA", str(tmp_path / "nothing"))
    assert call(tmp_path, "--only", "table5", "--seeds", "42") == 0
    page = page_of(tmp_path)
    assert "data absent: NUS-WIDE.mat" in page
    assert "data absent: msrc_v5.npz" in page
    assert str(tmp_path) not in page  # the page is for other machines too


def test_a_failure_is_reported_and_the_rest_is_run(tmp_path, monkeypatch, capsys):
    def task(**arguments):
        raise RuntimeError("the disk is on fire")

    monkeypatch.setattr(results, "TASKS", tasks.TASKS | {"collapse": task})
    assert call(tmp_path, "--only", "alternating", "variance", "--seeds", "42") == 1
    assert "the disk is on fire" in capsys.readouterr().err
    assert "V_kk after the last round" in page_of(tmp_path)


def test_unknown_experiment_is_named(tmp_path, capsys):
    assert call(tmp_path, "--only", "table9") == 2
    assert "Unknown experiment table9" in capsys.readouterr().err


def test_list_shows_what_is_left(tmp_path, capsys):
    assert call(tmp_path, "--list") == 0
    listed = capsys.readouterr().out
    assert all(experiment.NAME in listed for experiment in experiments.all_experiments())
    assert results_in(tmp_path) == []


@pytest.mark.parametrize("scale", [Scale(), QUICK], ids=["full", "quick"])
def test_every_unit_can_be_run_and_kept(scale):
    for experiment in experiments.all_experiments():
        for one in experiment.units(scale):
            assert one.task in tasks.TASKS
            assert json.loads(json.dumps(one.arguments)) == one.arguments
            assert one.seconds > 0
            assert "method" not in one.arguments or one.arguments["method"] in METHODS


def test_key_depends_on_arguments_and_versions(monkeypatch):
    def keys():
        made = (plan.ours(QUICK, "hermite", 42), plan.booster(QUICK, "lightgbm", "hermite", 42))
        unit.versions.cache_clear()
        return [one.key for one in made]

    ours, other = keys()
    assert [ours, other] == keys()
    others = [plan.ours(QUICK, "hermite", 0), plan.ours(QUICK, "signed_power", 42), plan.ours(Scale(), "hermite", 42)]
    others += [plan.ours(QUICK, "hermite", 42, {"max_depth": 2}), plan.ours(QUICK, "hermite", 42, extras=["curve"])]
    assert len({ours, *(one.key for one in others)}) == len(others) + 1
    with monkeypatch.context() as patch:
        patch.setattr(unit, "version", lambda name: "99")
        assert [key == old for key, old in zip(keys(), (ours, other), strict=True)] == [True, False]
    with monkeypatch.context() as patch:
        patch.setattr(unit, "_core", lambda: "another build")
        assert [key == old for key, old in zip(keys(), (ours, other), strict=True)] == [False, True]
    monkeypatch.setattr(unit, "VERSION", unit.VERSION + 1)
    assert ours not in keys() and other not in keys()
    unit.versions.cache_clear()
