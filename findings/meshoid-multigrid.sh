#!/usr/bin/env bash
# meshoid 1.52.0: SurfaceDensity(multigrid=True) omits all bodies with a kernel radius of at least twice the size of the
# map, without a warning: the radii of its coarsest level end there. The documentation says that each body is deposited
# at a resolution that matches its smoothing length. A close view of a region with few bodies is empty. Seen on
# 2026-11-30: 1,000 random bodies of mass 1 in a box of 10 have a mean surface density of 9.31 in a map of size 4 in its
# middle, but 0 in one of size 0.4, where multigrid=False gives 10.3.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check meshoid==1.52.0 numba==0.68.1 scipy==1.17.1 \
  numpy==2.4.6
environment/bin/python -W ignore - <<'END'
import numpy
from meshoid import Meshoid

bodies = Meshoid(numpy.random.default_rng(1).random((1000, 3)) * 10, numpy.ones(1000), n_jobs=1)
smallest = bodies.kernel_radius.min()
seen = {}
for size in (4, 0.4):
    for multigrid in (False, True):
        density = bodies.SurfaceDensity(size=size, center=numpy.full(3, 5.0), res=64, multigrid=multigrid).mean()
        seen[size, multigrid] = density
        print(f"map {size}, multigrid={multigrid}: mean surface density {density:.3g}, smallest kernel {smallest:.2g}")
assert seen[0.4, True] == 0 and all(8 < seen[key] < 11 for key in seen if key != (0.4, True)) and smallest >= 2 * 0.4
END
