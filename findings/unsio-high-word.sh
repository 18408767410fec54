#!/usr/bin/env bash
# python-unsio 1.0.2: HDF5 snapshots ("gadget3") declare 2^32 times too many bodies. NumPart_Total_HighWord, which is
# the number of bodies divided by 2^32 in the GADGET layout, is a copy of NumPart_Total. Seen on 2026-11-28: 3 bodies,
# NumPart_Total 3, NumPart_Total_HighWord 3, together 12884901891.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check python-unsio==1.0.2 h5py==3.16.0 numpy==2.4.6
environment/bin/python -W ignore - <<'END'
import h5py, numpy, unsio.output

output = unsio.output.CUNS_OUT("file", "gadget3")
for tag, count in (("pos", 9), ("vel", 9), ("mass", 3)):
    output.setData(numpy.arange(count, dtype="f4") + 1, "halo", tag)
output.setData(0.5, "time")
output.save()
output.close()
with h5py.File("file") as file:
    low, high = (int(file["Header"].attrs[name][1]) for name in ("NumPart_Total", "NumPart_Total_HighWord"))
    bodies = len(file["PartType1/Coordinates"])
print(f"{bodies} bodies, NumPart_Total {low}, NumPart_Total_HighWord {high}, together {low + 2**32 * high}")
assert (bodies, low, high) == (3, 3, 3)
END
