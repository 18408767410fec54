#!/usr/bin/env bash
# utilities_awetzel 1.1, on which GizmoAnalysis builds: with get_integrals=True, the kinetic energy that
# get_orbit_dictionary() and get_orbit_dictionary_catalog() return is half the speed, not half its square; total energy,
# eccentricity, pericentre and apocentre follow from it. Their documentation says that energies are in (cm/s)^2. Seen on
# 2026-11-30: of a circular orbit around 1e12 Msun at 100 kpc, with 207.413 km/s, the kinetic energy is 1/207.413 of what
# it should be, the eccentricity 1, the pericentre 5e-09 kpc.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check utilities_awetzel==1.1 numpy==2.4.6 scipy==1.17.1
environment/bin/python -W ignore - <<'END'
import numpy
from utilities import constant, orbit

class Catalog(dict):
    info, snapshot = {"box.length": 1e5}, {"scalefactor": 1.0, "time.hubble": 1e30}  # the box at rest

speed = (constant.grav_kpc_msun_sec * 1e12 / 100) ** 0.5 * constant.km_per_kpc
bodies = Catalog(position=numpy.array([[500.0, 500, 500], [600, 500, 500]]), mass=numpy.array([12.0, -9]),  # log10
                 velocity=numpy.array([[0.0, 0, 0], [0, speed, 0]]))
seen = orbit.get_orbit_dictionary_catalog(bodies, 1, 0, "mass", "mass", get_integrals=True)
ratio = seen["energy.kinetic"] / (0.5 * (speed * 1e5) ** 2)
print(f"speed {speed:.6g} km/s; kinetic energy / half the square of the speed {ratio:.6g} = 1 / {1 / ratio:.6g}; "
      f"eccentricity {seen['eccentricity']:.6g}, pericentre {seen['distance.peri']:.6g} kpc")
assert abs(ratio * speed - 1) < 1e-6 and seen["eccentricity"] > 0.9999 and seen["distance.peri"] < 1e-6
END
