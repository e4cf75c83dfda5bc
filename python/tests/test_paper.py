"""The runner of the paper's experiments (benchmarks/paper): quick runs, what is kept, and what is said when something
is missing. Needs the checkout: the benchmarks are not part of the package."""

import importlib
import json
import re
import sys
from pathlib import Path

import numpy as np
import pytest
from threadpoolctl import threadpool_limits

from treecca import TreeCCA, datasets
from treecca.datasets import MultiviewDataset, make_hermite, make_signed_power

ROOT = Path(__file__).parents[2]
if not (ROOT / "benchmarks" / "paper").is_dir():
    pytest.skip("The benchmarks of the checkout are not here.", allow_module_level=True)
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

from benchmarks.paper import __main__ as command  # noqa: E402
from benchmarks.paper import code, experiments, plan, protocol, run, tasks  # noqa: E402
from benchmarks.paper.cache import Cache  # noqa: E402
from benchmarks.paper.methods import METHODS  # noqa: E402
from benchmarks.paper.results import Results, Row, cell, comparison, mean  # noqa: E402
from benchmarks.paper.scale import Scale  # noqa: E402
from benchmarks.paper.targets import Target  # noqa: E402
from benchmarks.paper.unit import Unit  # noqa: E402

QUICK = Scale(quick=True, seeds=(42,))
STAND_INS = {  # real set -> number of views and classes of what stands for it here
    "split_mnist": (2, 10),
    "uci_har": (2, 6),
    "threesources": (3, 6),
    "handwritten": (6, 10),
    "msrc_v5": (5, 7),
    "caltech101_7": (6, 7),
}


@pytest.fixture(scope="module", autouse=True)
def one_thread():
    """On so few rows, threads that wait for each other cost more than they do."""
    with threadpool_limits(1):
        yield


def call(folder, *arguments):
    return command.main([*arguments, "--quick", "--cache", str(folder / "cache"), "--out", str(folder / "paper.md")])


def page_of(folder):
    return (folder / "paper.md").read_text(encoding="utf-8")


def results_in(folder):
    return sorted((folder / "cache" / "quick").glob("*.json"))


# The whole page -------------------------------------------------------------------------------------------------------


def stand_in(name, seed):
    """Six features per view that see three latents, which tell the class as well: 200 rows, a fifth for the test."""
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
    """The folder of a quick run of every experiment, with small sets in place of the real ones."""
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
    assert "its figures mean nothing" in page
    for experiment in experiments.all_experiments():
        section = section_of(page, experiment.TITLE)
        assert "|---|" in section or "](paper/" in section or not importlib.util.find_spec("matplotlib")
    # What is not there may be a package that is optional, or the set that nobody has.
    lacks = re.findall(r"not run(?!: `pip install)|failed|Error|data absent: (?!NUS-WIDE)", page)
    assert lacks == []
    assert "data absent: NUS-WIDE.mat" in page
    assert re.findall(r"\b(?:nan|inf|None)\b", page) == []
    assert str(whole_run) not in page


def test_rows_say_what_they_show(whole_run):
    page = page_of(whole_run)
    assert "| 4 | TreeMCCA, defaults |" in page
    assert "| `zero` | 0.00 | 0.00 |" in page  # a start at zero never moves
    learned = section_of(page, "Learning without labels: TreeCCA-SSL (K = 5, 6 classes)")
    for fitted_to in ("all rows, without labels", "training rows: test rows unseen"):
        for method in ("PCA(X)", "TreeCCA-SSL, defaults", "Oracle: PCA(\\|X\\|)"):
            assert f"| {method} | {fitted_to} |" in learned
    wanted = section_of(page, "What was to be shown")
    assert wanted.count("| SSL, accuracy, encoder fitted to ") == 2
    assert wanted.count("| reached |") + wanted.count("| **not reached** |") == len(re.findall(r"\| >= ", wanted))
    assert "1 seeds" in wanted  # as many as were run
    assert "sensor1_mag_" in (whole_run / "paper" / "har_importances.svg").read_text(encoding="utf-8")
    assert all(picture.stat().st_size < 200_000 for picture in (whole_run / "paper").iterdir())


