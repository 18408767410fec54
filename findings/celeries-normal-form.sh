#!/usr/bin/env bash
# celeries 0.1.7, series of celestial mechanics: in a Birkhoff normal form, phi and phi_inv are exchanged. The
# documentation calls phi the new coordinates as functions of the original ones, but it gives the original ones: the
# normal form of what it returns is not the Hamiltonian, whatever the order. Seen on 2026-12-01: with phi, the difference
# stays 4.5e-6 from order 3 to 6; with phi_inv, it falls from 8e-9 to 2e-14.
# Right value: a change of coordinates keeps the value of the Hamiltonian, up to terms beyond the order of the form.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check celeries==0.1.7 numpy==2.2.6 mpmath==1.3.0
environment/bin/python -W ignore - <<'END'
from importlib.metadata import version

import numpy
from celeries.birkhoff import NormalForm
from celeries.series import Series, Var

print("celeries", version("celeries"))
x, y = Var("x"), Var("y")
hamiltonian = Series(1.3j * x * y + 0.1 * x**3 + 0.2 * x**2 * y + 0.3 * x * y**2 + 0.05 * y**3)
point = 0.02 * numpy.array([1 + 0.3j, 0.5 - 0.2j])


def value(series, place):
    return complex(series.evalnum({x: place[0], y: place[1]}).toConst())


documented, exchanged = [], []
for order in (3, 4, 6):
    form = NormalForm(hamiltonian, numpy.array([x, y]), order)
    energy = value(hamiltonian, point)
    documented.append(abs(value(form.Hb, form.eval_phi(point)) - energy))
    exchanged.append(abs(value(form.Hb, form.eval_phi_inv(point)) - energy))
    print(f"order {order}: the normal form differs from the Hamiltonian by {documented[-1]:.1e} with phi, should be "
          f"about {exchanged[-1]:.1e}, as with phi_inv")
assert min(documented) > 4e-6 and exchanged[0] < 1e-7 and exchanged[1] < 1e-8 and exchanged[2] < 1e-11
END
