#!/usr/bin/env bash
# tools21cm 2.4.3, halo_list_to_grid(): the grid spans the haloes, not the box of side box_dim that it gets: its first
# cells begin at the halo with the smallest coordinate, its last cells end at the one with the largest. Haloes of two
# files or times do not fit each other, nor a density grid of the box. Seen on 2026-11-30: in a box of 100 Mpc with 10
# cells a side, haloes at 15, 25 and 55 Mpc on the x axis are in cells 0, 2 and 9 instead of 1, 2 and 5; the cells are
# 4 Mpc wide.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check tools21cm==2.4.3 numpy==2.4.6 scipy==1.17.1 \
  astropy==8.0.2
environment/bin/python -W ignore - <<'END'
import numpy
from tools21cm.nbody_file import halo_list_to_grid

side, cells = 100.0, 10
places = numpy.array([[15.0, 25, 35], [25, 35, 45], [55, 65, 75]])  # Mpc
masses = numpy.array([1e10, 2e10, 4e10])  # Msun
grid, edges, _ = halo_list_to_grid(masses, places, side, cells)
right = (places * cells / side).astype(int)
seen = numpy.argwhere(grid > 0)
width = (edges[0][1] - edges[0][0]) * side / cells
print(f"cells {seen.tolist()}, right are {right.tolist()}; on x from {edges[0][0] * side / cells:g} to "
      f"{edges[0][-1] * side / cells:g} Mpc in steps of {width:g}, right 0 to {side:g} in steps of {side / cells:g}")
assert grid.shape == (cells,) * 3 and grid.sum() == masses.sum()
assert seen.tolist() == [[0] * 3, [2] * 3, [9] * 3] and numpy.isclose(width, 4)
END
