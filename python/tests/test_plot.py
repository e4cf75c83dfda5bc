import numpy as np
import pytest
from conftest import related_views
from sklearn.exceptions import NotFittedError

import treecca
from treecca import TreeCCA

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("agg")
from matplotlib import pyplot as plt  # noqa: E402

from treecca import plot  # noqa: E402
from treecca.plot._display import as_percent, as_shown  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")
VIEWS = related_views(200)


@pytest.fixture(scope="module")
def model():
    return TreeCCA(2, n_estimators=40, random_state=0).fit({"rna": VIEWS[0], "prot": VIEWS[1]})


@pytest.fixture(autouse=True)
def close_figures():
    yield
    plt.close("all")


def test_correlations(model):
    display = plot.CorrelationsDisplay.from_estimator(model)
    np.testing.assert_array_equal(display.table_["out_of_fold"], model.correlations_)
    heights = [bar.get_height() for bar in display.ax_.patches]
    np.testing.assert_allclose(heights[:2], model.correlations_)
    assert next(text.get_text() for text in display.ax_.get_legend().get_texts()) == "out-of-fold"
    paper = TreeCCA(2, n_estimators=5, preset="paper", random_state=0).fit(VIEWS)
    assert "noise threshold" in [text.get_text() for text in display.ax_.get_legend().get_texts()]
    np.testing.assert_array_equal(display.table_["standard_error"], model.standard_errors_)
    np.testing.assert_array_equal(
        display.table_["out_of_fold"] > display.table_["noise_threshold"], display.table_["found"]
    )
    labels = [t.get_text() for t in plot.CorrelationsDisplay.from_estimator(paper).ax_.get_legend().get_texts()]
    assert labels == ["in-sample", "linear CCA, in-sample"]


def test_convergence(model):
    display = plot.ConvergenceDisplay.from_estimator(model)
    np.testing.assert_array_equal(display.ax_.lines[0].get_xdata(), model.history_["round"])
    np.testing.assert_array_equal(display.ax_.lines[0].get_ydata(), model.history_["tcc"])
    assert list(display.table_) == ["round", "tcc"]
    plain = plot.ConvergenceDisplay.from_estimator(TreeCCA(2, preset="plain", n_estimators=22).fit(VIEWS))
    labels = [t.get_text() for t in plain.ax_.get_legend().get_texts()]
    assert labels[:2] == ["out-of-fold", "in-sample"]
    assert labels[2] == f"linear CCA: {np.maximum(plain.linear, 0):.2f}"
    assert list(plain.table_) == ["round", "tcc", "train_tcc", "loss"]
    without_trees = plot.ConvergenceDisplay.from_estimator(TreeCCA(2, linear=1).fit(VIEWS))
    assert len(without_trees.table_["round"]) == 0
    stopped = TreeCCA(2, preset="plain", early_stopping_rounds=5, learning_rate=0.5, random_state=0).fit(VIEWS)
    texts = [t.get_text() for t in plot.ConvergenceDisplay.from_estimator(stopped).ax_.get_legend().get_texts()]
    assert f"round kept: {stopped.n_iter_}" in texts


@pytest.mark.parametrize("labels", [None, np.repeat(["a", "b"], 100), np.linspace(0, 1, 200), np.arange(200) % 3])
def test_variates(model, labels):
    display = plot.VariatesDisplay.from_estimator(model, component=1, labels=labels)
    np.testing.assert_array_equal(display.table_["rna"], model.out_of_fold_variates_[0][:, 1])
    assert f"{model.correlations_[1]:.2f} (out-of-fold)" in display.ax_.get_title()
    given = plot.VariatesDisplay.from_estimator(model, VIEWS, pair=("prot", "rna"))
    assert given.ax_.get_xlabel() == "prot, variate 1"


