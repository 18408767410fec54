#!/usr/bin/env bash
# Pyrigee 1.0.4: the ascending node of an orbit is drawn at the semi-minor axis from the body's centre, in the place of
# the semi-latus rectum: the mark is off the orbit. Orbits with e > 0.9 are drawn as parabolas. Seen on 2026-11-30: on
# the transfer orbit from 200 to 35,786 km, the mark is 16,654 km from the centre of the Earth, where the orbit's is
# 11,381 km from it.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check pyrigee==1.0.4 numpy==2.4.6 matplotlib==3.11.2
MPLBACKEND=Agg environment/bin/python -W ignore - <<'END'
import numpy
from pyrigee.plotting_calculator import PlottingCalculator

radius, perigee, apogee = 6378, 200, 35786
far, near = apogee + radius, perigee + radius
plotter = PlottingCalculator(1)  # km per unit of the axes
node = numpy.array(plotter.calculate_ascending_node_coords(radius, 30, apogee, perigee))
shape = (far - near) / (far + near), (far + near) / 2  # eccentricity and semi-major axis
orbit = numpy.array(plotter.calculate_elliptical_orbit_coords(30, *shape, False, False))
distances = numpy.linalg.norm(orbit - node[:, None], axis=0)
right = 2 * far * near / (far + near)
print(f"node drawn at y = {node[1]:.0f} km, should be {-right:.0f} km; {distances.min():.0f} km from the orbit as drawn")
assert abs(node[1] + 16654) < 1 and abs(right - 11381) < 1 and distances.min() > 3000
crossing = orbit[:, numpy.abs(orbit[2]) < 1]
assert numpy.abs(numpy.linalg.norm(crossing, axis=0) - right).min() < 1
END