def test_page_is_written_again_from_what_was_kept(whole_run, monkeypatch):
    page = page_of(whole_run)
    monkeypatch.setattr(run, "TASKS", {})  # nothing can be run any more
    (whole_run / "paper.md").unlink()
    assert call(whole_run, "--cached", "--seeds", "42") == 0
    assert page_of(whole_run) == page


# The command ----------------------------------------------------------------------------------------------------------


def test_an_experiment_alone_leaves_the_others_not_run(tmp_path, capsys):
    assert call(tmp_path, "--only", "schedule", "--seeds", "42") == 0
    assert "4 fits to run, about 0 min" in capsys.readouterr().err
    page = page_of(tmp_path)
    assert "| Signed Power | jacobi |" in page
    assert "| KCCA, RBF (cca-zoo) | 2.28 ± 0.03 | not run |" in page


def test_only_a_whole_run_replaces_the_committed_page(tmp_path, monkeypatch, capsys):
    page = tmp_path / "docs" / "paper.md"
    monkeypatch.setattr(command, "PAGE", page)
    monkeypatch.setattr(run, "TASKS", {name: lambda **_: {} for name in tasks.TASKS})
    monkeypatch.setattr(command, "write_page", lambda out, *_: (out.parent.mkdir(exist_ok=True), out.touch()))
    arguments = ["--cache", str(tmp_path / "cache")]
    partial = tmp_path / "cache" / "page" / "partial.md"
    for incomplete in (["--only", "schedule"], ["--seeds", "42"], ["--cached"]):
        assert command.main([*arguments, *incomplete]) == 0
        assert str(partial) in capsys.readouterr().out
        assert partial.exists() and not page.exists()
        partial.unlink()
    assert command.main(arguments) == 0
    assert page.exists() and not partial.exists()


def test_interrupted_run_goes_on(tmp_path, monkeypatch):
    ran = []

    def task(**arguments):
        if len(ran) == 3:
            ran.append(None)
            raise KeyboardInterrupt
        ran.append(arguments)
        return tasks.compare(**arguments)

    monkeypatch.setattr(run, "TASKS", {"compare": task})
    assert call(tmp_path, "--only", "schedule", "--seeds", "42", "0") == 130
    assert not (tmp_path / "paper.md").exists()
    assert len(results_in(tmp_path)) == 3
    assert call(tmp_path, "--only", "schedule", "--seeds", "42", "0") == 0
    assert len(results_in(tmp_path)) == 8
    done = [json.dumps(one, sort_keys=True) for one in ran if one is not None]
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
    assert not Cache(tmp_path / "cache" / "quick").is_done(kcca)  # tried again when it is there


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

    monkeypatch.setattr(run, "TASKS", tasks.TASKS | {"collapse": task})
    assert call(tmp_path, "--only", "alternating", "variance", "--seeds", "42") == 1
    assert "the disk is on fire" in capsys.readouterr().err
    assert "V_kk after the last round" in page_of(tmp_path)


def test_unknown_experiment_is_named(tmp_path, capsys):
    assert call(tmp_path, "--only", "table9") == 2
    assert "no experiment called table9" in capsys.readouterr().err


def test_list_tells_what_is_left(tmp_path, capsys):
    assert call(tmp_path, "--list") == 0
    listed = capsys.readouterr().out
    assert all(experiment.NAME in listed for experiment in experiments.all_experiments())
    assert results_in(tmp_path) == []


@pytest.mark.parametrize("scale", [Scale(), QUICK], ids=["full", "quick"])
def test_every_unit_can_be_run_and_kept(scale):
    for experiment in experiments.all_experiments():
        for unit in experiment.units(scale):
            assert unit.task in tasks.TASKS
            assert json.loads(json.dumps(unit.arguments)) == unit.arguments
            assert unit.seconds > 0
            assert "method" not in unit.arguments or unit.arguments["method"] in METHODS


# What is kept ---------------------------------------------------------------------------------------------------------


