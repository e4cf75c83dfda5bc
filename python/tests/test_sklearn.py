import numpy as np
import pytest
from conftest import related_views
from sklearn import config_context
from sklearn.model_selection import GridSearchCV, GroupKFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from treecca import TreeCCA

HALVES = [slice(0, 1), slice(1, None)]


# A row of weight two is not a row that is there twice: the bins are of rows, and the copies may be in two folds.
NOT_REPETITIONS = {
    f"check_sample_weight_equivalence_on_{kind}_data": "weights do not move bins and folds"
    for kind in ("dense", "sparse")
}


@pytest.mark.filterwarnings("ignore::UserWarning")
@parametrize_with_checks(
    [TreeCCA(n_components=1, n_estimators=5, view_slices=HALVES)], expected_failed_checks=lambda _: NOT_REPETITIONS
)
def test_common_checks(estimator, check):
    check(estimator)


@pytest.fixture
def table():
    return np.hstack(related_views(200))


SLICES = [slice(0, 5), slice(5, 10)]


def test_grid_search_over_one_table(table):
    search = GridSearchCV(
        TreeCCA(2, n_estimators=20, random_state=0, view_slices=SLICES), {"max_depth": [1, [2, 4]]}, cv=3
    ).fit(table)
    assert search.best_score_ > 1
    assert search.transform(table).shape == (200, 4)


def test_pipeline_and_cross_validation(table):
    pipeline = make_pipeline(StandardScaler(), TreeCCA(2, n_estimators=20, random_state=0, view_slices=SLICES))
    assert cross_val_score(pipeline, table, cv=3).min() > 1
    pipeline.set_output(transform="pandas")
    out = pipeline.fit_transform(table)
    assert list(out.columns) == ["view0_1", "view0_2", "view1_1", "view1_2"]


def test_groups_are_routed(table):
    subject = np.repeat(np.arange(50), 4)
    with config_context(enable_metadata_routing=True):
        model = TreeCCA(2, n_estimators=10, random_state=0, view_slices=SLICES).set_fit_request(groups=True)
        search = GridSearchCV(model, {"max_depth": [1, 2]}, cv=GroupKFold(3)).fit(table, groups=subject)
    assert search.best_score_ > 0.5


def test_weights_are_routed(table):
    weight = np.where(np.arange(200) % 2 == 0, 1.0, 3.0)
    with config_context(enable_metadata_routing=True):
        model = TreeCCA(2, n_estimators=10, random_state=0, view_slices=SLICES).set_fit_request(sample_weight=True)
        search = GridSearchCV(model, {"max_depth": [1, 2]}, cv=3).fit(table, sample_weight=weight)
    assert search.best_score_ > 0.5


def test_slices_by_name_and_position(table):
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame(table, columns=[f"c{i}" for i in range(10)])
    settings = {"n_components": 2, "n_estimators": 10, "random_state": 0}
    by_slice = TreeCCA(**settings, view_slices=SLICES).fit(frame)
    by_name = TreeCCA(**settings, view_slices={"a": [f"c{i}" for i in range(5)], "b": [f"c{i}" for i in range(5, 10)]})
    by_name.fit(frame)
    assert by_name.view_names_ == ["a", "b"]
    np.testing.assert_array_equal(by_name.transform(frame), by_slice.transform(frame))
    as_list = TreeCCA(**settings).fit([frame.iloc[:, :5], frame.iloc[:, 5:]])
    np.testing.assert_array_equal(np.hstack(as_list.transform([table[:, :5], table[:, 5:]])), by_slice.transform(frame))
    masks = TreeCCA(**settings, view_slices=[np.arange(10) < 5, [i >= 5 for i in range(10)]]).fit(frame)
    assert masks.model_ == by_slice.model_
    for wrong, message in (
        ([5, 4], 'view "view0" 5. Expected its columns'),
        (["c0", "c1"], "view \"view0\" 'c0'. Expected its columns"),
        (5, "must list the columns of every view, got 5"),
        ("c0", "must list the columns of every view"),
        ([[True, False], [1]], "mask of 2 entries, but X has n_features = 10"),
        ([[1.5], [1]], "neither a name nor a position"),
        ([[0, True], [1]], "neither a name nor a position"),
        ([np.zeros(10, dtype=bool), [1]], 'leaves view "view0" without columns'),
    ):
        with pytest.raises(ValueError, match=message):
            TreeCCA(view_slices=wrong).fit(frame)
    with pytest.raises(ValueError, match='column "nope"'):
        TreeCCA(view_slices=[["nope"], [1]]).fit(frame)
    with pytest.raises(ValueError, match="column 12"):
        TreeCCA(view_slices=[[12], [1]]).fit(frame)