def test_importances(model):
    display = plot.ImportancesDisplay.from_estimator(model, view="prot", component=0, n_features=3)
    assert len(display.table_["feature"]) == 3
    assert np.all(np.diff(display.table_["importance"]) <= 0)
    assert set(display.table_["feature"][:2]) <= {"f0", "f1", "f2", "f3", "f4"}
    assert plot.ImportancesDisplay.from_estimator(model, kind="cover").ax_.get_title() == "rna, all components"


def test_shape_follows_the_trees(model):
    display = plot.ShapeDisplay.from_estimator(model, view=0, component=0, features=["f0", 1])
    assert len(display.ax_) == 2
    chosen = display.table_["feature"] == "f0"
    values = display.table_["variate"][chosen]
    # The first view carries the latents as they are: the variate moves monotonously along one of them.
    strong = max(np.ptp(values), np.ptp(display.table_["variate"][~chosen]))
    assert strong > 1
    assert display.table_["from"][chosen][0] == -np.inf
    one = plot.ShapeDisplay.from_estimator(model, ax=plt.figure().subplots())
    assert len(one.ax_.lines) == 3


def test_a_linear_effect_is_a_straight_line():
    display = plot.ShapeDisplay.from_estimator(TreeCCA(1, linear=1).fit(VIEWS), features=["f0"])
    (line,) = display.ax_[0].lines
    x, y = line.get_data()
    np.testing.assert_allclose(y, np.poly1d(np.polyfit(x, y, 1))(x), atol=1e-9)
    assert np.ptp(y) > 1
    steps = display.table_
    assert len(set(steps["slope"])) == 1
    np.testing.assert_allclose(np.diff(steps["variate"]), steps["slope"][0] * np.diff(steps["at"]), atol=1e-9)
    trees = plot.ShapeDisplay.from_estimator(TreeCCA(1, linear=0, n_estimators=20).fit(VIEWS), features=["f0"])
    assert set(trees.table_["slope"]) == {0}


def test_long_names_and_dollar_signs_leave_the_plots_legible():
    pd = pytest.importorskip("pandas")
    names = [f"price in $ of the {'very ' * 12}long name, $ number {j}" for j in range(5)]
    views = {"a $ and a $": pd.DataFrame(VIEWS[0], columns=names), "prot": VIEWS[1]}
    named = TreeCCA(2, n_estimators=10, random_state=0).fit(views)
    shape = plot.ShapeDisplay.from_estimator(named)
    bars = plot.ImportancesDisplay.from_estimator(named)
    for display in (shape, bars, plot.VariatesDisplay.from_estimator(named, labels=np.repeat(["$x$", "y"], 100))):
        figure = display.figure_
        figure.canvas.draw()
        for text in figure.findobj(matplotlib.text.Text):
            assert "$" not in text.get_text().replace(r"\$", "")  # none that would begin a formula
        for ax in figure.axes:
            legend = ax.get_legend().get_texts() if ax.get_legend() else []
            names_of_bars = ax.get_yticklabels() if display is bars else []
            for text in (ax.title, ax.xaxis.label, ax.yaxis.label, *legend, *names_of_bars):
                box = text.get_window_extent()
                assert not text.get_text() or 0 <= box.x0 <= box.x1 <= figure.bbox.x1
    for left, right in zip(shape.ax_[:-1], shape.ax_[1:], strict=True):
        assert left.xaxis.label.get_window_extent().x1 < right.xaxis.label.get_window_extent().x0
    labels = [label.get_text() for label in bars.ax_.get_yticklabels()]
    assert labels[0].startswith(r"price in \$ of the")
    assert len(set(labels)) == 5  # both ends of a name are kept
    assert set(bars.table_["feature"]) == set(names)


def test_a_single_sample_has_no_correlation(model):
    display = plot.VariatesDisplay.from_estimator(model, [v[:1] for v in VIEWS])
    assert display.ax_.get_title() == "component 1"


def test_embedding(model):
    display = plot.EmbeddingDisplay.from_estimator(model, labels=np.arange(200) % 2)
    assert display.table_["x"].shape == (200,)


