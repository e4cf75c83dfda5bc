"""Writes python/treecca/_signature.py: the constructors of TreeCCA and TreeCCASSL and the texts of their parameters.

The source is include/treecca/parameters.hpp, as the extension gives it, and the parameters below that exist in Python
alone. `make docs` runs this; a test compares the file with `signature()`.
"""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import Any, NamedTuple

from treecca import _core

TARGET = Path(__file__).parents[1] / "python" / "treecca" / "_signature.py"


class Parameter(NamedTuple):
    name: str
    annotation: str
    default: str
    shown_type: str  # in the docstring
    shown_default: str
    text: str


ENGINE_PARAMS = Parameter(
    "engine_params",
    "Mapping[str, Any] | None",
    "None",
    "mapping",
    "None",
    'Parameters passed on to XGBoost or LightGBM, e.g. ``{"device": "cuda"}``.',
)
VIEW_SLICES = Parameter(
    "view_slices",
    "Sequence[Columns] | Mapping[str, Columns] | None",
    "None",
    "sequence or mapping of columns",
    "None",
    "The columns of each view if `fit` gets one table instead of several views, as in pipelines and grid search: "
    "slices, lists of positions, lists of column names or masks.",
)
CATEGORICAL_FEATURES = Parameter(
    "categorical_features",
    "Sequence[Any] | Mapping[str, Sequence[Any]] | None",
    "None",
    "list of columns, mapping of view name to such a list",
    "None",
    "Names or positions of columns that are categories: trees split their levels into sets, linear CCA gets "
    "indicators. Columns of a categorical type (pandas category, polars Categorical and Enum) always are.",
)
VERBOSE = Parameter(
    "verbose",
    "int | None",
    "None",
    "int",
    "None",
    "Progress on standard error. None: after two seconds, in a terminal or notebook, but not in worker processes. 0: "
    "never. 1: always.",
)
AUGMENTATION = Parameter(
    "augmentation",
    "Mapping[str, Any] | Augmentation | None",
    "None",
    "mapping or callable",
    'None: {"swap": 0.3}',
    'Random change of each row. A mapping with any of: ``"swap"`` (fraction of cells that take the value of another '
    'row, as in SCARF), ``"mask"`` (fraction of cells that become missing), ``"sign_flip"`` (True: each cell changes '
    'its sign with probability 1/2), ``"noise"`` (standard deviation of Gaussian noise, relative to that of the '
    "feature). Or a function ``augmentation(X, rng) -> array`` of the same shape: finite numbers, or NaN where a value "
    "is missing. It must draw from `rng`, so that two copies differ.",
)
ROWS = Parameter(
    "rows",
    "str | None",
    "None",
    '{"stacked", "symmetrised"}',
    'None: "stacked" (preset "paper": "symmetrised")',
    "stacked: trees are trained on both augmented copies; symmetrised: on the first copy, with the mean of both "
    "gradients.",
)

# Parameters of Python alone, after the parameter that they follow.
CCA_EXTRAS = {"engine": [ENGINE_PARAMS, VIEW_SLICES, CATEGORICAL_FEATURES], "random_state": [VERBOSE]}
SSL_EXTRAS = {
    "n_components": [AUGMENTATION, ROWS],
    "engine": [ENGINE_PARAMS, CATEGORICAL_FEATURES],
    "random_state": [VERBOSE],
}

HEAD = '''"""Constructors of the estimators. Written by `make docs` from include/treecca/parameters.hpp: do not edit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ._augmentation import Augmentation
from ._slices import Columns
'''
SEEDS = "int | np.random.Generator | np.random.RandomState | None"
TYPES = {"integer": "int", "number": "float", "choice": "str", "boolean": "bool"}
DEFAULT_IN_SIGNATURE = ("n_components", "preset")  # the others have None, which means "not given"


