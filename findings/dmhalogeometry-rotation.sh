#!/usr/bin/env bash
# DmHaloGeometry 1.3, HaloOrientation.uniform_rotation() "does a uniform random 3D rotation", says its documentation. It
# turns around x and then, by at most 90 degrees, around z: what lies along the x axis stays in the plane z = 0, on the
# side x > 0. The new axes of get_random_axes_and_angles(), of which new_axes[0] is the first, do so too. Seen on
# 2026-11-30, 20,000 rotations: the mean squares of z of the rotated axes x, y and z are 0, 0.50 and 0.50 instead of 1/3,
# the mean x of the axis x is 0.50 instead of 0.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check DmHaloGeometry==1.3 numpy==2.4.6
environment/bin/python -W ignore - <<'END'
import numpy
from DmHaloGeometry import HaloOrientation

numpy.random.seed(1)
axes = numpy.eye(3)  # a column is a vector
turned = numpy.array([HaloOrientation.uniform_rotation(axes)[0] for _ in range(20000)])  # rotation, vector, component
squares, mean = (turned[:, :, 2]**2).mean(axis=0), turned[:, 0, 0].mean()
print(f"mean squares of z of the rotated axes x, y, z: {numpy.array2string(squares, precision=3)}, should be 0.333; "
      f"mean x of the axis x {mean:.3f}, should be 0; smallest {turned[:, 0, 0].min():.2g}")
assert numpy.allclose(squares, [0, 0.5, 0.5], atol=0.02) and abs(mean - 0.5) < 0.02 and turned[:, 0, 0].min() > 0

new = numpy.array([HaloOrientation.get_random_axes_and_angles(axes)[0][0] for _ in range(2000)])
print(f"first of the random axes: largest |z| {numpy.abs(new[:, 2]).max():.2g}, smallest x {new[:, 0].min():.2g}")
assert numpy.abs(new[:, 2]).max() < 1e-12 and new[:, 0].min() > 0
END
