#!/usr/bin/env bash
# grale 1.0.1, for lensed gravitational waves: redshift_range() computes the chirp mass for each pair of masses with a
# function that also stores it as that of the event: redshifts are relative to the last pair, the heaviest, not to the
# event. Seen on 2026-11-30, an event of 3 and 3 solar masses: 0.133 for a source of 3 and 3 (0 is right), 0.308 for
# one of 2.6 and 2.6 (0.154 is right), and none is negative.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check numpy==2.4.6 astropy==8.0.2 matplotlib==3.11.2 scipy==1.17.1
environment/bin/pip install --quiet --disable-pip-version-check --no-deps grale==1.0.1
environment/bin/python -W ignore - <<'END'
import contextlib, io

import numpy
from grale import GWEvent

event = GWEvent(3.0, 3.0)
with contextlib.redirect_stdout(io.StringIO()):
    answer = event.redshift_range()
masses, redshifts = answer["m1_range"], answer["redshifts"]
for mass in (2.6, 3.0, 3.4):
    place = numpy.abs(masses - mass).argmin()
    print(f"source of {mass} and {mass} solar masses: redshift {redshifts[place, place]:.3f}, should be {3 / mass - 1:.3f}")
    assert abs(redshifts[place, place] - (3.4 / mass - 1)) < 1e-6
assert redshifts.min() > -1e-9
END
