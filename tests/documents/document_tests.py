#!/usr/bin/env python3
"""Checks all *.md files: links and images, anchors, paths and test names in code, identifiers in the recipes of
CONTRIBUTING.md, and the size of the README.

    tests/documents/document_tests.py           all tests; the first checks this tree, the others show that each check can fail
    tests/documents/document_tests.py -k Tree   only this tree
"""

import fnmatch
import os
import re
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MAX_README_BYTES = 8192

CODE_BLOCK = re.compile(r"^(```.*?^```|(?: {4}|\t).*?$)", re.MULTILINE | re.DOTALL)
CODE_SPAN = re.compile(r"`([^`\n]+)`")
LINK = re.compile(r"\[((?:[^\[\]]|\[[^\[\]]*\])*)\]\(([^()\s]+)")
HEADING = re.compile(r"^#+ +(.*?) *#*$", re.MULTILINE)
SOURCE_PATH = re.compile(r"(?:^|(?<=[\s'\"(=]))((?:app|assets|cmake|render|shaders|sim|tests)/[\w./-]*[\w/])(?![\w*])")
PLACEHOLDER = re.compile(r"NAME|FORMAT")
TEST_MACRO = re.compile(r"\bTEST(?:_F|_P)?\(\s*(\w+),\s*(\w+)\s*\)")
TEST_NAME = re.compile(r"(?:\w+/)?([A-Z]\w+)?\.([A-Za-z][\w*]*|\*)")
TEST_FILTER = re.compile(r"(?:ctest.* -R |--gtest_filter=)'?([^'\s]+)'?")
IDENTIFIER = re.compile(r"\b[a-zA-Z_]\w*(?=[(<])|\b\w*[A-Z_]\w*\b")
COMMENT_OR_STRING = re.compile(r"//.*|\"[^\"\n]*\"")
RECIPES = re.compile(r"^## Recipes$.*?(?=^## |\Z)|^#{2,3} (?:Add|Write) an? .*?(?=^#|\Z)", re.MULTILINE | re.DOTALL)
FILE_SUFFIXES = ("cpp", "cu", "cuh", "h", "md", "sh", "py", "txt", "csv", "svg", "hdf5", "comp", "glsl", "toml")


def documents(root):
    found = []
    for folder, folders, files in os.walk(root):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name != "build")
        found += [Path(folder) / name for name in sorted(files) if name.endswith(".md")]
    return found


def prose(text):
    """The text without code."""
    return CODE_SPAN.sub("", CODE_BLOCK.sub("", text))


def code(text):
    """All code spans and the lines of all code blocks."""
    lines = [line for block in CODE_BLOCK.findall(text) for line in block.splitlines()]
    return lines + CODE_SPAN.findall(CODE_BLOCK.sub("", text))


def anchors(text):
    """Anchors of the headings, as GitHub makes them."""
    found, counts = set(), {}
    for heading in HEADING.findall(CODE_BLOCK.sub("", text)):
        heading = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
        slug = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
        count = counts.get(slug, 0)
        counts[slug] = count + 1
        found.add(f"{slug}-{count}" if count else slug)
    return found


def targets(text):
    """Targets of all links and images, including images inside the text of a link."""
    found = []
    for label, target in LINK.findall(prose(text)):
        found += [target, *targets(label)]
    return found


def dead_links(root, document, text):
    for target in targets(text):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        file = (document.parent / path).resolve() if path else document
        if not file.is_relative_to(root) or not file.exists():
            yield f"dead link: {target}"
        elif anchor and (file.suffix != ".md" or anchor not in anchors(file.read_text())):
            yield f"dead anchor: {target}"


def missing_paths(root, text):
    for piece in code(text):
        for path in SOURCE_PATH.findall(piece):
            if not PLACEHOLDER.search(path) and not (root / path).exists():
                yield f"no such path: {path}"


def test_names(root):
    sources = [path for suffix in ("cpp", "cu", "h") for path in (root / "tests").rglob("*." + suffix)]
    return {name for path in sources for name in TEST_MACRO.findall(path.read_text(errors="replace"))}


def missing_tests(names, text):
    """Tests that are named as `Suite.Name` (with wildcards), as `.Name` after such a name, or in a filter, but do not exist."""
    joined = {f"{suite}.{name}" for suite, name in names}
    suite = ""
    for piece in code(text):
        match = TEST_NAME.fullmatch(piece)
        if match and match[2] not in FILE_SUFFIXES:
            suite = match[1] or suite
            if not fnmatch.filter(joined, f"{suite}.{match[2]}"):
                yield f"no such test: {suite}.{match[2]}"
        filters = TEST_FILTER.search(piece)
        for pattern in re.split(r"\\?\||:", filters[1]) if filters else []:
            longest = max(re.split(r"\.?\*", pattern), key=len)  # other parts are names of parameters
            if re.match(r"[A-Z]", longest) and not any(longest in name for name in joined):
                yield f"no such test: {pattern}"


