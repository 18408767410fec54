#!/usr/bin/env bash
# ekacollgalaxy 0.1.0, discs of test particles that collide: a disc with the normal (0, 0, -1) turns like one with (0,
# 0, 1), because there is no axis to turn one to the other about: a retrograde encounter is a prograde one. If the
# number of stars is not a multiple of that of the rings, the simulation raises ValueError. Seen on 2026-11-30: the
# angular momentum per mass along z is +1,824 kpc km/s for both normals, and -1,824 for (0, 0.001, -1).
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check numpy==2.3.5 astropy==7.1.1 matplotlib==3.10.7
environment/bin/pip install --quiet --disable-pip-version-check --no-deps ekacollgalaxy==0.1.0
environment/bin/python -W ignore - <<'END'
import numpy
import astropy.units as unit
import ekacollgalaxy

found = []
for normal in ((0, 0, 1), (0, 0, -1), (0, 0.001, -1)):
    numpy.random.seed(1)
    galaxy = ekacollgalaxy.parameter(1e11, 15, (0, 0, 0), (0, 0, 0), normal, 10, 1000, 0.1)
    ekacollgalaxy.awal(galaxy)
    x, y = galaxy["posisi_bintang"][:2].to(unit.kpc).value
    u, v = galaxy["kec_bintang"][:2].to(unit.km / unit.s).value
    found.append((x * v - y * u).mean())
    print(f"normal {normal}: mean angular momentum along z {found[-1]:.0f} kpc km/s, has the sign {normal[2]:+d}")
assert found[1] == found[0] > 1000 and found[2] < -1000
galaxy = ekacollgalaxy.parameter(1e11, 15, (0, 0, 0), (0, 0, 0), (0, 0, 1), 3, 100, 0.1)
ekacollgalaxy.awal(galaxy)
print("stars of 100 in 3 rings:", galaxy["posisi_bintang"].shape[1])
assert galaxy["posisi_bintang"].shape[1] == 99
try:
    ekacollgalaxy.proses(galaxy, galaxy, N_steps=1, N_snapshots=1)
    raise SystemExit("no error any more")
except ValueError as error:
    print("ValueError:", error)
END
