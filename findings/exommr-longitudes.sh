#!/usr/bin/env bash
# exoMMR 1.1.6, resonances of exoplanets: the mean longitude at the start is 2 pi less than the fraction of the period
# at the transit, where it should be their product with a minus sign: planets do not transit when they were seen to.
# Seen on 2026-11-30: of two planets that transit at 0 and at half a period, the second is 28.6 degrees ahead of the
# first instead of 180; the simulation has its transit 4.2 days late, with a period of 10 days.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check numpy==1.26.4 scipy==1.13.1 astropy==6.1.7 \
  matplotlib==3.8.4 pandas==2.2.3 rebound==4.4.10 setuptools==69.5.1 wheel==0.43.0
environment/bin/pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation exoMMR==1.1.6
MPLBACKEND=Agg environment/bin/python -W ignore - <<'END'
import os
import numpy
from astropy.table import Table
from exoMMR.analysis import make_sim_file

os.makedirs("system/planets")
period, transits = 10.0, numpy.array([0.0, 5.0])
rows = numpy.zeros((10, 2))
rows[0], rows[2], rows[4], rows[8] = 1.0, period, 90.0, transits
rows[1], rows[3], rows[5], rows[7] = 1e-9, 1e-9, 1e-9, 1e-9
names, numbers = ["two", "whfast", ["days", "Msun", "AU"]], numpy.array([2, 0, 1.0, 1, 1.0, 0.05, 1.0])
make_sim_file("system/planets", names, numbers, rows)
table = Table.read("system/planets/two-allsims.in", format="ascii")[0]
longitudes = numpy.degrees([table["mLon1"], table["mLon2"]])
print(f"transits at {transits} days: longitudes at time 0 {longitudes.round(1)}")
found = (longitudes[1] - longitudes[0]) % 360
right = -360 * (transits[1] - transits[0]) / period % 360
print(f"the second planet is {found:.1f} degrees ahead of the first, should be {right:.1f}")
assert abs(found - numpy.degrees(0.5)) < 0.01
late = ((longitudes[0] - longitudes[1]) % 360) / 360 * period
print(f"so it crosses the direction of the first at time 0 after {late:.2f} days, should be after {transits[1]}")
assert abs(late - transits[1]) > 4
END
