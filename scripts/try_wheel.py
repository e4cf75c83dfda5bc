"""Tries the installed wheel: its files, its version, a fit with the program and with Python.

Run by scripts/python wheel and by cibuildwheel, with the interpreter of an environment that has the wheel and what it
depends on, and nothing else.
"""

import platform
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from importlib.metadata import distribution
from pathlib import Path

import numpy as np

import treecca

MAX_MEGABYTES = 25  # installed; about 15 with OpenMP


def check_files() -> float:
    """Nothing but the package, the libraries copied into the wheel, and the program. Returns the size in MB."""
    files = distribution("treecca").files or []
    names = [file.as_posix() for file in files if "__pycache__" not in file.parts]
    expected = re.compile(
        r"treecca/[\w/]+\.(py|pyi|typed|json|csv|npz|html|css|js)$|treecca/_core[\w.-]*\.(so|pyd)$|treecca/\.dylibs/"
        r"|treecca\.libs/|treecca\.scripts/treecca$|treecca-[\w.+]+\.dist-info/|(\.\./)+(bin|Scripts)/treecca(\.exe)?$"
    )
    strange = [name for name in names if not expected.match(name)]
    assert not strange, f"files that do not belong into the wheel: {strange}"
    for part in ("treecca/py.typed", "treecca/_core.pyi", "treecca/plot/__init__.py", "/LICENSE", "/NOTICE"):
        assert any(name.endswith(part) for name in names), f"the wheel lacks {part}"
    assert not any("tests" in Path(name).parts for name in names), "the wheel has tests"
    # One extension for every later Python (nanobind: from 3.12 on), except where the interpreter has no stable ABI.
    core = next(Path(name).name for name in names if name.startswith("treecca/_core.") and not name.endswith(".pyi"))
    stable = (
        platform.python_implementation() == "CPython"
        and sys.version_info >= (3, 12)
        and not sysconfig.get_config_var("Py_GIL_DISABLED")
    )
    assert ("abi3" in core) == stable or sys.platform == "win32", core
    megabytes = sum(Path(file.locate()).stat().st_size for file in files if Path(file.locate()).exists()) / 2**20
    assert megabytes < MAX_MEGABYTES, f"{megabytes:.1f} MB installed"
    return megabytes


def check_versions(program: str) -> None:
    printed = subprocess.run([program, "--version"], check=True, capture_output=True, text=True).stdout.split()
    assert treecca.__version__ == distribution("treecca").version, treecca.__version__
    assert treecca.__version__ in printed, printed


def check_fits(program: str) -> None:
    """The program writes a model that Python reads; Python fits and applies one of its own."""
    with tempfile.TemporaryDirectory() as folder:
        run = Path(folder) / "demo"
        subprocess.run([program, "demo", "--out", str(run)], check=True, capture_output=True)
        assert treecca.load(run / "model.json").n_components >= 1
        x = np.random.default_rng(0).normal(size=(300, 3)).astype(np.float32)
        model = treecca.TreeCCA(1, n_estimators=20, random_state=0).fit([x, x[:, :1] ** 2])
        assert model.correlations_[0] > 0.8, model.correlations_
        model.save(Path(folder) / "model.json")
        again = treecca.load(Path(folder) / "model.json").transform([x, x[:, :1] ** 2])
        assert np.array_equal(again[0], model.transform([x, x[:, :1] ** 2])[0])


def main() -> None:
    program = shutil.which("treecca", path=sysconfig.get_path("scripts"))
    assert program is not None, "the wheel installed no program"
    for compiler in ("cc", "c++", "gcc", "clang", "cl"):
        if shutil.which(compiler):
            print(f"note: {compiler} is on the PATH")
    megabytes = check_files()
    check_versions(program)
    check_fits(program)
    core = Path(treecca._core.__file__).name
    print(f"treecca {treecca.__version__} works with Python {platform.python_version()}: {core}, {megabytes:.1f} MB")


if __name__ == "__main__":
    main()