def test_what_plots_refuse(model, tmp_path):
    with pytest.raises(ValueError, match="components 0 to 1, not 2"):
        plot.VariatesDisplay.from_estimator(model, component=2)
    with pytest.raises(ValueError, match=r"expected shape \(200,\)"):
        plot.VariatesDisplay.from_estimator(model, labels=[1, 2])
    with pytest.raises(ValueError, match='no feature "nope"'):
        plot.ShapeDisplay.from_estimator(model, features=["nope"])
    model.save(tmp_path / "m.json")
    with pytest.raises(ValueError, match="give `views`"):
        plot.VariatesDisplay.from_estimator(treecca.load(tmp_path / "m.json"))
    with pytest.raises(NotFittedError):
        plot.CorrelationsDisplay.from_estimator(TreeCCA())


def test_correlation_circle(model):
    display = plot.CorrelationCircleDisplay.from_estimator(model, n_features=3)
    table = display.table_
    assert list(table) == ["view", "feature", "x", "y"]
    assert list(table["view"]) == ["rna"] * 3 + ["prot"] * 3
    for view, feature, x, y in zip(*table.values(), strict=True):
        loadings = model.loadings_[model.view_names_.index(view)][int(feature[1:])]
        assert (x, y) == tuple(loadings[:2])
    assert display.ax_.get_xlabel() == "loading on component 1"
    assert display.ax_.get_ylabel() == "loading on component 2"
    assert len(display.ax_.collections) == 2
    swapped = plot.CorrelationCircleDisplay.from_estimator(model, components=(1, 0), n_features=3)
    np.testing.assert_array_equal(swapped.table_["x"], table["y"])
    with pytest.raises(ValueError, match="components 0 to 1"):
        plot.CorrelationCircleDisplay.from_estimator(model, components=(0, 2))
    x, y = np.random.default_rng(0).normal(size=(2, 40, 3))
    single = TreeCCA(1, n_estimators=3, random_state=0).fit([x, y])
    with pytest.raises(ValueError, match="needs two components; the model has one"):
        plot.CorrelationCircleDisplay.from_estimator(single)


def test_loadings(model):
    display = plot.LoadingsDisplay.from_estimator(model, view="prot", component=1, n_features=4)
    expected = model.loadings("prot", 1)
    for name, column in display.table_.items():
        np.testing.assert_array_equal(column, expected[name][:4])
    np.testing.assert_allclose([bar.get_width() for bar in display.ax_.patches], display.table_["loading"])
    assert display.ax_.get_xlabel() == "correlation with the variate"
    assert [label.get_text() for label in display.ax_.get_yticklabels()] == list(display.table_["feature"])


def test_partners_are_a_clustered_heatmap(model):
    display = plot.PartnersDisplay.from_estimator(model, pair=("prot", "rna"), n_features=5)
    table = display.table_
    assert len(table["feature"]) == 25
    for feature, partner, strength, correlation in zip(*table.values(), strict=True):
        known = model.partners("prot", features=[feature], n_partners=5)
        at = list(known["partner"]).index(partner)
        assert (strength, correlation) == (known["strength"][at], known["correlation"][at])
    assert display.ax_.get_ylabel() == "prot"
    assert display.ax_.get_xlabel() == "rna"
    assert display.ax_.images[0].get_array().shape == (5, 5, 3)
    assert len(plot.PartnersDisplay.from_estimator(model, component=1, n_features=1).table_["feature"]) == 1


def test_network_shows_the_strongest_relations(model):
    display = plot.NetworkDisplay.from_estimator(model, threshold=0.1, n_edges=4)
    strengths = display.table_["strength"]
    assert len(strengths) == 4
    assert np.all(np.diff(strengths) <= 0)
    assert strengths[0] == pytest.approx(model.partners(n_partners=1)["strength"].max())
    assert set(display.nodes) == set(zip(display.table_["view"], display.table_["feature"], strict=True)) | set(
        zip(display.table_["partner_view"], display.table_["partner"], strict=True)
    )
    angles = list(display.places().values())
    assert len(set(np.round(np.mod(angles, 2 * np.pi), 6))) == len(angles)
    nothing = plot.NetworkDisplay.from_estimator(model, threshold=1.1)
    assert len(nothing.table_["strength"]) == 0
    three = TreeCCA(1, n_estimators=10, random_state=0).fit(related_views(100, n_views=3))
    plot.NetworkDisplay.from_estimator(three, threshold=0.05, component=0).figure_.canvas.draw()