def declared(declaration: dict[str, Any], defaults: str) -> Parameter:
    """A parameter of the core; `defaults` is "default" (TreeCCA) or "ssl_default"."""
    name, kind = declaration["name"], TYPES[declaration["kind"]]
    per_view = declaration["per_view"] and defaults == "default"
    types, shown_types = [kind], [kind]
    if declaration["kind"] == "choice":
        shown_types = ["{" + ", ".join(f'"{choice}"' for choice in declaration["choices"]) + "}"]
    if declaration["auto"]:
        types.append("str")
    if per_view:
        types.append(f"Sequence[{kind} | None]" if declaration["zero_means"] == "none" else f"Sequence[{kind}]")
        shown_types.append(f"list of {kind}")
    if declaration["auto"]:
        shown_types.append('"auto"')
    meaning = declaration["help" if defaults == "default" else "ssl_help"]
    values = {preset: value(declaration, text) for preset, text in declaration[defaults].items()}
    usual = values.pop("auto")
    if defaults == "ssl_default":
        usual = values.pop("plain")  # one table has no parts: auto is plain
    # Of one table, "auto" is explained only where it is the default, as on the command line.
    explained = declaration["auto"] and (defaults == "default" or usual == '"auto"')
    sentences = [meaning, f'"auto": {declaration["auto"]}' if explained else "", declaration["details"]]
    others = ", ".join(f'preset "{preset}": {one}' for preset, one in values.items() if one != usual)
    default = usual if name in DEFAULT_IN_SIGNATURE else "None"
    shown = usual if name in DEFAULT_IN_SIGNATURE else f"None: {usual}" + (f" ({others})" if others else "")
    if name == "random_state":
        types, shown_types, shown = [SEEDS], ["int", "NumPy generator"], "None: a random seed"
    elif name == "n_jobs":
        sentences.append("-2: all but one")  # joblib's rule
    else:
        sentences.append(limits(declaration))
    annotation = " | ".join(types) + ("" if default != "None" or name == "random_state" else " | None")
    text = " ".join(f"{sentence}." for sentence in sentences if sentence)
    return Parameter(name, annotation, default, listed(shown_types), shown, text)


def value(declaration: dict[str, Any], text: str) -> str:
    """A value as Python spells it."""
    if text == declaration["zero_means"]:
        return "0"
    if declaration["kind"] == "boolean":
        return text.capitalize()
    return f'"{text}"' if declaration["kind"] == "choice" or text == "auto" else text


def limits(declaration: dict[str, Any]) -> str:
    low, high = declaration["low"], declaration["high"]
    if low is None:
        return ""
    if high is None:
        return f"Range: {low:.0f} or more"
    between = "above {:.0f} and up to {:.0f}" if declaration["open_low"] else "{:.0f} to {:.0f}"
    return "Range: " + between.format(low, high)


def listed(types: list[str]) -> str:
    return " or ".join([", ".join(types[:-1]), types[-1]] if len(types) > 1 else types)


def parameters(defaults: str, extras: dict[str, list[Parameter]]) -> list[Parameter]:
    result = []
    for declaration in _core.parameter_declarations():
        if defaults == "default" or declaration["in_ssl"]:
            result += [declared(declaration, defaults), *extras.get(declaration["name"], [])]
    return result


def class_text(name: str, estimator: str, chosen: list[Parameter]) -> str:
    first, *others = [f"{one.name}: {one.annotation} = {one.default}" for one in chosen]
    arguments = "".join(f"        {argument},\n" for argument in ["self", first, "*", *others])
    stores = "".join(f"        self.{one.name} = {one.name}\n" for one in chosen)
    return (
        f'class {name}:\n    """The parameters of :class:`treecca.{estimator}`."""\n\n'
        f"    def __init__(\n{arguments}    ) -> None:\n{stores}\n\n"
        f'{name}.__init__.__qualname__ = "{estimator}.__init__"  # for errors\n'
    )


def docstring(name: str, chosen: list[Parameter]) -> str:
    text = ""
    for one in chosen:
        text += f"    {one.name} : {one.shown_type}, default={one.shown_default}\n"
        text += textwrap.fill(one.text, 120, initial_indent=" " * 8, subsequent_indent=" " * 8, break_on_hyphens=False)
        text += "\n"
    return f'{name} = """\\\n{text}"""\n'


def signature() -> str:
    """The text of _signature.py."""
    cca, ssl = parameters("default", CCA_EXTRAS), parameters("ssl_default", SSL_EXTRAS)
    classes = class_text("CCAParameters", "TreeCCA", cca) + "\n\n" + class_text("SSLParameters", "TreeCCASSL", ssl)
    return f"{HEAD}\n\n{classes}\n\n{docstring('CCA_PARAMETERS', cca)}\n{docstring('SSL_PARAMETERS', ssl)}"


if __name__ == "__main__":
    TARGET.write_text(signature(), encoding="utf-8")
