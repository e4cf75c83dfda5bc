"""The generated constructors, and the defaults that their documentation shows."""

import importlib.util
from pathlib import Path

import pytest
from conftest import related_views

from treecca import TreeCCA, TreeCCASSL, _core

SCRIPT = Path(__file__).parents[2] / "scripts" / "signature.py"
DECLARATIONS = _core.parameter_declarations()
KINDS = {TreeCCA: "default", TreeCCASSL: "ssl_default"}

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")


def test_the_file_is_what_the_declarations_give():
    spec = importlib.util.spec_from_file_location("signature", SCRIPT)
    generator = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(generator)
    assert generator.TARGET.read_text(encoding="utf-8") == generator.signature(), "Run make docs."


@pytest.mark.parametrize("kind", KINDS)
def test_every_parameter_is_in_the_constructor_and_documented(kind):
    declared = {one["name"] for one in DECLARATIONS if kind is TreeCCA or one["in_ssl"]}
    names = set(kind().get_params())
    assert declared <= names
    assert not {one["name"] for one in DECLARATIONS if one["name"] not in declared} & names
    assert all(f"\n    {name} : " in kind.__doc__ for name in names)


def test_the_documentation_shows_types_and_the_default_of_every_preset():
    for line in (
        "n_components : int, default=2",
        'preset : {"auto", "plain", "paper"}, default="auto"',
        'n_estimators : int or "auto", default=None: "auto" (preset "plain": 150, preset "paper": 500)',
        'cross_fit : int or "auto", default=None: "auto" (preset "plain": 5, preset "paper": 0)',
        "reg_lambda : float or list of float, default=None: 1",
        'min_child_weight : float, list of float or "auto", default=None: "auto" (preset "paper": 5)',
        'rotate : bool, default=None: True (preset "paper": False)',
    ):
        assert f"\n    {line}\n" in TreeCCA.__doc__
    for line in (
        'preset : {"auto", "plain", "paper"}, default="plain"',
        'n_estimators : int or "auto", default=None: 150 (preset "paper": 1500)',
        'n_oversamples : int or "auto", default=None: 5 (preset "paper": 0)',
        "reg_lambda : float, default=None: 1",
    ):
        assert f"\n    {line}\n" in TreeCCASSL.__doc__
    assert "Range: 1 to 16." in TreeCCA.__doc__
    assert "Range: above 0 and up to 1." in TreeCCA.__doc__


@pytest.mark.parametrize("preset", ["auto", "plain", "paper"])
@pytest.mark.parametrize("kind", KINDS)
def test_none_is_the_default_that_is_declared(kind, preset):
    """Given one by one, the declared values of a preset make the model that None makes."""
    data = related_views(60) if kind is TreeCCA else related_views(60)[0]
    own = {"n_components": 1, "n_estimators": 3, "random_state": 0, "preset": preset}
    declared = {one["name"]: one[KINDS[kind]][preset] for one in DECLARATIONS if kind is TreeCCA or one["in_ssl"]}
    given = {name: value for name, value in declared.items() if name not in own and name != "n_jobs"}
    assert len(given) > 10
    assert kind(**own, **given).fit(data).model_ == kind(**own).fit(data).model_