def test_names_keep_both_ends():
    rng = np.random.default_rng(0)
    for _ in range(500):
        name = "".join(rng.choice(list("aZ9_äλ漢$"), size=rng.integers(0, 60)))
        most = int(rng.integers(4, 40))
        shown = as_shown(name, most).replace(r"\$", "$")
        if len(name) <= most:
            assert shown == name
            continue
        begin, end = shown.split("…")
        assert len(shown) == most
        assert name.startswith(begin) and name.endswith(end) and begin and end


def test_percentages_are_those_of_the_report():
    assert [as_percent(share) for share in (0, 0.004, 0.006, 0.123, 1)] == ["0%", "<1%", "1%", "12%", "100%"]


def test_bars_show_their_values(model):
    bars = plot.ImportancesDisplay.from_estimator(model, n_features=3)
    assert [text.get_text() for text in bars.ax_.texts] == [as_percent(share) for share in bars.table_["importance"]]
    bars.figure_.canvas.draw()
    assert bars.ax_.get_xticklabels()[0].get_text() == "0%"
    loadings = plot.LoadingsDisplay.from_estimator(model, n_features=3)
    assert [text.get_text() for text in loadings.ax_.texts] == [f"{r:+.2f}" for r in loadings.table_["loading"]]
    correlations = plot.CorrelationsDisplay.from_estimator(model)
    assert [text.get_text() for text in correlations.ax_.texts] == [f"{r:.2f}" for r in model.correlations_]


def test_components_below_noise_are_marked():
    noise = TreeCCA(2, n_estimators=10, random_state=0).fit(list(np.random.default_rng(0).normal(size=(2, 100, 4))))
    assert not noise.found_.any()
    display = plot.CorrelationsDisplay.from_estimator(noise)
    display.figure_.canvas.draw()
    ticks = [label.get_text() for label in display.ax_.get_xticklabels()]
    assert ticks == [f"{k}\n{r:.2f}, below noise" for k, r in enumerate(noise.correlations_, 1)]
    assert all(bar.get_facecolor()[:3] == (1, 1, 1) for bar in display.ax_.patches[:2])  # hollow
    assert "component 2 (below noise)" in plot.VariatesDisplay.from_estimator(noise, component=1).ax_.get_title()
    assert plot.ImportancesDisplay.from_estimator(noise, component=0).ax_.get_title().endswith("1 (below noise)")
    assert plot.LoadingsDisplay.from_estimator(noise).ax_.get_title(loc="right").endswith("1 (below noise)")
    circle = plot.CorrelationCircleDisplay.from_estimator(noise)
    assert circle.ax_.get_xlabel() == "loading on component 1 (below noise)"


@pytest.mark.parametrize("kind", ["arrays", "frames"])
def test_shapes_show_where_the_data_lie(model, kind):
    pd = pytest.importorskip("pandas")
    views = VIEWS if kind == "arrays" else {n: pd.DataFrame(v) for n, v in zip(["rna", "prot"], VIEWS, strict=True)}
    display = plot.ShapeDisplay.from_estimator(model, view="rna", features=["f0"], views=views)
    np.testing.assert_allclose(display.data["f0"], np.sort(VIEWS[0][:, 0]), rtol=1e-6)
    (rug,) = display.ax_[0].collections
    low, high = display.ax_[0].lines[0].get_xdata()[[0, -1]]
    places = np.array([path[0, 0] for path in rug.get_segments()])
    assert len(places) > 100
    assert np.all((places >= low) & (places <= high))
    assert not plot.ShapeDisplay.from_estimator(model, features=["f0"]).ax_[0].collections
