#!/usr/bin/env bash
# P3MLens 1.0.0: the grid of forces is not differentiated periodically. In the two rows and columns of cells at each
# edge of the plane it takes one-sided differences (with the wrong sign at the upper edge) of a potential that holds a
# huge alternating term, which only the central differences in the interior cancel. Deflections near the edges, inside
# the plane, are wrong by factors of thousands and of both signs, although the particle is in the documented range 0 < x
# < box - 1. Right, in a periodic plane, is the same deflection as far from a particle elsewhere. Seen on 2026-11-30, a
# plane of 64 kpc/h: from x = 46 to 60 the deflection by a particle at x = 54 is that by one at x = 32, at x = 61 and 62
# it is 1,109 and -7,696 times that.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check P3MLens==1.0.0 numpy==2.2.6 scipy==1.16.3 \
  numba==0.61.2 astropy==7.1.1
cat > run.py <<'END'
import numpy
import P3MLens

Plane = P3MLens.Plane if hasattr(P3MLens.Plane, "deflection_angle") else P3MLens.Plane.Plane

if __name__ == "__main__":
    offsets = numpy.array([-8.0, -7.0, -6.0, 6.0, 7.0, 8.0])
    found = []
    for place in (32.0, 54.0):
        plane = Plane(numpy.array([[place, 32.0]]), 64, 1e3, fftw=False, core=1)
        found.append(plane.deflection_angle(place + offsets, numpy.full(6, 32.0), PP=False)[0])
    right = 4 * 4.3009173 * 1e3 / 299792.458**2 / offsets  # G in kpc (km/s)^2 / 1e6 solar masses, without periodic images
    print("particle at x = 32: deflection by that of one point", (found[0] / right).round(3))
    print("particle at x = 54: deflection by that of the one at x = 32, as far from it:",
          ", ".join(f"x = {54 + offset:g}: {ratio:.5g}" for offset, ratio in zip(offsets, found[1] / found[0])))
    assert abs(found[0] / right - 1).max() < 0.08
    assert abs(found[1] / found[0] - 1)[:4].max() < 1e-6 and abs(found[1] / found[0])[4:].min() > 100
    edge = abs(plane.PM_field_grid[0][32])
    print(f"largest force on the grid in the interior {edge[2:-2].max():.4g}, at the edges {edge[:2].max():.4g} and "
          f"{edge[-2:].max():.4g} (km/s)^2")
    assert edge[:2].max() > 1000 * edge[2:-2].max() and edge[-2:].max() > 1000 * edge[2:-2].max()
END
environment/bin/python -W ignore run.py
