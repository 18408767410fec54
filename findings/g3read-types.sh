#!/usr/bin/env bash
# g3read 1.0.1 reads all real numbers of a GADGET-2 file in format 2 as 4-byte floats and IDs as signed integers. Seen on
# 2026-11-30: from a file of 8-byte numbers, with or without the header's flag_doubleprecision, each position comes back
# as six meaningless floats and each mass as two, without a warning; IDs from 2^31 on, which are valid in 4 unsigned
# bytes, are negative. 8-byte IDs and files of 4-byte numbers are read right.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check g3read==1.0.1 numpy==2.4.6
environment/bin/python - <<'END'
import struct

import g3read
import numpy

count = 12
positions = numpy.arange(1, 3 * count + 1).reshape(count, 3)
ids = (3_000_000_000 + numpy.arange(count)).astype("<u4")

def snapshot(real, doubles):
    """A file of stars with the numbers above, and its reader."""
    numbers = struct.pack("<6i", 0, 0, 0, 0, count, 0)
    header = numbers + bytes(48) + struct.pack("<2d2i", 0, 0, 0, 0) + numbers + struct.pack("<2i", 0, 1)
    header += bytes(32 + 8 + 24 + 4) + struct.pack("<i", doubles)
    blocks = {"HEAD": header.ljust(256, b"\0"), "POS ": positions.astype(real).tobytes(),
              "VEL ": numpy.zeros((count, 3), real).tobytes(), "ID  ": ids.tobytes(),
              "MASS": numpy.full(count, 3).astype(real).tobytes()}
    with open("snapshot", "wb") as file:
        for name, data in blocks.items():
            file.write(struct.pack("<i4s2i", 8, name.encode(), len(data) + 8, 8))
            file.write(struct.pack("<i", len(data)) + data + struct.pack("<i", len(data)))
    return g3read.GadgetFile("snapshot")

single = snapshot("<f4", 0)
assert (single.read_new("POS ", 4) == positions).all() and (single.read_new("MASS", 4) == 3).all()
read = single.read_new("ID  ", 4)
print("ID", ids[0], "is read as", read[0])
assert (read == ids.astype("int32")).all() and read[0] < 0
for doubles in 0, 1:
    double = snapshot("<f8", doubles)
    assert double.header.flag_doubleprecision == doubles
    place, mass = double.read_new("POS ", 4), double.read_new("MASS", 4)
    print(f"8-byte numbers, flag {doubles}: position {positions[0]} is read as {place[0]}, mass 3 as {mass[0]}")
    assert (place == positions.astype("<f8").view("<f4")).all() and place.shape == (count, 6)
    assert place.dtype == mass.dtype == numpy.float32 and not (mass == 3).any()
END
