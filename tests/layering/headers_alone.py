#!/usr/bin/env python3
"""Checks that every header of app, render and sim compiles alone, without warnings, and has an include guard.

    headers_alone.py SOURCE_FOLDER COMPILER [COMPILER_FLAG]...

Most of the time would be spent on the standard library, so each header is compiled after a precompiled header. This hides no
missing #include, because a header is precompiled for another one only if the other one includes it, directly or not: the
text of a header sees only what it includes. Those headers are themselves checked in the same way, with less in front of
them. Precompiled headers that are built on each other need Clang; with another compiler nothing is precompiled. Clang 14
fails to read some of them; a header that fails is therefore compiled again after standard headers alone, then after nothing.
Headers named *_simd.h are excluded, because they need macros of an instruction set.
"""

import argparse
import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

INCLUDE = re.compile(r'#include ([<"])([^>"]+)[>"]')
CONDITION = re.compile(r"#\s*(if|endif)")
# Standard headers that are precompiled together, each set with the one before it. A header uses the largest set that it includes.
STANDARD_SETS = [["cstdint", "cstddef"], ["string"], ["vector"], ["optional"], ["functional"], ["memory"]]


def headers_below(source):
    found = []
    for folder in ("app", "render", "sim"):
        found += [path.relative_to(source).as_posix() for path in (source / folder).rglob("*.h")]
    return sorted(path for path in found if not path.endswith("_simd.h"))


def compiler_flags(source, flags):
    """The flags with the source folder, which CMake also lists among the system folders, where warnings are suppressed."""
    kept = ["-I", str(source)]
    for k, flag in enumerate(flags):
        if flag != "-isystem" and not (k > 0 and flags[k - 1] == "-isystem"):
            kept.append(flag)
        elif flag != "-isystem" and flag not in (str(source), "/usr/include"):  # which is found without a flag
            kept += ["-isystem", flag]
    return kept


def includes_of(text):
    """What a file includes under all conditions: names of project headers, and others as <name>."""
    found, depth = [], 0
    for line in text.splitlines():
        condition = CONDITION.match(line)
        if condition:
            depth += 1 if condition[1] == "if" else -1
        include = INCLUDE.match(line)
        if include and depth == 0:
            found.append(f"<{include[2]}>" if include[1] == "<" else include[2])
    return found


def closure(header, direct, known):
    """All that a header includes, directly or not."""
    if header not in known:
        known[header] = set()
        for include in direct.get(header, []):
            known[header] |= {include} | closure(include, direct, known)
    return known[header]


def parents_of(headers, closures):
    """For each header the precompiled header with the most content among those that contain only what it includes, then the
    one with the most standard headers."""
    contents = {}
    for count in range(1, len(STANDARD_SETS) + 1):
        names = {f"<{name}>" for names in STANDARD_SETS[:count] for name in names}
        contents[" ".join(sorted(names))] = names
    standard = list(contents)
    for header in headers:
        contents[header] = closures[header] | {header}
    parents = {name: [standard[place - 1], None] if place else [None] for place, name in enumerate(standard)}
    for header in headers:
        fitting = sorted((name for name in contents if contents[name] <= closures[header]), key=lambda name: (len(contents[name]), name))
        parents[header] = [*fitting[-1:], *[name for name in fitting[:-1] if name in standard][-1:], None]
    return parents


class Check:
    def __init__(self, arguments, folder):
        self.source, self.folder, self.clang = arguments.source, Path(folder), "clang" in Path(arguments.compiler).name
        self.no_report = ["-fno-crash-diagnostics"] if self.clang else []
        self.environment = {**os.environ, "LLVM_DISABLE_SYMBOLIZATION": "1"}
        self.command = [arguments.compiler, "-O0", "-Werror", *self.no_report, *compiler_flags(self.source, arguments.flags)]

    def precompiled(self, name):
        return self.folder / (re.sub(r"\W", "_", name) + ".pch")

    def compile(self, name, parents, is_parent):
        """Compiles a header twice in one file, after the first of these parents with which that succeeds. Returns what the
        compiler says if all fail."""
        parent = parents[0]
        text = "".join(f"#include {part}\n" for part in name.split()) if name.startswith("<") else f'#include "{name}"\n' * 2
        command = list(self.command)
        if self.clang and parent:
            command += ["-include-pch", self.precompiled(parent)]
        if self.clang and is_parent:
            command += ["-Xclang", "-fno-pch-timestamp", "-o", self.precompiled(name)]
            language = "c++-header"
        else:
            command += ["-fsyntax-only"]
            language = "c++"
        file = self.precompiled(name).with_suffix(".hpp" if language == "c++-header" else ".cpp")
        file.write_text(text)
        result = subprocess.run([*command, "-x", language, file], capture_output=True, text=True, env=self.environment)
        if result.returncode and self.clang and parent:
            return self.compile(name, parents[1:], is_parent)
        return f"{name} does not compile alone:\n{result.stdout}{result.stderr}" if result.returncode else ""


def check_all(check, parents):
    """Compiles each header as soon as its parent is compiled."""
    children = {}
    for name, (parent, *_) in parents.items():
        children.setdefault(parent, []).append(name)
    problems, running = [], {}
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:

        def start(names):
            for name in sorted(names, key=lambda name: -len(children.get(name, []))):
                running[pool.submit(check.compile, name, parents[name], name in children)] = name

        start(children.get(None, []))
        while running:
            done, _ = concurrent.futures.wait(running, return_when=concurrent.futures.FIRST_COMPLETED)
            for future in done:
                name = running.pop(future)
                if future.result():
                    problems.append(future.result())
                else:
                    start(children.get(name, []))
    return problems


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("source", type=Path)
    parser.add_argument("compiler")
    arguments, arguments.flags = parser.parse_known_args()
    headers = headers_below(arguments.source)
    direct = {header: includes_of((arguments.source / header).read_text()) for header in headers}
    closures, known = {}, {}
    for header in headers:
        closures[header] = closure(header, direct, known)
    with tempfile.TemporaryDirectory() as folder:
        problems = check_all(Check(arguments, folder), parents_of(headers, closures))
    print("\n".join(problems))
    print(f"{len(headers)} headers, {len(problems)} problems")
    return 1 if problems or not headers else 0


if __name__ == "__main__":
    sys.exit(main())
