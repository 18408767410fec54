#!/usr/bin/env bash
# mesph 1.0, which turns discs of FARGO3D into particles of GADGET-2: particles are drawn with the surface density minus
# its minimum, and without the volume of the cells: a slight wave of the density becomes empty space on one side.
# total_disk_mass_3d(), from which particles get their mass, omits the width of the rings: it grows with their number.
# Seen on 2026-11-30, r from 1 to 2, aspect ratio 0.05: with a density of 1 + 0.01 cos(phi), 82 % of the particles are at
# |phi| < pi/2 (50.3 % are right), their mean radius is 1.50 (1.61 is right); the mass of a disc of density 1 is 230
# with 51 radii and 461 with 101 (0.733 is right).
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check numpy==1.26.4 scipy==1.13.1 numba==0.60.0
environment/bin/pip install --quiet --disable-pip-version-check --no-deps mesph==1.0
environment/bin/python -W ignore - <<'END'
import numba, numpy
from utils.physics import total_disk_mass_3d
from utils.sampling import sample_particles_3d_partial

masses = []
for count in (51, 101):
    radii, angles = numpy.linspace(1, 2, count), numpy.linspace(0, 2 * numpy.pi, 65)
    masses.append(total_disk_mass_3d(numpy.ones((64, count, 4)), radii, angles, 0.05))
right = 2 * numpy.pi * 0.05 * (2**3 - 1) / 3
print(f"mass of a disc of density 1: {masses[0]:.1f} with 51 radii, {masses[1]:.1f} with 101, should be {right:.3f}")
assert masses[0] / right > 300 and abs(masses[1] / masses[0] - 2) < 1e-3

@numba.njit
def set_seed():
    numpy.random.seed(1)

set_seed()
theta, radii, phi = (numpy.linspace(*limits) for limits in ((1.47, 1.67, 9), (1, 2, 65), (-numpy.pi, numpy.pi, 33)))
middles = [0.5 * (edges[1:] + edges[:-1]) for edges in (radii, phi, theta)]
density = numpy.ones((8, 64, 32)) * (1 + 0.01 * numpy.cos(middles[1]))
drawn = sample_particles_3d_partial(density, phi, theta, *middles, radii, 0, 20000)
share = (numpy.abs(drawn[1]) < numpy.pi / 2).mean()
print(f"density 1 + 0.01 cos(phi): share of particles at |phi| < pi/2 {share:.3f}, should be {0.5 + 0.01 / numpy.pi:.3f}; "
      f"mean radius {drawn[0].mean():.3f}, should be {0.75 * (2**4 - 1) / (2**3 - 1):.3f}")
assert abs(share - 0.82) < 0.02 and abs(drawn[0].mean() - 1.5) < 0.02
END
