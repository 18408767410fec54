#!/usr/bin/env bash
# py-sphviewer2 2.0.3: in the image of a periodic box, what reaches over an edge is cut off, though periodic=True is
# documented as wrapping at the boundaries, and collapse() as conserving the mass. Only positions are wrapped. Seen on
# 2026-11-30: a body of mass 1 and smoothing length 5 on the edge of a box of 100 has 0.504 in the image, 1.008 in its
# middle; the images of 5,000 random bodies with and without periodic=True are the same, with 93.2 % of the mass.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check py-sphviewer2==2.0.3 h5py==3.16.0 scipy==1.17.1 \
  numpy==2.4.6
environment/bin/python -W ignore - <<'END'
import numpy, sphviewer2

def picture(positions, sizes, periodic):
    """Mass of each pixel of the whole box."""
    image, _ = sphviewer2.render(*numpy.transpose(positions), sizes, numpy.ones(len(sizes)), 100, periodic=periodic,
                                 r_max=8, num_threads=1)
    return image * (100 / 256) ** 2

middle, edge = (picture([[x, 50, 50]], [5], True).sum() for x in (50, 0))
bodies = numpy.random.default_rng(1).random((5000, 3)) * 100
sizes = sphviewer2.estimate_h(*bodies.T, 100, k=32, num_threads=1)
periodic, isolated = (picture(bodies, sizes, value) for value in (True, False))
print(f"mass of a body in the image: {middle:.3f} in the middle of the box, {edge:.3f} on its edge; of 5,000 bodies: "
      f"{periodic.sum():.0f} with periodic=True, {isolated.sum():.0f} with periodic=False")
assert abs(middle - 1) < 0.02 and abs(edge - 0.5) < 0.02 and 4600 < periodic.sum() < 4700
assert numpy.array_equal(periodic, isolated)
END
