"""Trees of a model file evaluated in NumPy."""

import json

import numpy as np
import pytest

from benchmarks.walker import variates
from treecca import TreeCCA
from treecca.datasets import make_signed_power


@pytest.mark.parametrize("settings", [{"preset": "plain"}, {}, {"linear": 0.5}, {"linear": 1}])
def test_variates_equal_transform_with_oversampling(settings):
    data = make_signed_power(300, random_state=0)
    model = TreeCCA(2, n_oversamples=2, n_estimators=5, random_state=0, **settings).fit(data.views)
    walked = variates(json.loads(model.model_.to_bytes("json")), data.test_views)
    for ours, theirs in zip(walked, model.transform(data.test_views), strict=True):
        np.testing.assert_allclose(ours, theirs, atol=1e-4)
