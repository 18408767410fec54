#!/usr/bin/env bash
# pytreegrav 1.5.0: an opening angle of 0, with which a tree code opens every cell and is the direct sum, raises
# ZeroDivisionError in Accel() and Potential() with method="tree". Seen on 2026-11-30: with an angle of 1e-12 both agree
# with method="bruteforce" to rounding, so that only the exact zero fails, as float and as integer.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check pytreegrav==1.5.0 numba==0.68.1 numpy==2.4.6
environment/bin/python - <<'END'
import numpy, pytreegrav

positions = numpy.random.default_rng(1).standard_normal((2000, 3))
masses = numpy.full(2000, 1 / 2000)
for function in pytreegrav.Accel, pytreegrav.Potential:
    exact = function(positions, masses, method="bruteforce")
    nearly = function(positions, masses, theta=1e-12, method="tree")
    difference = abs(nearly - exact).max() / abs(exact).max()
    print(f"{function.__name__}: theta 1e-12 differs from the direct sum by {difference:.1e}")
    assert difference < 1e-12
    for theta in 0.0, 0:
        try:
            function(positions, masses, theta=theta, method="tree")
        except ZeroDivisionError as error:
            print(f"{function.__name__}: theta {theta}: ZeroDivisionError: {error}")
        else:
            raise SystemExit("it no longer fails")
END