def test_key_depends_on_all_that_matters(monkeypatch):
    unit = plan.ours(QUICK, "hermite", 42)
    assert unit.key == plan.ours(QUICK, "hermite", 42).key
    others = [plan.ours(QUICK, "hermite", 0), plan.ours(QUICK, "signed_power", 42), plan.ours(Scale(), "hermite", 42)]
    others += [plan.ours(QUICK, "hermite", 42, {"max_depth": 2}), plan.ours(QUICK, "hermite", 42, extras=["curve"])]
    assert len({u.key for u in [unit, *others]}) == len(others) + 1
    peer = plan.booster(QUICK, "lightgbm", "hermite", 42)
    ours, theirs = unit.key, peer.key
    monkeypatch.setattr("benchmarks.paper.unit.version", lambda name: "99")
    assert unit.key == ours  # not the version matters here, but the code
    assert peer.key != theirs
    theirs = peer.key
    monkeypatch.setattr(code, "of_treecca", lambda: "another build")
    assert unit.key != ours
    assert peer.key == theirs
    for part in ("of_datasets", "of_benchmarks"):
        monkeypatch.setattr(code, part, lambda *_: "changed")
        assert peer.key != theirs
        theirs = peer.key


def test_sources_of_units_are_there():
    for experiment in experiments.all_experiments():
        for unit in experiment.units(QUICK):
            assert all((ROOT / "benchmarks" / name).is_file() for name in unit.sources)


def test_wording_is_no_part_of_the_code():
    source = 'def f(x):\n    """Adds."""\n    return x + 1  # one\n'
    same = '"""A file."""\ndef f(x):\n    return (x + 1)\n'
    assert code.meaning(source) == code.meaning(same)
    assert code.meaning(source) != code.meaning(source.replace("1", "2"))
    assert code.meaning("x = 'text'") != code.meaning("x = 'other'")


def test_spoilt_file_is_no_result(tmp_path):
    cache, unit = Cache(tmp_path), Unit("compare", {"seed": 1})
    cache.put(unit, {"test": np.float32(1.5), "curve": np.arange(3)})
    assert cache.get(unit) == {"test": 1.5, "curve": [0, 1, 2]}
    (file,) = tmp_path.iterdir()
    for content in ("", "{", "[]", '{"result": 3}'):
        file.write_text(content)
        assert cache.get(unit) is None
        assert not cache.is_done(unit)


def test_nothing_is_left_of_a_result_that_cannot_be_written(tmp_path):
    with pytest.raises(TypeError):
        Cache(tmp_path).put(Unit("compare", {}), {"test": object()})
    assert list(tmp_path.iterdir()) == []


# Protocol -------------------------------------------------------------------------------------------------------------


def test_repeated_components_count_only_in_the_papers_protocol():
    rng = np.random.default_rng(0)
    one = rng.normal(size=(400, 1))
    noise = [rng.normal(size=(400, 1)) for _ in range(2)]
    views = [np.hstack([one + 0.1 * n, one + 0.1001 * n]) for n in noise]
    figures = protocol.judge(make_hermite(800, test_size=400), [v[:200] for v in views], [v[200:] for v in views])
    assert figures["raw"] > 1.95
    assert figures["test"] < 1.3
    assert figures["raw_repeat"] > 0.99


def test_peak_and_precision():
    assert protocol.peak([0.1, 0.9, 0.4], [10, 20, 30])["peak_round"] == 20
    assert protocol.precision_at(np.array([5, 4, 0.1, 3, 0]), 3) == pytest.approx(2 / 3)


@pytest.mark.parametrize(
    ("importances", "causal", "expected"),
    [
        ([0, 0, 0, 0, 0, 0, 0, 0], 2, 2 / 8),  # all alike: as good as guessing
        ([9, 1, 1, 1], 2, (1 + 1 / 3) / 2),  # one place for three, one of which is causal
        ([1, 1, 9, 0], 2, 1 / 2),  # one place for two, both of them causal
        ([1, 1, 2, 2], 2, 0),
        ([3, 3, 3, 1], 3, 1),
    ],
)
def test_ties_count_as_a_draw_among_them(importances, causal, expected):
    assert protocol.precision_at(np.array(importances), causal) == pytest.approx(expected)
    rng, draws = np.random.default_rng(0), []
    for _ in range(2000):
        order = np.lexsort((rng.random(len(importances)), -np.array(importances)))[:causal]
        draws.append(np.mean(order < causal))
    assert np.mean(draws) == pytest.approx(expected, abs=0.04)


