#!/usr/bin/env bash
# apoastro 1.0.1: the stages of its Runge-Kutta method move one body at a time and leave the others where they were. Only
# around a body that does not move, the method "rk4" has fourth order. Seen on 2026-11-30: half the step divides the
# error of a light planet by 17 as it should, that of a binary of equal masses by 2 only: with 63 steps an orbit, the
# bodies are 5.6e-3 of their separation away after a sixth of an orbit, 6,000 times as far as the planet.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check numpy==2.4.6
environment/bin/pip install --quiet --disable-pip-version-check --no-deps apoastro==1.0.1
environment/bin/python - <<'END'
import numpy
from apoastro.numerical_solution import NumericalSolution

def error(masses, steps):  # of a circular orbit with G M = separation = 1 at time 1
    first, second = numpy.array([-masses[1], 0, 0]), numpy.array([masses[0], 0, 0])
    turned = [numpy.array([0, place[0], 0]) for place in (first, second)]
    run = NumericalSolution(1.0, numpy.array(masses), [first, second], turned, 1 / steps, 1.5, None, "rk4")
    place = run.solve_all()[1][steps][1]
    return numpy.linalg.norm(place - masses[0] * numpy.array([numpy.cos(1.0), numpy.sin(1.0), 0]))

orders = {}
for name, masses in (("planet", [1.0, 1e-9]), ("equal masses", [0.5, 0.5])):
    errors = [error(masses, steps) for steps in (10, 20, 40)]
    orders[name] = numpy.log2(errors[1] / errors[2])
    print(f"{name}: errors with 10, 20 and 40 steps {errors[0]:.3g}, {errors[1]:.3g}, {errors[2]:.3g}; "
          f"order {orders[name]:.2f}")
assert orders["planet"] > 3.9 and abs(orders["equal masses"] - 1) < 0.05
END
