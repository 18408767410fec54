#!/usr/bin/env bash
# Orbital_Visualizator 0.1: the node and the argument of pericentre are exchanged. plot_orbit documents the order a, e,
# inclination, right ascension of the ascending node, argument of pericentre, anomaly, in which two-line elements are also
# read, but takes the fourth as argument of pericentre and the fifth as node.
# Seen on 2026-12-01: a satellite at the ascending node of an orbit over the poles, with the node on the y axis, is drawn
# above the north pole.
# Right value: at anomaly 0 and argument 0, a body is in the direction of the node, (cos(node), sin(node), 0).
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check numpy==1.26.4 matplotlib==3.8.4
environment/bin/pip install --quiet --disable-pip-version-check --no-deps Orbital-Visualizator==0.1
MPLBACKEND=Agg environment/bin/python -W ignore - <<'END'
from importlib.metadata import version

import matplotlib.pyplot
import numpy
from orbital_visualizator.plot_orbital_visualizator import plot_orbit

print("Orbital_Visualizator", version("Orbital_Visualizator"))


def drawn(inclination, node, argument):
    space = matplotlib.pyplot.figure().add_subplot(projection="3d")
    plot_orbit(space, [10000.0, 0.2, *numpy.radians([inclination, node, argument]), 0.0, "satellite"])
    path, (body,) = numpy.array(space.lines[0].get_data_3d()), space.collections
    return numpy.array([coordinate[0] for coordinate in body._offsets3d]), path


body, path = drawn(90.0, 90.0, 0.0)
right = 8000.0 * numpy.array([0.0, 1.0, 0.0])
print(f"satellite at the ascending node on the y axis: {body.round(1)}, should be {right}")
assert numpy.allclose(body, 8000.0 * numpy.array([0.0, 0.0, 1.0]), atol=1e-6)
# An orbit over the poles with its node on the y axis lies in the plane x = 0.
print(f"largest |x| of its orbit {abs(path[0]).max():.0f}, should be 0; largest |y| {abs(path[1]).max():.0f}")
assert abs(path[0]).max() > 9000 and abs(path[1]).max() < 1e-6
exchanged, _ = drawn(90.0, 0.0, 90.0)
print(f"with node and argument exchanged: {exchanged.round(1)}")
assert numpy.allclose(exchanged, right, atol=1e-6)
END
