#!/usr/bin/env bash
# helens 0.0.1, LensEquationSolver: an image on the edge of two triangles is in neither (documented), so that a source
# on the axis of a lens has no images if the number of pixels is even; the places are filled with the corner of the
# grid without a warning. Seen on 2026-11-30, isothermal sphere of Einstein radius 1, 100 by 100 pixels of 0.05: for a
# source at (0.3, 0) both images are at (-2.5, -2.5), which is the image of (-1.8, -1.8); right are (1.3, 0) and (-0.7,
# 0). A source at (0.3, 0.01) has both.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check helens==0.0.1 jax==0.4.30 jaxlib==0.4.30 \
  numpy==1.26.4 scipy==1.13.1
environment/bin/python -W ignore - <<'END'
import jax, numpy
import jax.numpy as jnp
from helens import LensEquationSolver

jax.config.update("jax_enable_x64", True)


def isothermal(x, y, radius):
    return x - radius * x / jnp.hypot(x, y), y - radius * y / jnp.hypot(x, y)


line = (numpy.arange(100) - 49.5) * 0.05
solver = LensEquationSolver(*(jnp.array(each) for each in numpy.meshgrid(line, line)), isothermal)
for source in ((0.3, 0.01), (0.3, 0.0), (0.0, 0.3)):
    beta = numpy.array(source)
    length = numpy.hypot(*beta)
    right = numpy.array([beta / length * (length + 1), beta / length * (length - 1)])
    images, sources = (numpy.asarray(each) for each in solver.solve(jnp.array(beta), 1.0, nsolutions=2))
    off = max(numpy.hypot(*(images - each).T).min() for each in right)
    print(f"source at {source}: images {images.round(2).tolist()}, should be {right.round(2).tolist()}; the images' "
          f"sources are {numpy.hypot(*(sources - beta).T).max():.3f} off")
    assert off < 0.02 if source[0] * source[1] else off > 2
END
