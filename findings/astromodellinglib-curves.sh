#!/usr/bin/env bash
# astromodellinglib 1.1: the squared circular velocity of bulgehernq() is the velocity dispersion (eq. 10 of Hernquist
# 1990, doi:10.1086/168845), which does not fit its own mass; it is added to those of disc and halo in rotation curves.
# The mass of jaffe() has a square root too much (eq. 2.66 of Binney and Tremaine 2008 without it): it grows without
# bound. Seen on 2026-11-30: at 1 and 10 scale lengths, v^2 of the bulge is 0.35 and 0.22 of G M / r; 9.95 and 31.6
# times the whole mass of Jaffe's model are within 100 and 1,000 core radii (0.990 and 0.999 are right).
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check numpy==1.26.4 scipy==1.13.1 astropy==6.1.7 ipython==8.18.1
environment/bin/pip install --quiet --disable-pip-version-check --no-deps astromodellinglib==1.1
environment/bin/python -W ignore - <<'END'
import astromodellinglib as models
import numpy
from scipy.integrate import quad

mass, scale = 1e10 * models.masssun, 1e3 * models.pc
for share in (0.1, 1.0, 10.0):
    radius = numpy.array([share * scale])
    found, inside = (float(each[0]) for each in models.bulgehernq([mass, scale], radius))
    right = models.g * inside * models.masssun / radius[0] / 1e6
    density = lambda r: 1 / (r * (r + scale) ** 3)
    force = lambda r: models.g * mass / (r + scale) ** 2
    dispersion = quad(lambda t: numpy.exp(t) * density(numpy.exp(t)) * force(numpy.exp(t)), numpy.log(radius[0]),
                      numpy.log(1e5 * scale), limit=400)[0] / density(radius[0]) / 1e6
    print(f"bulge at {share} scale lengths: v^2 = {found:.0f} km^2/s^2, should be {right:.0f}; the dispersion is "
          f"{dispersion:.0f}")
    assert abs(found / dispersion - 1) < 0.01 and (share < 1 or found < 0.6 * right)

density = 1e-20
for share in (1.0, 100.0, 1000.0):
    radius = share * scale
    found = float(models.jaffe([density, scale], numpy.array([radius]))[1][0]) * models.masssun
    right = quad(lambda r: 4 * numpy.pi * r**2 * density / ((r / scale) ** 2 * (1 + r / scale) ** 2), 0, radius,
                 limit=400, points=[scale] if share > 1 else None)[0]
    whole = 4 * numpy.pi * density * scale**3
    print(f"Jaffe's model within {share:.0f} core radii: {found / whole:.3f} of its whole mass, should be {right / whole:.3f}")
    assert abs(found / right - (1 + share) ** 0.5) < 0.01 * share**0.5
END
