#!/usr/bin/env bash
# NFW 0.3.1: a halo whose mass is given for an overdensity above the mean density of the Universe
# (overdensity_type="mean") has its density computed from the critical density: radius and mass do not agree. At the
# scale radius, projected values are not numbers. Seen on 2026-11-30, 1e15 solar masses, concentration 4, Omega_m = 0.3:
# the mass inside r_200m is 3.33e15 = 1e15 / Omega_m, the mean density there 667 times the mean one, and mass_Delta(200)
# is 4.86e15; with "critical", both are 1e15. The scale radius is r_Delta / 4 by definition.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check NFW==0.3.1 numpy==2.4.6 scipy==1.17.1 astropy==7.2.3
environment/bin/python -W ignore - <<'END'
import numpy
from astropy.cosmology import FlatLambdaCDM
from NFW.nfw import NFW

cosmology, mass, seen = FlatLambdaCDM(H0=70, Om0=0.3), 1e15, {}
for kind, share in (("critical", 1.0), ("mean", 0.3)):
    halo = NFW(mass, 4, 0.0, overdensity=200, overdensity_type=kind, cosmology=cosmology)
    inside = (halo.mass(halo.r_Delta) / mass).value
    overdensity = (halo.mean_density(halo.r_Delta) / (share * halo.rho_c)).value
    at_200 = (halo.mass_Delta(200) / mass).value
    seen[kind] = inside, overdensity, at_200
    print(f"200 times the {kind} density: mass inside r_Delta / given mass {inside:.4f}, mean density there / {kind} "
          f"density {overdensity:.1f}, mass_Delta(200) / given mass {at_200:.4f}")
    projected = halo.sigma(halo.r_s).value, halo.projected_mass(halo.r_s).value
    print(f"    at the scale radius: surface density and projected mass {projected}")
    assert numpy.isnan(projected).all()
assert numpy.allclose(seen["critical"], (1, 200, 1), rtol=1e-6)
assert numpy.allclose(seen["mean"], (1 / 0.3, 200 / 0.3, 4.857), rtol=1e-3)
END
