#!/usr/bin/env bash
# planit 1.2.4, for impacts: calc_potential(), which finds the seeds of bound remnants, is the sum over all pairs for
# up to 200 particles, and else a tree, which omits all particles of a particle's own leaf (up to 8) and takes the
# centre of a leaf without masses. There is no warning. Seen on 2026-11-30, pairs of equal masses at 1/1000 of the
# distances of others: of 200 particles, the potentials are right, of 202 they are 0.06 to 0.14 times the right ones.
# Of a heavy body among 300, the neighbours in its leaf do not feel it: a potential is 3e-8 times the right one.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check planit==1.2.4 numpy==2.4.6 scipy==1.17.1 h5py==3.16.0 \
  numba==0.68.1
environment/bin/python -W ignore - <<'END'
import numpy
from planit import utils

def right(masses, places):
    distances = numpy.linalg.norm(places[:, None] - places, axis=2)
    numpy.fill_diagonal(distances, numpy.inf)
    return -utils.G * (masses / distances).sum(1)

def ratio(masses, places):
    return utils.calc_potential(masses, *places.T) / right(masses, places)

random = numpy.random.default_rng(1)
for count in 200, 202:
    places = numpy.repeat(random.normal(size=(count // 2, 3)), 2, axis=0) * 1e9  # cm
    places[1::2, 0] += 1e6
    seen = ratio(numpy.full(count, 1e24), places)
    print(f"{count} particles in pairs: potential / right potential {seen.min():.4f} to {seen.max():.4f}")
    assert numpy.allclose(seen, 1) if count <= 200 else seen.max() < 0.3

masses = numpy.ones(300)
masses[0] = 1e9
seen = ratio(masses, random.normal(size=(300, 3)) * 1e9)
print(f"a heavy body among 300: potential / right potential of the others {seen[1:].min():.3g} to {seen[1:].max():.3g}")
assert seen[1:].min() < 1e-3
END
