#!/usr/bin/env bash
# gala 1.11.0, as_interop("galpy"): origin and rotation R of a potential are dropped, and so are q1, q2 and phi of
# LogarithmicPotential; the axes of NFWPotential flatten the potential in gala (as documented), but the density
# in galpy 1.12.1. There is no warning; only a comment in the source says that some conversions drop parameters. Seen on
# 2026-11-30: a Hernquist sphere with its origin at x = 6 kpc attracts with 3.93 km/s/Myr in gala, but 2.43 in galpy,
# as one with its origin at 0; a halo with c = 0.7 with 0.500 and 0.415.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check gala==1.11.0 galpy==1.12.1 astropy==8.0.2 \
  scipy==1.17.1 numpy==2.4.6
HOME=$folder environment/bin/python -W error - <<'END'
import warnings

import astropy.units as u, gala.potential, numpy
from gala.units import galactic
with warnings.catch_warnings(action="ignore"):
    import galpy.potential

radius, height, angle, unit = 8 * u.kpc, 2 * u.kpc, 0.3, u.km / u.s / u.Myr
mass = {"m": 1e11 * u.Msun, "units": galactic}
speed = {"v_c": 200 * u.km / u.s, "r_h": 5 * u.kpc, "q1": 1, "units": galactic}
upright = numpy.array([[1.0, 0, 0], [0, 0, -1], [0, 1, 0]])
potentials = {
    "Hernquist": gala.potential.HernquistPotential(c=5 * u.kpc, **mass),
    "Hernquist with origin": gala.potential.HernquistPotential(c=5 * u.kpc, origin=[6, 0, 0] * u.kpc, **mass),
    "Miyamoto-Nagai with R": gala.potential.MiyamotoNagaiPotential(a=3 * u.kpc, b=0.3 * u.kpc, R=upright, **mass),
    "logarithmic, q3 = 0.7": gala.potential.LogarithmicPotential(q2=1, q3=0.7, **speed),
    "logarithmic, q2 = 0.7": gala.potential.LogarithmicPotential(q2=0.7, q3=1, **speed),
    "NFW": gala.potential.NFWPotential(r_s=15 * u.kpc, **mass),
    "NFW, c = 0.7": gala.potential.NFWPotential(r_s=15 * u.kpc, c=0.7, **mass),
}
ratios = {}
for name, potential in potentials.items():
    outwards = numpy.array([numpy.cos(angle), numpy.sin(angle), 0])
    place = u.Quantity([radius * outwards[0], radius * outwards[1], height])
    in_gala = float(outwards @ potential.acceleration(place).to_value(unit)[:, 0])
    converted = potential.as_interop("galpy")
    in_galpy = galpy.potential.evaluateRforces(converted, radius, height, phi=angle, quantity=True).to_value(unit)
    ratios[name] = in_galpy / in_gala
    print(f"{name}: radial acceleration {in_gala:.4g} km/s/Myr in gala, {in_galpy:.4g} in galpy")
same = [name for name, ratio in ratios.items() if abs(ratio - 1) < 1e-6]
assert same == ["Hernquist", "logarithmic, q3 = 0.7", "NFW"]
assert abs(ratios["Hernquist with origin"] - 0.618) < 1e-3 and abs(ratios["NFW, c = 0.7"] - 0.830) < 1e-3
END
