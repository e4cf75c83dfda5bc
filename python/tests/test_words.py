"""Words that the project's texts do not use: what to write instead, and a check of every text file.

Only words that have no innocent use here are listed, so every hit is a sentence to rewrite. Names in code that join
words with underscores do not count.
"""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

# Words -> what to write instead. A blank stands for any gap, including line breaks and comment marks.
WORDS = {
    r"a little too good": "a number",
    r"anew": "again",
    r"believe it": "a number, or nothing",
    r"beside": "next to, compared with, in addition to",
    r"(?:dis)?honest(?:ly|y)?": "out-of-fold; unbiased",
    r"disturbances?|disturbed cop(?:y|ies)": "augmentation, augmented",
    r"for ever": "forever, indefinitely",
    r"foreign bytes": "untrusted input",
    r"found nothing": "is not distinguishable from noise",
    r"greatest": "highest, largest, maximum",
    r"in vain": "without result",
    r"luck(?:y|ier|iest|ily)?": "high by chance",
    r"made(?:-| )up(?! of)": "generated, synthetic",
    r"manners": "conventions",
    r"meet each other": "agree, align",
    r"mend(?:s|ed|ing)?": "fix",
    r"on the kind side": "a number",
    r"(?<![<\w-])pictures?": "plot",
    r"promised": "estimated",
    r"stands? in for": "replaces, represents",
    r"start values?": "initial values",
    r"the way of the data": "data flow",
    r"turn(?:s|ed|ing)? round": "rotate, flip",
    r"whoever": "a noun",
    r"whole(?:-| )numbers?": "integer",
}

_FOLDERS = ("docs", "src", "include", "python", "tests")
_FILES = ("README.md", "CONTRIBUTING.md")
_ENDINGS = {".md", ".py", ".pyi", ".hpp", ".cpp", ".in", ".css", ".js", ".html", ".txt", ".cmake", ".toml"}
_NOT_TEXT = {"golden", "corpus", "data", "site", "build", "__pycache__"}  # test data and generated files

_GAP = r"(?:\s|//|[#*>\"])+"
_PATTERN = re.compile("|".join(rf"\b(?:{words.replace(' ', _GAP)})\b" for words in WORDS), re.IGNORECASE)

pytestmark = pytest.mark.skipif(not (ROOT / "README.md").exists(), reason="the tests stand apart from the project")


def hits(text):
    """(line number, words) of everything in the text that the list forbids."""
    return [(text.count("\n", 0, match.start()) + 1, match.group()) for match in _PATTERN.finditer(text)]


def texts():
    for name in _FILES:
        yield ROOT / name
    for folder in _FOLDERS:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in _ENDINGS and not _NOT_TEXT.intersection(path.relative_to(ROOT).parts):
                yield path


def test_no_text_has_a_forbidden_word():
    found = [
        f"{path.relative_to(ROOT)}:{line}: {words!r}"
        for path in texts()
        if path != Path(__file__)
        for line, words in hits(path.read_text(encoding="utf-8"))
    ]
    assert not found, "Rewrite these sentences (WORDS says how):\n" + "\n".join(found)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("An HONEST estimate", ["HONEST"]),
        ("the signs are turned\n    // round here", ["turned\n    // round"]),
        ('"a whole "\n        "number"', ['whole "\n        "number']),
        ("made up of parts, besides; a promise; memory", []),
        ("made-up data, lucky for whoever", ["made-up", "lucky", "whoever"]),
        ("honest_value and <picture>", []),
    ],
)
def test_words_are_found_across_lines_and_comment_marks(text, words):
    assert [found for _, found in hits(text)] == words
