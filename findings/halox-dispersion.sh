#!/usr/bin/env bash
# halox 2.1.1, NFWHalo.velocity_dispersion(): documented as the isotropic solution of the Jeans equation, sigma^2 = 1 /
# rho times the integral of rho G M / s^2 from r to infinity, it is another function: it falls like 1 / r^2.5, and is
# not that of Lokas and Mamon 2001 (doi:10.1046/j.1365-8711.2001.04007.x), which it names. Density, enclosed mass and
# circular velocity are right. Seen on 2026-11-30, 1e14 solar masses / h, concentration 5: 719, 162, 10.8 and 2.6 km/s
# at 0.05, 0.2, 1 and 2 r200, where 491, 527, 429 and 363 km/s are right.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check halox==2.1.1 jax==0.10.2 jaxlib==0.10.2 \
  jax-cosmo==0.1.0 jaxopt==0.8.5 numpy==2.4.6 scipy==1.17.1
environment/bin/python -W ignore - <<'END'
import halox, jax_cosmo, numpy
from scipy.integrate import quad

halo = halox.halo.NFWHalo(1e14, 5.0, 0.0, jax_cosmo.Planck15())
scale, radius200 = float(halo.Rs), float(halo.r_delta)
strength = float(halo.circular_velocity(scale)) ** 2 * scale / (numpy.log(2) - 0.5)  # G times the mass unit of m(x)
for share, seen in ((0.05, 719.5), (0.2, 162.4), (1.0, 10.78), (2.0, 2.592)):
    radius = share * radius200
    mass = lambda x: numpy.log1p(x) - x / (1 + x)
    own = float(halo.enclosed_mass(radius) / halo.enclosed_mass(scale))
    assert abs(own / (mass(radius / scale) / mass(1)) - 1) < 1e-4
    density = lambda s: 1 / (s / scale * (1 + s / scale) ** 2)
    integral = quad(lambda s: density(s) * strength * mass(s / scale) / s**2, radius, numpy.inf)[0]
    right, found = (integral / density(radius)) ** 0.5, float(halo.velocity_dispersion(radius))
    print(f"at {share} r200: velocity dispersion {found:.4g} km/s, should be {right:.1f} km/s, circular velocity "
          f"{float(halo.circular_velocity(radius)):.1f} km/s")
    assert abs(found / seen - 1) < 0.01 and abs(right / found - 1) > 0.3
END
