#!/usr/bin/env bash
# CrudeBHT 1.0.7, BarnesHutSystem: a cell of the tree has the mass and the place of its first body only, and the body
# that splits a leaf is lost. Seen on 2026-11-30: of a binary of equal masses, the second body falls towards the first,
# but the first feels nothing and the centre of mass moves; a distant body is pulled by one of 50 bodies, with 0.02 of
# the right force. In BruteForceSystem, the same bodies have the right forces.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check CrudeBHT==1.0.7
environment/bin/python - <<'END'
import random

from CrudeBHT.body import Body
from CrudeBHT.system import BarnesHutSystem, BruteForceSystem

def forces(kind, places):
    system = kind()
    system.bodies = [Body(x, y, 0, 0, 2e30) for x, y in places]
    system.calculate(1.0)
    return [(body.fx, body.fy) for body in system.bodies]

random.seed(1)
cluster = [(1e16 * random.uniform(-1, 1) - 5e17, 1e16 * random.uniform(-1, 1) + 5e17) for _ in range(50)]
for name, places in (("binary", [(-1e17, 2e17), (3e17, -1e17)]), ("cluster", cluster + [(8e17, -8e17)])):
    tree, direct = forces(BarnesHutSystem, places), forces(BruteForceSystem, places)
    first, last = (tree[k][0] / direct[k][0] for k in (0, -1))
    print(f"{name} of {len(places)}: force of the tree / direct force: first body {first:.4f}, last body {last:.4f}")
    if name == "binary":
        assert first == 0 and abs(last - 1) < 1e-9
    else:
        assert 0.015 < last < 0.045
END