def words(root):
    """All words of the sources, without comments and strings."""
    sources = [path for folder in ("app", "render", "sim") for path in (root / folder).rglob("*.*")]
    return {word for path in sources if path.suffix[1:] in ("cpp", "cu", "cuh", "h")
            for word in re.findall(r"\w+", COMMENT_OR_STRING.sub("", path.read_text(errors="replace")))}


def missing_identifiers(known, text):
    for piece in code("".join(RECIPES.findall(text))):
        for word in IDENTIFIER.findall(piece) if "/" not in piece else []:
            if not PLACEHOLDER.search(word) and word not in known:
                yield f"no such identifier: {word}"


def problems(root):
    root = root.resolve()
    names = test_names(root)
    found = []
    known = words(root)
    for document in documents(root):
        text = document.read_text()
        for problem in (*dead_links(root, document, text), *missing_paths(root, text), *missing_tests(names, text),
                        *missing_identifiers(known, text)):
            found.append(f"{document.relative_to(root)}: {problem}")
    readme = root / "README.md"
    if readme.exists() and readme.stat().st_size > MAX_README_BYTES:
        found.append(f"README.md: {readme.stat().st_size} bytes, more than {MAX_README_BYTES}")
    return found


class Tree(unittest.TestCase):
    def test_documents_are_correct(self):
        self.assertGreater(len(documents(ROOT)), 8)
        self.assertEqual(problems(ROOT), [])


class Planted(unittest.TestCase):
    """A tree with two documents, one test and one image, in which defects are planted."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        self.write("tests/a_tests.cpp", "TEST(Suite, DoesSomething) {}\nTEST_P(Forces, Hold) {}\n")
        self.write("assets/image.png", "")
        self.write("app/README.md", "# User guide\n\n## Keys and mouse (`?`)\n\n    # no heading\n")

    def write(self, path, text):
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_text(text)

    def problems_of(self, text):
        self.write("README.md", text)
        return problems(self.root)

    def test_accepts_what_is_correct(self):
        self.assertEqual(self.problems_of(
            "# Title\n## Two words\n## Two words\n[a](app/README.md) [b](app/README.md#keys-and-mouse-) [c](#two-words-1)\n"
            "[d](app) ![e](assets/image.png) [![f](assets/image.png)](app/README.md)\n"
            "[doi:10.1/a(90)b](https://doi.org/10.1/a(90)b) `[g](missing.md)`\n\n    [h](missing.md)\n\n"
            "`tests/a_tests.cpp`, `app/NAME.cpp`, `build/x.cpp`, `Suite.Does*`, `X/Suite.DoesSomething`, `.Does*`, `README.md`\n"
            "`ctest -R 'Forces.*direct|Suite.DoesSomething'` `a_tests --gtest_filter='*Hold*direct*:Suite.*'`\n"), [])

    def test_finds_what_is_wrong(self):
        for text in ("[a](missing.md)", "![a](assets/missing.png)", "[a](#nowhere)", "[a](app/README.md#no-heading)",
                     "[a](../outside.md)", "[![a](assets/missing.png)](app/README.md)", "[a](/app/README.md)",
                     "| x | [a [b]](missing.md) |", "`app/missing.cpp`", "`run tests/missing.sh --now`",
                     "\n    app/missing.sh FILE\n", "`Suite.DoesNothing`", "`Missing.*`", "`Suite.*` `.Missing`", "`a --gtest_filter='Suite.*:Missing.*'`", "`ctest -R Missing.Test`",
                     "`ctest --test-dir build/ci -R 'Suite.DoesSomething|Missing'`", "x" * (MAX_README_BYTES + 1)):
            with self.subTest(text=text[:80]):
                self.assertEqual(len(self.problems_of(text)), 1, problems(self.root))

    def test_finds_identifiers_in_recipes_that_do_not_exist(self):
        self.write("app/a.h", "class Thing { void do_it(Real); };  // do_that()\n")
        self.write("CONTRIBUTING.md", "`Other`\n## Recipes\n`Thing<Real>`, `do_it()`, `draw_NAME`\n## Rules\n`PascalCase`\n")
        self.assertEqual(problems(self.root), [])
        self.write("CONTRIBUTING.md", "## Recipes\n`OtherThing<Real>` `do_that()`, `draw_NAME`, `other<...>(thing)`\n")
        self.assertEqual(len(problems(self.root)), 3, problems(self.root))
        self.write("CONTRIBUTING.md", "# Thing\n`Elsewhere`\n### Add a thing\n`OtherThing<Real>`\n## Notes\n`Elsewhere`\n")
        self.assertEqual(len(problems(self.root)), 1, problems(self.root))


if __name__ == "__main__":
    unittest.main()
