#!/usr/bin/env bash
# gravpy 0.2.4, Interferometer.antenna_pattern(): the response of a detector of gravitational waves is computed with
# arms of twice the tensor (a difference of the arms' products without the factor 1/2), and the rotation by the angle
# of polarisation is computed but not used: the response is up to twice the right one, and the same at every angle of
# polarisation. Seen on 2026-11-30: straight above, F+ and Fx are 2 and 0 at 0, 22.5 and 45 degrees, where 1 and 0,
# 0.707 and 0.707, 0 and 1 are right.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check numpy==1.26.4 scipy==1.13.1 astropy==6.1.7 \
  matplotlib==3.9.4
environment/bin/pip install --quiet --disable-pip-version-check --no-deps gravpy==0.2.4
MPLBACKEND=Agg environment/bin/python -W ignore - <<'END'
import numpy
from gravpy.interferometers import Interferometer

detector = Interferometer()
arms = (numpy.diag([1.0, 0, 0]) - numpy.diag([0, 1.0, 0])) / 2  # arms along x and y: the detector tensor
for degrees in (0, 22.5, 45):
    angle = numpy.radians(degrees)
    c, s = numpy.cos(angle), numpy.sin(angle)
    p, q = numpy.array([c, s, 0]), numpy.array([-s, c, 0])
    waves = numpy.outer(p, p) - numpy.outer(q, q), numpy.outer(p, q) + numpy.outer(q, p)
    right = [abs((arms * wave).sum()) for wave in waves]
    plus, cross, total = (float(each) for each in detector.antenna_pattern(0, 0, angle))
    print(f"polarisation {degrees:4} degrees: F+ {plus:.3f}, Fx {cross:.3f}, both {total:.3f}, should be {right[0]:.3f}, "
          f"{right[1]:.3f}, {numpy.hypot(*right):.3f}")
    assert abs(plus - 2) < 1e-9 and abs(cross) < 1e-9 and abs(numpy.hypot(*right) - 1) < 1e-9
END
