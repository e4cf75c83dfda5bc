"""README.md and the pages of docs/ that show Python or commands, run as printed.

The ```python blocks of a page run one after the other in one namespace, in an empty folder; its ```console blocks show
commands ("$ treecca ...") that run in the same folder, in their place among the blocks. A page whose first block is a
command is only run with all its commands. A ```text block directly after either shows what is printed: words must be
equal, numbers nearly so, and a line "..." stands for any lines.

TREECCA_UPDATE_DOCS=1 writes what is printed into the pages (where "..." leaves something out: into the lines with the
same words), and replaces the images of a page by those that its blocks save under the same names. Pages that take
minutes, and need published data in the folder TREECCA_DATA, are run with TREECCA_SLOW_DOCS=1 alone.
"""

import ast
import contextlib
import io
import os
import re
import shlex
import shutil
import subprocess
import sys
import warnings
from dataclasses import dataclass
from pathlib import Path

import pytest
from sklearn import config_context

import treecca.plot

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
UPDATE = bool(os.environ.get("TREECCA_UPDATE_DOCS"))
PROGRAM = shutil.which("treecca")
TOLERANCE = 0.02  # other versions of NumPy, other processors
ALWAYS_THERE = {"numpy", "scipy", "sklearn", "treecca", *sys.stdlib_module_names}
NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?![\w])")


@dataclass
class Block:
    language: str
    text: str
    line: int  # where its text begins in the page, counted from 0
    follows: bool  # nothing but blank lines between the block before and this one


def blocks_of(page):
    blocks, opening, between = [], None, True
    lines = page.read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(lines):
        if opening is None and line.startswith("```"):
            opening, start, follows = line[3:].strip(), number + 1, not between
        elif opening is not None and line == "```":
            blocks.append(Block(opening, "\n".join(lines[start:number]), start, follows))
            opening, between = None, False
        elif opening is None and line.strip():
            between = True
    assert opening is None, f"{page.name}: a block is not closed."
    return blocks


def packages_of(blocks):
    """What the page needs beyond what TreeCCA itself needs."""
    needed = set()
    for block in blocks:
        for node in ast.walk(ast.parse(block.text)) if block.language == "python" else ():
            if isinstance(node, ast.Import):
                needed |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                needed.add(node.module.partition(".")[0])
            elif isinstance(node, ast.Attribute) and node.attr == "from_estimator":
                needed.add("matplotlib")
    return sorted(needed - ALWAYS_THERE)


def commands_of(block):
    joined = block.text.replace("\\\n", " ")
    return [shlex.split(line[2:], comments=True) for line in joined.splitlines() if line.startswith("$ ")]


def images_of(page):
    """Paths of the images that a page shows, below its own folder."""
    return re.findall(r"!\[[^\]]*\]\(([^)\s:]+)", page.read_text(encoding="utf-8"))


def run_python(page, block, namespace):
    out = io.StringIO()
    # Blank lines in front, so that an error tells the line of the page.
    code = compile("\n" * block.line + block.text, str(page), "exec")
    with contextlib.redirect_stdout(out):
        exec(code, namespace)
    return out.getvalue()


def run_console(page, block, folder):
    out = ""
    for command in commands_of(block):
        assert command[0] == "treecca", f"{page.name}: only treecca is run, not {command[0]}."
        done = subprocess.run(
            [PROGRAM, *command[1:]],
            cwd=folder,
            env={**os.environ, "LC_ALL": "C.UTF-8"},  # bars as the pages show them
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=600,
        )
        assert done.returncode == 0, f"{page.name}: {shlex.join(command)}\n{done.stderr}"
        out += done.stdout
    return out


def words(text):
    """A line as a pattern without its numbers, and the numbers."""
    return " ".join(NUMBER.sub("#", text).split()), [float(n) for n in NUMBER.findall(text)]


def same_line(shown, printed):
    (shape, numbers), (printed_shape, printed_numbers) = words(shown), words(printed)
    return shape == printed_shape and all(
        abs(a - b) <= TOLERANCE for a, b in zip(numbers, printed_numbers, strict=True)
    )


def same(shown, printed):
    """Whether lines match; "..." among those shown stands for any number of lines."""
    if not shown or not printed:
        return all(line.strip() == "..." for line in shown) and not printed
    if shown[0].strip() == "...":
        return any(same(shown[1:], printed[i:]) for i in range(len(printed) + 1))
    return same_line(shown[0], printed[0]) and same(shown[1:], printed[1:])


def with_new_numbers(shown, printed):
    """The lines shown, each replaced by the next printed line with the same words; "..." stays."""
    result, rest = [], list(printed)
    for line in shown:
        same_words = [i for i, candidate in enumerate(rest) if words(candidate)[0] == words(line)[0]]
        if line.strip() == "..." or not same_words:
            result.append(line)
        else:
            result.append(rest[same_words[0]])
            del rest[: same_words[0] + 1]
    return result


def lines_of(text):
    return [line.rstrip() for line in text.strip("\n").splitlines()]


