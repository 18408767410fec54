#!/usr/bin/env python3
"""Runs clang-tidy, with the checks of .clang-tidy, on all headers of app, render and sim in one file, which takes 15 seconds.

    tidy_headers.py SOURCE_FOLDER CLANG_TIDY [COMPILER_FLAG]...

All source files would take many minutes. This checks one of them: clang-tidy -p build/debug FILE
"""

import subprocess
import sys
import tempfile
from pathlib import Path

from headers_alone import compiler_flags, headers_below


def main():
    source, program = Path(sys.argv[1]), sys.argv[2]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "all_headers.cpp"
        file.write_text("".join(f'#include "{header}"\n' for header in headers_below(source)))
        command = [program, "--quiet", "--warnings-as-errors=*", f"--config-file={source / '.clang-tidy'}", file]
        return subprocess.run([*command, "--", *compiler_flags(source, sys.argv[3:])]).returncode


if __name__ == "__main__":
    sys.exit(main())
