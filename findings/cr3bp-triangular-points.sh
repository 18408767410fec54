#!/usr/bin/env bash
# cr3bp 0.2.1: System.L4 and L5 are (0.5, +-sqrt(3) / 2), half-way between the centre of mass and the smaller body plus
# mu, while the equations of motion, L1, L2 and L3 of the same package count from the centre of mass, where the
# primaries are at -mu and 1 - mu: the points of equilateral triangles (Szebehely 1967) are at 0.5 - mu. The points
# returned are no equilibria. Seen on 2026-11-30: off by 4,673 km for Earth and Moon, by 742,000 km for Sun and Jupiter;
# a body at rest at that L4 of Earth and Moon is 54,000 km away from it after a month, and one at rest at 0.5 - mu stays
# within a metre.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check cr3bp==0.2.1 numpy==2.3.5 scipy==1.16.3
environment/bin/python -W ignore - <<'END'
import cr3bp, numpy
from scipy.integrate import solve_ivp

for name, off in (("EarthMoon", 4673e3), ("SunJupiter", 742e6)):
    system = getattr(cr3bp, name)
    equations = cr3bp.EOMConstructor(system.mu)
    pulls = [numpy.linalg.norm(equations(0, [place, 0, 0, 0, 0, 0])[3:]) for place in (system.L1, system.L2, system.L3)]
    assert max(pulls) < 1e-10
    for label in ("L4", "L5"):
        point = numpy.array(getattr(system, label))
        right = point - [system.mu, 0]
        drifts = []
        for place in (point, right):
            start = [*place, 0, 0, 0, 0]
            path = solve_ivp(equations, (0, 2 * numpy.pi), start, rtol=2.3e-14, atol=1e-14)
            drifts.append(numpy.linalg.norm(path.y[:2, -1] - place) * system.l)
        pull = numpy.linalg.norm(equations(0, [*point, 0, 0, 0, 0])[3:])
        print(f"{name} {label}: acceleration {pull:.2e}, {system.mu * system.l / 1e3:.0f} km off; after a turn of the "
              f"system a body at rest has moved by {drifts[0] / 1e3:.0f} km, and by {drifts[1] / 1e3:.1e} km from 0.5 - mu")
        assert pull > 1e-4 and abs(system.mu * system.l / off - 1) < 0.01
        assert drifts[0] > system.mu * system.l and drifts[1] < 1
END
