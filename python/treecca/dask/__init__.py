"""TreeCCA on Dask: rows stay on the workers that hold them.

>>> from distributed import Client                                             # doctest: +SKIP
>>> from treecca.dask import DaskTreeCCA                                       # doctest: +SKIP
>>> model = DaskTreeCCA(n_components=3, client=Client()).fit([X1, X2])         # doctest: +SKIP
"""

try:
    import dask as _dask
    import distributed as _distributed
except ImportError as error:
    raise ImportError(
        "treecca.dask needs Dask and XGBoost, whose communicator it uses: "
        'pip install "dask[array,dataframe,distributed]" xgboost.'
    ) from error

from ._estimator import DaskTreeCCA

del _dask, _distributed

__all__ = ["DaskTreeCCA"]
