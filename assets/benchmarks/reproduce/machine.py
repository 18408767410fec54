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


def compiler_of(program):
    found = re.findall(rb"GCC: \([^)]*\) [\d.]+|clang version [\d.]+", Path(program).read_bytes())
    return found[0].decode().replace("GCC: ", "g++ ") if found else ""


class Machine:
    def __init__(self, program, cuda):
        self.program, self.cuda = program, cuda
        cores = len(os.sched_getaffinity(0))
        gpu = output_of("nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader").split("\n")[0]
        match = re.search(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text())
        cpu = f"{cores} cores of {match[1] if match else 'a CPU'}"
        name = gpu.split(",")[0].removeprefix("NVIDIA ").split(" ")
        self.name = name[0].lower() if cuda and name[0] else WORDS.get(cores, f"{cores}-cores")
        parts = [
            gpu.replace(", ", ", driver ") if cuda else "",
            cpu,
            output_of(program, "--version"),
            compiler_of(program),
        ]
        self.text = "; ".join([part for part in parts if part] + [date.today().isoformat()])
