#!/usr/bin/env bash
# stdpar-nbody, commit 02cab65, the program of Cassell et al. 2024 (doi:10.1109/SCW63240.2024.00099): in three dimensions its
# algorithm all-pairs-collapsed adds and resets the first two components of the acceleration only (src/all_pairs.h). So
# nothing attracts along z, and a pair costs two atomic additions instead of three. Seen on 2026-11-28 with GCC 12.2: two
# bodies at rest on the z axis fall towards each other with all-pairs, and stay where they are with all-pairs-collapsed; on
# the x axis both algorithms agree. Needs git, g++ and oneTBB (apt install git g++ libtbb-dev).
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
git clone --quiet https://github.com/UoB-HPC/stdpar-nbody program
git -C program checkout --quiet 02cab6539b380f175cc59522f77599da1119b2f8
git clone --quiet --depth 1 --branch 9.1.0 https://github.com/fmtlib/fmt fmt 2> /dev/null
g++ -std=c++20 -O2 -w -Wno-psabi -DDIM_SIZE=3 -Ifmt/include program/src/main.cpp -ltbb -o nbody
python3 - <<'END'
import struct, subprocess

def end(algorithm, axis):
    """Distance of two bodies of mass 1, 2 apart on this axis at the start, after 100 steps of 0.01 (G = 1). Positions are
    saved after each step only with --csv-detailed."""
    bodies = b""
    for at in (1, -1):
        position = [at if k == axis else 0 for k in range(3)]
        bodies += struct.pack("<7f", 1, *position, 0, 0, 0)
    open("two.bin", "wb").write(struct.pack("<IIff", 2, 3, 0.01, 1) + bodies)
    subprocess.run(["./nbody", "-n", "2", "-s", "100", "--workload", "load", "two.bin", "--algorithm", algorithm,
                    "--precision", "double", "--save", "pos", "--csv-detailed"], check=True, stdout=subprocess.DEVNULL)
    last = struct.unpack("<6d", open("positions.bin", "rb").read()[-48:])
    return abs(last[axis] - last[3 + axis])

for axis, name in ((0, "x"), (2, "z")):
    plain, collapsed = end("all-pairs", axis), end("all-pairs-collapsed", axis)
    print(f"bodies on the {name} axis, 2 apart: all-pairs {plain:.4f}, all-pairs-collapsed {collapsed:.4f}")
    assert plain < 1.9
    assert abs(collapsed - (plain if name == "x" else 2)) < 1e-12
END
