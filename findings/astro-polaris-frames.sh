#!/usr/bin/env bash
# astro-polaris 0.1.3, rotating2inertial(): the angular velocity of the frame multiplies the angle in the sine instead
# of the sine: with another one than 1, velocities are wrong. Seen on 2026-11-30: a body at rest in a frame that turns
# by 0.5 a unit of time, at distance 1, moves at 1 instead of 0.5; after a quarter of a turn, not even across its
# radius.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check numpy==1.26.4 scipy==1.13.1 numba==0.60.0
environment/bin/pip install --quiet --disable-pip-version-check --no-deps astro-polaris==0.1.3
environment/bin/python -W ignore - <<'END'
import importlib.util
import sysconfig
import numpy

file = sysconfig.get_paths()["purelib"] + "/polaris/Coordinates/_transformations.py"  # the package lacks a part
spec = importlib.util.spec_from_file_location("transformations", file)
frames = importlib.util.module_from_spec(spec)
spec.loader.exec_module(frames)
rest = numpy.array([1.0, 0.0, 0.0, 0.0, 0.0, 0.0])
for rate in (1.0, 0.5):
    for angle in (0.0, numpy.pi / 2):
        found = frames.rotating2inertial(rest, angle, rate)
        right = rate * numpy.array([-found[1], found[0]])
        print(f"rate {rate}, angle {angle:.3f}: velocity {found[3:5].round(3)}, should be {right.round(3)}")
        assert (abs(found[3:5] - right).max() < 1e-9) == (rate == 1.0)
END
