#!/usr/bin/env bash
# blackholecalc 1.1.1: limits and units of its formulas do not hold. A Kerr hole of spin 0 has another Hawking
# temperature than the Schwarzschild hole that it is (lower by 2 pi), an extreme charged hole has that of an uncharged
# one instead of 0; the lifetime 2.098e67 (M / Msun)^3, which is in years (5120 pi G^2 M^3 / hbar c^4), is taken for
# seconds and divided by a year; and the inspiral of generate_chirp() has the phase (5 M / tau)^(5/8) in the place of
# its inverse (Maggiore 2008, equation 4.30), so that it hardly turns. Seen on 2026-11-30: for 10 solar masses 6.17e-9
# and 9.82e-10 K at spin 0, 6.6e62 instead of 2.1e70 years; 2 changes of sign in the last 0.2 s of two holes of 30 solar
# masses instead of 23.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check blackholecalc==1.1.1 numpy==2.3.5 scipy==1.16.3 \
  matplotlib==3.10.7
environment/bin/python -W ignore - <<'END'
import numpy
import blackholeCalc
from blackholeCalc import Thermodynamics, WaveformSynthesizer

gravity, light, planck, boltzmann, sun = 6.6743e-11, 299792458.0, 1.054571817e-34, 1.380649e-23, 1.98847e30
mass = 10 * sun
right = planck * light**3 / (8 * numpy.pi * gravity * mass * boltzmann)
holes = {"Schwarzschild": blackholeCalc.schwarzschild(10), "Kerr, spin 0": blackholeCalc.kerr(10, 0.0),
         "extreme charge": blackholeCalc.reissner_nordstrom(10, 1.0)}
found = {name: Thermodynamics.analyze(hole) for name, hole in holes.items()}
for name, values in found.items():
    print(f"{name}: temperature {values['Temperature (K)']:.3e} K, should be {0 if 'charge' in name else right:.3e} K")
plain, spun, charged = (values["Temperature (K)"] for values in found.values())
assert abs(plain / right - 1) < 0.01 and abs(plain / spun / (2 * numpy.pi) - 1) < 1e-6 and charged == plain

years = 5120 * numpy.pi * gravity**2 * mass**3 / (planck * light**4) / (365.25 * 86400)
seen = found["Schwarzschild"]["Lifetime (Yr)"]
print(f"lifetime {seen:.2e} years, should be {years:.2e} years")
assert abs(years / seen / (365.25 * 86400) - 1) < 0.01

time, strain, chirp = WaveformSynthesizer.generate_chirp(30, 30)
before = time < 0
delay = -time[before] / (chirp * sun * gravity / light**3)


def turns(values):
    return int((numpy.sign(values[1:]) != numpy.sign(values[:-1])).sum())


changes, expected = turns(strain[before]), turns(numpy.cos(-2 * (delay / 5) ** 0.625))
print(f"inspiral of 0.2 s: {changes} changes of sign, should be {expected}")
assert changes < 5 and expected > 20
END
