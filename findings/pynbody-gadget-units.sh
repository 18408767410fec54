#!/usr/bin/env bash
# pynbody 2.8.0: a snapshot that is written as GADGET-2 is not the same when pynbody reads it. The arrays are written
# as they are, in whatever units they have, without conversion and without a warning; GADGET files define no units,
# and pynbody assumes comoving Mpc/h, 1e10 Msun/h and km/s times the root of a. Seen on 2026-11-28: at a = 0.5, h =
# 0.7, bodies at 100 kpc with 10 km/s come back at 71428.6 kpc with 7.07107 km/s; the files have no block of IDs.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check pynbody==2.8.0 numpy==2.4.6
environment/bin/python -W ignore - <<'END'
import pynbody

bodies = pynbody.new(dm=1)
for name, values, unit in (("pos", [[100.0, 0, 0]], "kpc"), ("vel", [[10.0, 0, 0]], "km s^-1"),
                           ("mass", 1.0, "1e10 Msol")):
    bodies[name] = values
    bodies[name].units = unit
bodies.properties.update(a=0.5, z=1.0, h=0.7, omegaM0=0.3, omegaL0=0.7, boxsize=pynbody.units.Unit("1000 kpc"))
bodies.write(filename="file", fmt=pynbody.snapshot.gadget.GadgetSnap)
read = pynbody.load("file")
length, speed = float(read["pos"].in_units("kpc")[0, 0]), float(read["vel"].in_units("km s^-1")[0, 0])
ids = b"ID  " in open("file", "rb").read()
print(f"100 kpc is read as {length:.6g} kpc in {read['pos'].units}, 10 km/s as {speed:.6g} km/s; block of IDs: {ids}")
assert abs(length - 100e3 / 1.4) < 0.1 and abs(speed - 10 * 0.5**0.5) < 1e-4 and not ids
END
