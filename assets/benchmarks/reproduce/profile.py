"""Hardware counters of a kernel, from Nsight Compute."""

import csv
import shutil
import subprocess
import tempfile
from pathlib import Path

# Names of Nsight Compute (Volta and later; its profiling guide): our column, and the factor to its unit.
METRICS = {
    "gpu__time_duration.sum": ("kernel_ms", 1e-6),
    "sm__cycles_elapsed.max": ("cycles", 1),
    "smsp__inst_executed.sum": ("instructions", 1),
    "smsp__thread_inst_executed_per_inst_executed.ratio": ("active_threads", 1),
    "sm__inst_executed.avg.per_cycle_active": ("ipc", 1),
    "smsp__average_warp_latency_per_inst_issued.ratio": ("cycles_per_instruction", 1),
    "sm__throughput.avg.pct_of_peak_sustained_elapsed": ("sm_percent", 1),
    "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed": ("memory_percent", 1),
    "lts__throughput.avg.pct_of_peak_sustained_elapsed": ("l2_percent", 1),
    "dram__throughput.avg.pct_of_peak_sustained_elapsed": ("dram_percent", 1),
    "dram__bytes.sum.per_second": ("dram_gb_per_s", 1e-9),
    "l1tex__t_sector_hit_rate.pct": ("l1_hit_percent", 1),
    "lts__t_sector_hit_rate.pct": ("l2_hit_percent", 1),
    "sm__warps_active.avg.pct_of_peak_sustained_active": ("occupancy_percent", 1),
    "launch__registers_per_thread": ("registers", 1),
    "launch__block_size": ("block", 1),
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum": ("bank_conflicts", 1),
    "l1tex__t_requests_pipe_lsu_mem_global_op_red.sum": ("atomic_requests", 1),
    "lts__t_sectors_op_red.sum": ("atomic_sectors", 1),
    "lts__d_atomic_input_cycles_active.avg.pct_of_peak_sustained_elapsed": ("atomic_unit_percent", 1),
}


def rows_of(text):
    """One row per kernel launch from the CSV of ncu: its long form has one line per metric."""
    lines = [line for line in text.splitlines() if line.startswith('"')]
    launches = {}
    for line in csv.DictReader(lines):
        if line["Metric Name"] not in METRICS:
            continue
        column, factor = METRICS[line["Metric Name"]]
        row = launches.setdefault(line["ID"], {"kernel": line["Kernel Name"].split("(")[0].split("<")[0]})
        try:
            row[column] = f"{float(line['Metric Value'].replace(',', '')) * factor:.9g}"
        except ValueError:  # not available on this GPU
            row[column] = ""
    return list(launches.values())


def run(program, words, kernel, cwd=None):
    """Profiles one launch of the kernel (regular expression) in the folder `cwd`. Returns rows and notes, as runner.bench()."""
    ncu = shutil.which("ncu") or next((str(path) for path in Path("/usr/local/cuda/bin").glob("ncu")), "")
    if not ncu:
        return [], ["not measured: ncu (Nsight Compute) is not installed"]
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "ncu.csv"
        command = [
            ncu,
            "--csv",
            "--page",
            "details",
            "--print-units",
            "base",
            "--clock-control",
            "none",
            "--log-file",
            log,
            "--metrics",
            ",".join(METRICS),
            "--kernel-name",
            f"regex:{kernel}",
            "--launch-count",
            "1",
            program,
            *words,
            "--repeats",
            "1",
            "--no-progress",
        ]
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=cwd)
        if done.returncode >= 128:
            raise KeyboardInterrupt
        text = log.read_text() if log.is_file() else ""
    rows = rows_of(text)
    if rows:
        return rows, []
    if "ERR_NVGPUCTRPERM" in text + done.stdout + done.stderr:
        return [], ["not measured: this user may not read the counters of the GPU (ERR_NVGPUCTRPERM)"]
    reason = [line for line in (text + done.stderr).splitlines() if "==ERROR==" in line or "pericenter: " in line]
    return [], [f"not measured: {reason[-1].strip() if reason else f'no kernel {kernel} was launched'}"]
