#!/usr/bin/env bash
# pNbody 5.0.10: five functions of its mass models return wrong values, without a warning. plummer.Sigma,
# miyamoto.Sigma_z and miyamoto.SurfaceDensity call Density(G, M, ...), the first parameter of which is M, the last G;
# isothermal.Vcirc is the square of the circular velocity; kuzmin.Omega is that of a point mass. The right values follow
# from other functions of the same models, for Plummer from sigma^2 = G M / (6 sqrt(r^2 + a^2)). Seen on 2026-11-30, for
# M = 2, a = 3, b = 0.5, R = 4, G = 1: ratios to the right values 0.937, 5.25, 0.114, 15.0 and 1.40.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check pNbody==5.0.10 numpy==1.26.4 scipy==1.17.1
HOME=$folder environment/bin/python -W ignore - <<'END'
from math import pi, sqrt

import scipy.integrate
from pNbody.mass_models import isothermal, kuzmin, miyamoto, plummer

mass, a, b, radius = 2.0, 3.0, 0.5, 4.0
surface_density = 2 * scipy.integrate.quad(lambda z: miyamoto.Density(mass, a, b, radius, z), 0, 3 * b)[0]
seen = {
    "plummer.Sigma": (plummer.Sigma(mass, a, radius), sqrt(mass / 6 / sqrt(radius**2 + a**2))),
    "miyamoto.Sigma_z": (miyamoto.Sigma_z(mass, a, b, radius, 0), miyamoto.Sigma_zbis(mass, a, b, radius, 0)),
    "miyamoto.SurfaceDensity": (miyamoto.SurfaceDensity(mass, a, b, radius), surface_density),
    "isothermal.Vcirc": (isothermal.Vcirc(mass, a, radius), sqrt(4 * pi * mass * a**2)),
    "kuzmin.Omega": (kuzmin.Omega(mass, a, radius), kuzmin.Vcirc(mass, a, radius) / radius),
}
for name, (value, right) in seen.items():
    print(f"{name}: {value:.6g}, should be {right:.6g}, ratio {value / right:.3g}")
assert [f"{value / right:.3g}" for value, right in seen.values()] == ["0.937", "5.25", "0.114", "15", "1.4"]
END
