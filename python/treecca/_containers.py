"""`set_output`: variates as NumPy arrays, pandas or polars tables."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn import get_config


class OutputContainer:
    """Wraps each view's table itself, because scikit-learn's wrapper handles one table per call."""

    _sklearn_output_config: dict[str, str]

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**{**kwargs, "auto_wrap_output_keys": None})

    def set_output(self, *, transform: str | None = None) -> Any:
        """Choose what `transform` returns: "default" (NumPy), "pandas" or "polars"; None keeps the setting."""
        if transform is None:
            return self
        if transform not in ("default", "pandas", "polars"):
            raise ValueError(f'transform must be "default", "pandas" or "polars", got {transform!r}.')
        self._sklearn_output_config = {**getattr(self, "_sklearn_output_config", {}), "transform": transform}
        return self

    def _in_container(self, values: NDArray[Any], index: Any, names: Iterable[str]) -> Any:
        container = getattr(self, "_sklearn_output_config", {}).get("transform", get_config()["transform_output"])
        columns = [str(name) for name in names]
        if container == "pandas":
            import pandas as pd

            return pd.DataFrame(values, index=index, columns=columns, copy=False)
        if container == "polars":
            import polars as pl

            return pl.DataFrame(np.asarray(values), schema=columns, orient="row")
        return values
