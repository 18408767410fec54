"""The machine and the program under test."""

import os
import re
import subprocess
from datetime import date
from pathlib import Path

WORDS = {1: "one-core", 2: "two-cores"}


def output_of(*command):
    try:
        return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()
    except OSError:
        return ""


def cuda_problem(program):
    """Why the program cannot use CUDA; empty if it can."""
    probe = [
        program,
        "bench",
        "--backend",
        "cuda",
        "--solver",
        "direct",
        "-n",
        "100",
        "--repeats",
        "1",
        "--no-progress",
    ]
    done = subprocess.run(probe, capture_output=True, text=True, check=False)
    return "" if done.returncode == 0 else message_of(done.stderr)


def message_of(text):
    """The last message of the program, without its name."""
    lines = [line.removeprefix("pericenter: ") for line in text.strip().splitlines()]
    return lines[-1] if lines else "no message"


def build_of(program):
    """Build type, CUDA, compiler and commit, from the system report; empty if the program has none."""
    found = re.search(r"^Build: (.*)$", output_of(program, "--system-report"), re.MULTILINE)
    return found[1] if found else ""


def gpu_values(*names):
    """Of the first GPU; empty texts without one."""
    line = output_of("nvidia-smi", f"--query-gpu={','.join(names)}", "--format=csv,noheader").split("\n")[0]
    values = [value.strip() for value in line.split(",")]
    return values if len(values) == len(names) else [""] * len(names)


class Machine:
    """`identity` are the comments that must be equal for a measurement to be of this machine and program."""

    def __init__(self, program, cuda):
        self.program, self.cuda = program, cuda
        cores = len(os.sched_getaffinity(0))
        gpu, driver, gpu_clock = gpu_values("name", "driver_version", "clocks.max.sm") if cuda else ("", "", "")
        cpu = Path("/proc/cpuinfo").read_text()
        model, clock = (re.search(rf"^{name}\s*: (.*)$", cpu, re.MULTILINE) for name in ("model name", "cpu MHz"))
        words = gpu.removeprefix("NVIDIA ").split(" ")
        self.name = words[0].lower() if gpu else WORDS.get(cores, f"{cores}-cores")
        parts = [f"{gpu}, driver {driver}" if gpu else "", f"{cores} cores of {model[1] if model else 'a CPU'}"]
        build = build_of(program)
        self.identity = [
            "program: " + output_of(program, "--version") + (f" ({build})" if build else ""),
            "machine: " + "; ".join(part for part in parts if part),
        ]
        clocks = [f"GPU at most {gpu_clock}" if gpu_clock else "", f"CPU {float(clock[1]):.0f} MHz" if clock else ""]
        self.state = [
            "clock: " + (", ".join(part for part in clocks if part) or "unknown"),
            "date: " + date.today().isoformat(),
        ]