def test_importances_that_are_no_numbers_are_refused():
    with pytest.raises(ValueError, match="1 of 3 importances are NaN"):
        protocol.precision_at(np.array([1, np.nan, 0]), 1)


def test_the_best_round_counts_only_where_the_paper_says_so():
    runs = [{"peak": 3.0, "raw": 2.0, "test": 1.0}]
    assert comparison([Row("m", "", runs)], peak=True)[1][2] == "3.00"
    assert comparison([Row("m", "", runs)])[1][2] == "2.00"


def test_choice_is_made_by_the_fits_own_estimate(tmp_path):
    cache = Cache(tmp_path)
    units = [[Unit("compare", {"setting": s, "seed": seed}) for seed in (0, 1)] for s in range(2)]
    for setting, own, test in ((0, 3.0, 2.0), (1, 2.0, 9.0)):
        for unit in units[setting]:
            cache.put(unit, {"own": own, "test": test, "seconds": 1.0 + setting})
    chosen = Results(cache).chosen(units)
    assert mean(chosen, "test") == 2.0
    assert mean(chosen, "seconds") == 3.0  # of both candidates: the choice needs both


def test_cells_say_what_they_stand_for():
    assert cell([{"test": 1.0}, {"test": 2.0}], "test") == "1.50 ± 0.50"
    assert cell([{"test": 1.0}, None], "test") == "1.00 (1 of 2)"
    assert cell([None, None], "test") == "not run"
    assert cell([{"missing": "get it"}], "test") == "get it"
    assert mean([{"test": 1.0}, None], "test") is None


def test_targets_are_judged_strictly():
    verdicts = [Target("", 2.67, here).verdict for here in (2.67, 2.6699, None)]
    assert verdicts == ["reached", "**not reached**", "not run"]


# Methods --------------------------------------------------------------------------------------------------------------


def test_walker_follows_components_beyond_those_asked_for():
    from walker import variates

    data = make_signed_power(300, random_state=0)
    model = TreeCCA(2, n_oversamples=2, n_estimators=5, random_state=0).fit(data.views)
    walked = variates(json.loads(model.model_.to_bytes("json")), data.test_views)
    for ours, theirs in zip(walked, model.transform(data.test_views), strict=True):
        np.testing.assert_allclose(ours, theirs, atol=1e-4)


def test_alternating_regression_shrinks_its_embedding():
    curves = tasks.collapse(data="signed_power", seed=0, options={"n_samples": 300}, max_rows=None, turns=3, trees=20)
    assert curves["deviation"] == sorted(curves["deviation"], reverse=True)
    assert curves["deviation"][-1] < 0.8


def test_deepcca_learns_what_linear_cca_cannot_see():
    pytest.importorskip("jax", reason="DeepCCA needs JAX.")
    data = make_hermite(1500, n_noise_features=0, random_state=0)
    settings = {"epochs": 300, "hidden": [32, 16], "rate": 0.01}
    deep = METHODS["deepcca"].embed(data, 0, settings, [])
    linear = METHODS["linear"].embed(data, 0, {}, [])
    assert protocol.judge(data, deep.train, deep.test)["test"] > 2.5
    assert protocol.judge(data, linear.train, linear.test)["test"] < 1


def test_deepcca_has_the_papers_loss():
    deepcca = pytest.importorskip("benchmarks.paper.baselines.deepcca", reason="DeepCCA needs JAX.")
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=(2, 50, 3))
    joint = np.cov(np.hstack([a, b]).T)
    within, across = joint[:3, :3] + joint[3:, 3:], joint[:3, 3:] + joint[3:, :3]
    expected = -2 * np.trace(across) + (within**2).sum()
    assert float(deepcca._ey_loss([a, b])) == pytest.approx(expected, rel=1e-4)


@pytest.mark.parametrize("engine", ["xgboost", "lightgbm"])
def test_curve_of_a_peer_ends_at_its_own_figure(engine):
    for package in (engine, "xgboost", "cca_zoo"):
        pytest.importorskip(package, reason=f"{engine} of cca-zoo is compared with.")
    arguments = plan.booster(QUICK, engine, "signed_power", 42, extras=["curve"]).arguments
    figures = tasks.compare(**arguments)
    assert figures["curve"][-1] == pytest.approx(figures["raw"], abs=1e-3)
