#!/usr/bin/env bash
# resokit 1.0.7, calc_period_with_errors(): in the propagation of errors (methods 2 and 3), that of the semi-major axis
# is multiplied by -6 pi^2 / (P a) where dP / da = 3 P / (2 a): it vanishes. The error of the mass is right, and so is the
# method 1 of the extremes. Seen on 2026-11-30: a planet at 1.00 +- 0.01 AU around a star of 1 solar mass has a period of
# 365.2 +- 2e-13 days; it should be 5.48 days.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check resokit==1.0.7 matplotlib==3.11.1 numpy==2.4.6 \
  pandas==3.0.3 scipy==1.17.1
MPLBACKEND=Agg environment/bin/python -W ignore - <<'END'
from resokit.utils.utils import calc_period_with_errors

seen = {}
for method in (1, 2, 3):
    period, _, axis = calc_period_with_errors(1.0, 0.01, 0.01, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, method)
    mass = calc_period_with_errors(1.0, 0.0, 0.0, 1.0, 0.02, 0.02, 0.0, 0.0, 0.0, method)[2]
    seen[method] = (axis / (1.5 * 0.01 * period), mass / (0.5 * 0.02 * period))
    print(f"method {method}: period {period:.2f} days; error from an axis of 1.00 +- 0.01 AU {axis:.3g} days, should be "
          f"{1.5 * 0.01 * period:.3g}; from a mass of 1.00 +- 0.02 {mass:.3g}, should be {0.5 * 0.02 * period:.3g}")
assert abs(seen[1][0] - 1) < 0.02 and max(seen[2][0], seen[3][0]) < 1e-10
assert all(abs(mass - 1) < 0.02 for _, mass in seen.values())
END
