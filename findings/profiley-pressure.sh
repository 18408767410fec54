#!/usr/bin/env bash
# profiley 1.5.0, Arnaud10 and PressureGNFW: the radius is divided by the scale radius, which is R500 / c, and then
# multiplied with c in the universal profile, which expects r / R500: the pressure of a galaxy cluster is that at c =
# 1.177 times the radius (Arnaud et al. 2010, doi:10.1051/0004-6361/200913416). Seen on 2026-11-30: 0.69, 0.59 and 0.51
# of the right pressure at 0.5, 1 and 2 R500.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check numpy==1.26.4 scipy==1.13.1 astropy==6.1.7 setuptools==80.9.0
environment/bin/pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation profiley==1.5.0
environment/bin/python -W ignore - <<'END'
import numpy
from profiley.pressure import Arnaud10

cluster = Arnaud10(numpy.array([3e14]))
radius = cluster.radius[0]
for share in (0.1, 0.5, 1.0, 2.0):
    found, unit = (each.value.item() for each in (cluster.profile(numpy.array([share * radius])), cluster.P500))
    x = 1.177 * share
    right = unit * 8.403 / x**0.3081 / (1 + x**1.0510) ** ((5.4905 - 0.3081) / 1.0510)
    shifted = 1.177 * x
    seen = unit * 8.403 / shifted**0.3081 / (1 + shifted**1.0510) ** ((5.4905 - 0.3081) / 1.0510)
    print(f"at {share} R500: {found:.3e} keV/cm^3, should be {right:.3e}: {found / right:.2f} of it")
    assert abs(found / seen - 1) < 1e-6 and found < 0.95 * right
assert found < 0.55 * right
END
