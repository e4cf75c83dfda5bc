"""docs/faq.md has an entry for every warning: its headings are the fixed words of the messages."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FAQ = ROOT / "docs" / "faq.md"
pytestmark = pytest.mark.skipif(not FAQ.exists(), reason="the tests stand apart from the project")

LITERAL = r'"(?:[^"\\]|\\.)*"'
# A text that is thrown is an error, any other sentence of these files a warning.
STATEMENT = re.compile(
    rf"(?P<before>throw\s+[\w:]+\s*\(|push_back\(|print_warnings\(\s*\{{|return|=(?=\s*fmt::format))"
    rf"\s*(?:fmt::format\(\s*)?(?P<texts>(?:{LITERAL}\s*)+)"
)
NOT_WARNINGS = {"report", "screen", "support"}  # folders with the sentences of reports and of the help
RETURN_OTHERS = {"cli", "engines"}  # folders whose functions return sentences that are no warnings
CSV_ERRORS = "csv_table.cpp"  # ends of errors

MIN_WORDS = 3


def is_sentence(text):
    return len(text) >= 35 and "<" not in text and "\\n" not in text and re.search(r"(?:\.|\. ?\{[^}]*\}\.?)$", text)


def warnings_of_core():
    for path in sorted((ROOT / "src").rglob("*.cpp")):
        if path.parent.name in NOT_WARNINGS or path.name == CSV_ERRORS:
            continue
        for match in STATEMENT.finditer(path.read_text(encoding="utf-8")):
            if match["before"].startswith("throw") or (
                match["before"] == "return" and path.parent.name in RETURN_OTHERS
            ):
                continue
            text = "".join(literal[1:-1] for literal in re.findall(LITERAL, match["texts"]))
            if is_sentence(text):
                yield re.sub(r"\{[^}]*\}", "…", text).replace('\\"', "")


def words_of(node):
    """A constant or f-string, with … for what is filled in."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(part.value if isinstance(part, ast.Constant) else "…" for part in node.values)
    return None


def warnings_of_package():
    for path in sorted((ROOT / "python" / "treecca").rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            is_warning = (
                isinstance(node, ast.Call) and getattr(node.func, "attr", getattr(node.func, "id", "")) == "warn"
            )
            given = [node.args[0]] if is_warning and node.args else []
            if isinstance(node, ast.FunctionDef) and node.name.endswith("_warning"):
                given = [inner.value for inner in ast.walk(node) if isinstance(inner, ast.Return)]
            yield from (words.replace('"', "") for words in map(words_of, given) if words)


def headings(section):
    """Headings of entries below sections whose title begins with this word."""
    found, inside = [], False
    for line in FAQ.read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            inside = line.startswith(f"## {section}")
        elif line.startswith("### ") and inside:
            found.append(line[4:])
    return found


def covers(heading, message):
    """Whether the words between the "…" of the heading are in the message, in this order."""
    at = 0
    for part in re.split("…", heading.replace('"', "")):
        words = " ".join(part.split())
        at = message.find(words, at)
        if at < 0:
            return False
        at += len(words)
    return True


MESSAGES = [*warnings_of_core(), *warnings_of_package()]
ENTRIES = headings("Warnings")


def test_warnings_are_found():
    assert len(MESSAGES) > 50
    assert any(message.startswith("No component exceeds its noise threshold") for message in MESSAGES)
    assert any("repeats: … samples but only" in message for message in MESSAGES)


@pytest.mark.parametrize("message", MESSAGES)
def test_every_warning_has_an_entry(message):
    assert any(covers(heading, message) for heading in ENTRIES), f"docs/faq.md has no entry for: {message}"


@pytest.mark.parametrize("heading", ENTRIES)
def test_every_entry_is_a_warning(heading):
    assert len(re.findall(r"\w+", heading)) >= MIN_WORDS
    assert any(covers(heading, message) for message in MESSAGES), "The core has no such warning any more."


def test_errors_of_the_page_exist():
    """Errors are grouped by hand; the fixed words of an entry must be in the sources."""
    sources = "\n".join(
        path.read_text(encoding="utf-8")
        for folder, ending in (("src", "*.cpp"), ("python/treecca", "*.py"))
        for path in sorted((ROOT / folder).rglob(ending))
    )
    texts = " ".join(re.sub(r'"\s*(?:f?r?)"', "", sources).replace('\\"', "").split())
    for heading in headings("Errors"):
        for part in re.split("…|; |: ", heading):
            words = " ".join(part.split())
            if len(words.split()) >= MIN_WORDS:
                assert words in texts or words.rstrip(":") in texts, f"{heading}: {words}"
