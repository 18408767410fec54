#!/usr/bin/env bash
# Sarracen 1.4.1, read_gasoline(): values of an array file of TIPSY (snapshot.NAME) are given to the wrong particles.
# TIPSY orders gas, dark matter, stars in the snapshot (pkdgrav3.readthedocs.io, "File Formats") and in array files;
# Sarracen reads the snapshot so, but array files as gas, stars, dark matter. Only files without stars or without dark
# matter are read right. Seen on 2026-11-30: of the values 1 2 | 11 12 13 | 21 of 2 gas particles, 3 of dark matter, 1
# star, the star gets 11, the dark matter 12 13 21, without a warning. pynbody 2.8.0 reads the file as it was written.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check sarracen==1.4.1 pynbody==2.8.0 scikit-learn==1.9.1 \
  pandas==3.1.1 scipy==1.17.1 numpy==2.4.6
environment/bin/python -W ignore - <<'END'
import numpy, pynbody, sarracen

written = [[1, 2], [11, 12, 13], [21]]  # of gas, dark matter and stars
with open("snapshot", "wb") as file:
    file.write(numpy.array(0, ">f8").tobytes() + numpy.array([6, 3, 2, 3, 1, 0], ">i4").tobytes())
    for values, columns in zip(written, (12, 9, 11)):
        bodies = numpy.ones((len(values), columns), ">f4")
        bodies[:, 1] = values  # x
        file.write(bodies.tobytes())
with open("snapshot.den", "wb") as file:
    file.write(numpy.array(6, ">i4").tobytes() + numpy.array(sum(written, []), ">f4").tobytes())
seen = {"Sarracen": sarracen.read_gasoline("snapshot")}
snapshot = pynbody.load("snapshot")
seen["pynbody"] = [snapshot.gas, snapshot.dark, snapshot.star]
for name, parts in seen.items():
    seen[name] = [[[int(value) for value in part[column]] for part in parts] for column in ("x", "den")]
    print(f"{name}: x {seen[name][0]}, array {seen[name][1]}")
assert seen["pynbody"] == [written, written]
assert seen["Sarracen"] == [written, [[1, 2], [12, 13, 21], [11]]]
END
