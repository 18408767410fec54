#!/usr/bin/env bash
# nbodysim 1.0.3: get_lagrange_nbod() and get_euler_nbod() have a parameter G, the "constant of gravitation". Velocities
# are those for this constant, but the bodies attract each other with 1 always: the configurations do not turn, they fly
# apart. Seen on 2026-11-30: with G = 4, v^2 / r of a body in the triangle of Lagrange and on the line of Euler is 4 times
# its acceleration, and energies are positive; with G = 1, it is the acceleration.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check nbodysim==1.0.3 numpy==2.4.6
MPLBACKEND=Agg environment/bin/python -W ignore - <<'END'
import numpy
from nbodysim.three_body import get_euler_nbod, get_lagrange_nbod

for constant in (1, 4):
    configurations = {"Lagrange": get_lagrange_nbod(numpy.array([1.0, 0, 0]), 1.0, constant),
                      "Euler": get_euler_nbod(numpy.array([0.0, 1, 0]), numpy.ones(3), constant)}
    for name, bodies in configurations.items():
        place, velocity = bodies.positions[1], bodies.velocities[1]  # the centre of mass is the origin
        needed = (velocity**2).sum() / numpy.linalg.norm(place)
        ratio = needed / numpy.linalg.norm(bodies.get_acceleration()[1])
        print(f"G = {constant}, {name}: v^2 / r divided by the acceleration {ratio:.4f}, energy {bodies.energy:.4f}")
        assert abs(ratio - constant) < 1e-9 and (bodies.energy > 0) == (constant == 4)
END
