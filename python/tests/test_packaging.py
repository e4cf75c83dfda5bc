"""What is handed out: the files of the source distribution, one version everywhere, workflows that call the Makefile.

`make wheel` builds the wheel from the source distribution and tries it (scripts/try_wheel.py).
"""

import os
import re
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

import treecca

ROOT = Path(__file__).parents[2]
in_git = pytest.mark.skipif(
    shutil.which("git") is None or not (ROOT / ".git").exists(), reason="not a checkout of the repository"
)
in_repository = pytest.mark.skipif(
    not (ROOT / ".github").exists(), reason="the source distribution has no workflows and templates"
)


@in_git
def test_the_source_distribution_has_the_files_of_the_repository_and_no_others(tmp_path):
    build = f"from scikit_build_core.build import build_sdist; build_sdist({str(tmp_path)!r})"
    subprocess.run([sys.executable, "-c", build], cwd=ROOT, check=True, capture_output=True)
    (archive,) = tmp_path.iterdir()
    prefix = f"treecca-{treecca.__version__}/"
    assert archive.name == f"treecca-{treecca.__version__}.tar.gz"
    with tarfile.open(archive) as files:
        members = files.getmembers()
    assert all(member.isfile() and member.name.startswith(prefix) for member in members)
    packed = {member.name.removeprefix(prefix) for member in members}
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    known = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout.split("\0")
    kept = {name for name in known if name and not name.startswith((".ci/", ".github/")) and (ROOT / name).exists()}
    assert packed == kept | {"PKG-INFO"}
    assert archive.stat().st_size < 5e6
    assert max(member.size for member in members) < 1e6


def test_the_version_comes_from_one_header():
    (version,) = re.findall(r'version = "([^"]+)"', (ROOT / "include/treecca/version.hpp").read_text())
    assert treecca.__version__ == version
    # These two read the header; the others repeat it.
    assert "include/treecca/version.hpp" in (ROOT / "CMakeLists.txt").read_text()
    assert 'input = "include/treecca/version.hpp"' in (ROOT / "pyproject.toml").read_text()
    assert f"\nversion: {version}\n" in (ROOT / "CITATION.cff").read_text()
    newest = re.search(r"^## (?:Unreleased: )?([\d.]+)", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert newest is not None
    assert newest[1] == version


@in_repository
def test_jobs_call_targets_that_exist():
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    for workflow in (ROOT / ".github/workflows").iterdir():
        text = workflow.read_text()
        called = set(re.findall(r"\bmake ([a-z-]+)$", text, re.MULTILINE))
        for values in re.findall(r"target: \[(.*)\]", text):
            called |= set(values.split(", "))
        assert called, workflow.name
        assert called <= targets, f"{workflow.name}: {called - targets}"
    help_text = (ROOT / "CONTRIBUTING.md").read_text()
    for target in ("wheel", "wheels", "lint", "test-clang"):
        assert f"make {target}`" in help_text


@pytest.mark.skipif(sys.platform != "linux", reason="the program finds its own path on Linux only")
@pytest.mark.skipif(shutil.which("treecca") is None, reason="the program treecca is not on the PATH")
def test_the_program_of_a_repaired_wheel_finds_the_packages_beside_it(tmp_path):
    """auditwheel moves the program to site-packages/treecca.scripts."""
    packages = tmp_path / "site-packages"
    program = packages / "treecca.scripts" / "treecca"
    library = packages / "xgboost" / "lib" / "libxgboost.so"
    for file in (program, library):
        file.parent.mkdir(parents=True)
    shutil.copy(shutil.which("treecca"), program)
    library.write_text("no library")
    environment = {
        key: value for key, value in os.environ.items() if key not in ("VIRTUAL_ENV", "CONDA_PREFIX", "HOME")
    }
    environment.pop("TREECCA_XGBOOST_LIB", None)
    table = tmp_path / "table.csv"
    table.write_text("a,b\n" + "".join(f"{i},{i * i % 7}\n" for i in range(50)))
    command = [program, "fit", "--view", f"x={table}", "--view", f"y={table}", "--engine", "xgboost"]
    done = subprocess.run([*command, "--out", tmp_path / "run"], env=environment, capture_output=True, text=True)
    assert done.returncode != 0
    assert str(library) in done.stderr
