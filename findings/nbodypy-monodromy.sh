#!/usr/bin/env bash
# nbodypy 0.2.1: monodromy() returns the transposed matrix: each row is what a column should be. monodromyDF() takes the
# difference of an orbit that starts on one side and goes forwards and one that starts on the other side and goes
# backwards: what grows with time cancels. Seen on 2026-11-30, two equal masses on a circle: of a body that starts 1e-6
# further out, the place along the orbit after one period is -9.42 (3 pi) times as far away; row and column of
# monodromy() are exchanged, and monodromyDF() is the unit matrix.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check nbodypy==0.2.1 matplotlib==3.11.1 numpy==2.4.6 \
  scipy==1.17.1
MPLBACKEND=Agg environment/bin/python - <<'END'
import numpy
from nbodypy import Nbody

period, start = 2 * numpy.pi, numpy.array([-0.5, 0, 0, -0.5, 0.5, 0, 0, 0.5])  # x, y, vx, vy of two bodies
system = Nbody(N=2, mass=numpy.array([0.5, 0.5]), init=start)
right = numpy.zeros((8, 8))
for k in range(8):
    for sign in (1, -1):
        system.z = start + sign * 1e-6 * numpy.eye(8)[k]
        right[:, k] += sign * system.integrate([0, period])[-1] / 2e-6
system.z = start.copy()
seen, differences = system.monodromy(period), system.monodromyDF(period, 1e-6)
print(f"y of the first body after a period / its x at the start: right {right[1, 0]:.3f}, monodromy() {seen[1, 0]:.3f}, "
      f"its transposed {seen[0, 1]:.3f}, monodromyDF() {differences[1, 0]:.3f} and {differences[0, 1]:.3f}")
print(f"largest differences: transposed monodromy() {abs(seen.T - right).max():.1e}, monodromy() "
      f"{abs(seen - right).max():.1f}; monodromyDF() from the unit matrix {abs(differences - numpy.eye(8)).max():.1e}")
assert abs(right[1, 0] + 3 * numpy.pi) < 1e-3 and abs(seen.T - right).max() < 1e-3
assert abs(seen - right).max() > 12 and abs(differences - numpy.eye(8)).max() < 0.01
END
