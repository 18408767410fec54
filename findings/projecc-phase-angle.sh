#!/usr/bin/env bash
# projecc 1.1.9, for orbits of planets on the sky: GetPhaseAngle(), with which OrbitSim colours its images, returns 180
# degrees minus the phase angle: 0, that is a full disc, when the planet is between star and observer. Positions have
# their z axis towards the observer, and alphas(), from the paper that it names, returns 180 degrees there.
# DanbySolve(), the solver of Kepler's equation of all functions, stops at the first step that is not positive instead of
# at a small one. Seen on 2026-11-30: for eccentricities of 0.5, 0.8 and 0.95 and a tolerance of 0.001, errors reach
# 0.0017, 0.025 and 0.134 radians.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check projecc==1.1.9 numpy==2.4.6 scipy==1.17.1 astropy==7.2.3
MPLBACKEND=Agg environment/bin/python -W ignore - <<'END'
import numpy
from astropy import units
from projecc import projecc

star = projecc.KeplersConstant(1 * units.Msun, 1e-3 * units.Msun)
for anomaly, name in ((numpy.pi / 2, "between star and observer"), (3 * numpy.pi / 2, "behind the star")):
    z = projecc.KeplerianToCartesian(1 * units.au, 0.0, 90.0, 0.0, 0.0, anomaly, star)[0][2].value
    right = projecc.alphas(90.0, [0.0 if z > 0 else 180.0])[0]
    seen = projecc.GetPhaseAngle(anomaly, 0.0, 90.0, 0.0)
    print(f"planet {name} (z = {z:.3f} au): phase angle {seen:.1f} degrees, alphas() {right:.1f}")
    assert abs(seen + right - 180) < 1e-3 and abs(right - (180 if z > 0 else 0)) < 1e-3

for eccentricity, seen in ((0.5, 0.0017), (0.8, 0.0247), (0.95, 0.1341)):
    right = numpy.linspace(0.01, 2 * numpy.pi - 0.01, 2001)
    error = max(abs(projecc.DanbySolve(projecc.EccentricityAnomaly, anomaly - eccentricity * numpy.sin(anomaly),
                                       eccentricity, 0.001) - anomaly) for anomaly in right)
    print(f"eccentricity {eccentricity}: largest error of the eccentric anomaly {error:.4f}, with a tolerance of 0.001")
    assert error > 0.0015 and abs(error / seen - 1) < 0.1
END