def run(page, folder, *, with_commands):
    blocks, namespace, updates = blocks_of(page), {"__name__": "__main__"}, []
    for block, after in zip(blocks, [*blocks[1:], None], strict=True):
        if block.language == "python":
            printed = run_python(page, block, namespace)
        elif block.language == "console" and with_commands:
            printed = run_console(page, block, folder)
        else:
            continue
        if after is None or after.language != "text" or not after.follows:
            continue
        if UPDATE:
            shown = lines_of(after.text)
            new = with_new_numbers(shown, lines_of(printed)) if "..." in shown else lines_of(printed)
            updates.append((after, new))
            continue
        assert same(lines_of(after.text), lines_of(printed)), (
            f"{page.name}, line {after.line + 1}: it shows\n{after.text}\nbut what is printed is\n{printed}"
        )
    lines = page.read_text(encoding="utf-8").splitlines()
    for block, printed in reversed(updates):
        lines[block.line : block.line + len(block.text.splitlines())] = printed
    if updates:
        page.write_text("\n".join(lines) + "\n", encoding="utf-8")
    for image in images_of(page) if UPDATE else ():
        if (made := folder / Path(image).name).exists():
            shutil.copy(made, page.parent / image)


@pytest.fixture
def empty_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "agg")
    with config_context(), warnings.catch_warnings():  # pages may set options of scikit-learn
        warnings.simplefilter("ignore")
        yield tmp_path
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")


def need_packages(page):
    if "TREECCA_DATA" in page.read_text(encoding="utf-8") and not os.environ.get("TREECCA_SLOW_DOCS"):
        pytest.skip(f"{page.name} takes minutes and needs published data; TREECCA_SLOW_DOCS=1 runs it.")
    for package in packages_of(blocks_of(page)):
        pytest.importorskip(package, reason=f"{page.name} needs {package}, which is not installed.")
        if package == "matplotlib":
            sys.modules["matplotlib"].use("agg")


def languages_of(page):
    """Of the blocks that are run."""
    return [block.language for block in blocks_of(page) if block.language in ("python", "console")]


GALLERY = DOCS / "gallery.md"
NAMED = [ROOT / "README.md", DOCS / "install.md", DOCS / "quickstart.md", GALLERY]
RUN = [page for page in [*NAMED, *sorted((DOCS / "guide").glob("*.md"))] if page.exists()]
# Slow pages run once, with their commands, whose files they read.
PAGES = [page for page in RUN if languages_of(page)[:1] == ["python"] and "TREECCA_DATA" not in page.read_text("utf-8")]
PAGES_WITH_COMMANDS = [page for page in RUN if "console" in languages_of(page)]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_python_runs_as_printed(page, empty_folder):
    need_packages(page)
    run(page, empty_folder, with_commands=False)


@pytest.mark.skipif(PROGRAM is None, reason="the program treecca is not on the PATH")
@pytest.mark.parametrize("page", PAGES_WITH_COMMANDS, ids=lambda page: page.stem)
def test_commands_run_as_printed(page, empty_folder):
    need_packages(page)
    run(page, empty_folder, with_commands=True)


def test_every_page_is_in_the_index():
    index = (DOCS / "README.md").read_text(encoding="utf-8")
    for page in [*DOCS.glob("*.md"), *DOCS.glob("guide/*.md")]:
        name = page.relative_to(DOCS).as_posix()
        assert name == "README.md" or f"]({name})" in index, f"docs/README.md does not list {name}."


def test_the_gallery_has_every_plot():
    code = "\n".join(block.text for block in blocks_of(GALLERY) if block.language == "python")
    for name in treecca.plot.__all__:
        assert f"{name}.from_" in code, f"docs/gallery.md does not show {name}."
    images = images_of(GALLERY)
    assert sorted(images) == sorted(f"gallery/{path.name}" for path in (DOCS / "gallery").iterdir())
    for image in images:
        assert f'"{Path(image).name}"' in code, f"No block of docs/gallery.md makes {image}."
        assert (DOCS / image).stat().st_size < 100_000, f"{image} is too large."


@pytest.mark.parametrize(
    ("shown", "printed", "equal"),
    [
        ("a 0.51", "a   0.52", True),
        ("a 0.51", "a -0.51", False),
        ("a 0.51", "b 0.51", False),
        ("a\n...\nz", "a\nb\nc\nz", True),
        ("a\n...\nz", "a\nb", False),
        ("cc1 0.5", "cc2 0.5", False),
        ("a", "a\nb", False),
    ],
)
def test_comparison(shown, printed, equal):
    assert same(lines_of(shown), lines_of(printed)) is equal


def test_update_around_gaps():
    printed = ["first 1", "a 2.5 [0, 1]", "b 3", "a 4 [0, 2]", "last 7"]
    assert with_new_numbers(["...", "a 2 [0, 1]", "...", "a 1 [0, 1]", "c 5"], printed) == [
        "...",
        "a 2.5 [0, 1]",
        "...",
        "a 4 [0, 2]",
        "c 5",
    ]
