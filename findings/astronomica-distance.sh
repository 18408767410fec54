#!/usr/bin/env bash
# astronomica 0.0.9: distance_to_sun() adds the term of the eccentricity to the distance instead of dividing by it, and
# takes the cosine of degrees: a planet is farthest at its pericentre. Coordinates of planets take sines and cosines of
# degrees, too. Seen on 2026-11-30: Mercury is at 0.576 AU at its pericentre (0.307 is right) and at 0.248 AU at its
# apocentre (0.467 is right).
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check numpy==2.3.5 matplotlib==3.10.7 astroquery==0.4.11 \
  requests==2.32.5
environment/bin/pip install --quiet --disable-pip-version-check --no-deps astronomica==0.0.9
MPLBACKEND=Agg environment/bin/python -W ignore - <<'END'
from astronomica import astronomica

for name, axis, e in (("mercury", 0.38710, 0.20563), ("mars", 1.52368, 0.09340)):
    astronomica.true_anomaly = lambda planet: 0.0
    near = astronomica.distance_to_sun(name)
    astronomica.true_anomaly = lambda planet: 180.0
    far = astronomica.distance_to_sun(name)
    print(f"{name}: distance {near:.3f} AU at the pericentre, should be {axis * (1 - e):.3f}; "
          f"{far:.3f} AU at the apocentre, should be {axis * (1 + e):.3f}")
    assert near > axis and far < axis and near - far > 0.1
END
