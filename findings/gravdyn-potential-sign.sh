#!/usr/bin/env bash
# GravDyn 0.1.3: pot_point_mass() returns a negative potential, batched_pot_mascon() a positive one; nothing tells it,
# and the accelerations agree. compute_pseudo_potential(), documented as -centrifugal - pot, needs the positive
# one: with that of a point mass, gravity repels. Seen on 2026-11-30, for G M = 2 km^3/s^2 at 5 km: the point mass has a
# potential of -0.4, a mascon model of one point 0.4; at the radius of a synchronous orbit, the slope of the
# pseudo-potential is 0 in the mascon model, and for the point mass -2 times the centrifugal acceleration.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check gravdyn==0.1.3 jax==0.10.2 jaxlib==0.10.2 numpy==2.4.6
environment/bin/python -W ignore - <<'END'
from math import pi

import gravdyn, numpy

mu, hours = 2.0, 1.0
mascon = {"x": numpy.zeros(1), "y": numpy.zeros(1), "z": numpy.zeros(1), "mu": numpy.array([mu])}
models = {"point mass": lambda places: gravdyn.pot_point_mass(mu, places),
          "one mascon": lambda places: gravdyn.batched_pot_mascon(places, mascon)}
rotation = 2 * pi / (hours * 3600)
synchronous, step = (mu / rotation**2) ** (1 / 3), 1e-3
seen = {}
for name, model in models.items():
    potential, acceleration = (float(numpy.ravel(value)[0]) for value in model(numpy.array([[5.0, 0, 0]])))
    places = numpy.array([[synchronous - step, 0, 0], [synchronous + step, 0, 0]])
    pseudo = gravdyn.compute_pseudo_potential(places, numpy.asarray(model(places)[0]), hours)
    slope = float(pseudo[1] - pseudo[0]) / (2 * step) / (rotation**2 * synchronous)
    seen[name] = (potential, acceleration, slope)
    print(f"{name}: potential {potential:.6g} km^2/s^2, acceleration {acceleration:.6g} km/s^2 at 5 km; slope of the "
          f"pseudo-potential / centrifugal acceleration {slope:.3f} at the synchronous radius")
point, one = seen["point mass"], seen["one mascon"]
assert abs(point[0] + 0.4) < 1e-9 and abs(one[0] - 0.4) < 1e-9 and abs(point[1] - one[1]) < 1e-9
assert abs(point[2] + 2) < 1e-3 and abs(one[2]) < 1e-3
END
