#!/usr/bin/env bash
# python-unsio 1.0.2: the temperature of gas is written to GADGET-2 files into the block "NE  ", which is the number of
# electrons per hydrogen nucleus in GADGET-3 and codes after it, and is read back from it under both names. Another
# reader takes 40 K for 40 electrons. Seen on 2026-11-28: labels HEAD POS VEL ID MASS NE; temp 40 50 60, ne 40 50 60.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check python-unsio==1.0.2 numpy==2.4.6
environment/bin/python -W ignore - <<'END'
import struct

import numpy, unsio.input, unsio.output

output = unsio.output.CUNS_OUT("file", "gadget2")
for tag, count in (("pos", 9), ("vel", 9), ("mass", 3)):
    output.setData(numpy.arange(count, dtype="f4") + 1, "gas", tag)
output.setData(numpy.arange(3, dtype="i4") + 1, "gas", "id")
output.setData(numpy.array([40, 50, 60], dtype="f4"), "gas", "temp")
output.setData(0.5, "time")
output.save()
output.close()
with open("file", "rb") as file:
    data = file.read()
labels, at = [], 0
while at < len(data):
    size = struct.unpack("<i", data[at:at + 4])[0]
    if size == 8:
        labels.append(data[at + 4:at + 8].decode().strip())
    at += size + 8
source = unsio.input.CUNS_IN("file", "gas", "all", False)
source.nextFrame("")
temperature, electrons = (list(source.getData("gas", tag)[1]) for tag in ("temp", "ne"))
print("labels", *labels, "; temp", *temperature, "; ne", *electrons)
assert "NE" in labels and "TEMP" not in labels and temperature == electrons == [40, 50, 60]
END
