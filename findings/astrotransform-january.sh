#!/usr/bin/env bash
# AstroTransform 1.2: Julian dates of January and February lack the step that makes them months 13 and 14 of the year
# before: they are one or two days early, so that sidereal times are 4 or 8 minutes early and stars are elsewhere in
# the sky. The way back is right. Seen on 2026-11-30: 2023-01-15 is 2,459,957.5 (2,459,959.5 is right); from noon of
# 2024-02-28 to 2024-03-01 it is 3.5 days (1.5 is right).
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check numpy==2.4.6 astropy==8.0.2 regex==2025.11.3
environment/bin/pip install --quiet --disable-pip-version-check --no-deps AstroTransform==1.2
environment/bin/python -W ignore - <<'END'
from datetime import datetime

from astropy.time import Time
from AstroTransform.time import JD, lst

off = {}
dates = [datetime(2023, 1, 15), datetime(2024, 1, 15), datetime(2024, 2, 28, 12), datetime(2024, 3, 1)]
for date in dates:
    found, right = float(JD.to_jd(date)), Time(date).jd
    sidereal = Time(date).sidereal_time("mean", "greenwich").hour
    late = (float(lst.lst(date, 0.0)) - sidereal + 12) % 24 - 12
    off[date] = found - right
    print(f"{date}: {found}, should be {right}; sidereal time {late * 60:+.1f} minutes off")
    assert (off[date] in (-1, -2)) == (date.month < 3) and (off[date] == 0) == (date.month > 2)
    assert abs(late * 60 - off[date] * 3.943) < 0.1
    assert JD.from_jd(right) == date
END
