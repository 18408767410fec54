#!/usr/bin/env bash
# pydasst 0.1.0, criteria for meteor streams: D_SH() of Southworth and Hawkins (1963) is the square of their D; the
# criterion K takes the natural logarithm for that of base 10, and calls most asteroids cometary; D_V() takes velocities
# for positions. Seen on 2026-11-30: 0.0225 for orbits whose pericentres differ by 0.15 AU; an asteroid with a = 2.7 AU
# and e = 0.1 is cometary.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check numpy==2.3.5
environment/bin/pip install --quiet --disable-pip-version-check --no-deps pydasst==0.1.0 pyorb==0.6.4
environment/bin/python -W ignore - <<'END'
import importlib.util
import sysconfig
import types
from math import log10, pi
import numpy


def load(name):
    file = sysconfig.get_paths()["purelib"] + f"/dasst/similarity/{name}.py"  # alone, without what needs REBOUND
    spec = importlib.util.spec_from_file_location(name, file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


first = types.SimpleNamespace(a=2.0, e=0.5, i=0.1, Omega=0.2, omega=0.3)
second = types.SimpleNamespace(a=2.3, e=0.5, i=0.1, Omega=0.2, omega=0.3)
found = load("d_criteria").D_SH(first, second)
print(f"pericentres at 1 and 1.15 AU, same shape and directions: D = {found:.4f}, should be 0.15")
assert abs(found - 0.15**2) < 1e-9

criteria = load("ca_criteria")
for name, a, e in (("asteroid", 2.7, 0.1), ("Ceres", 2.77, 0.08), ("Encke's comet", 2.22, 0.85)):
    right = log10(a * (1 + e) / (1 - e)) - 1
    found = bool(criteria.K_i(a, e, 5.0))
    print(f"{name}: cometary {found}, K = {right:.2f}: should be {right > 0}")
    assert found
    assert (right > 0) == (name == "Encke's comet")
END
