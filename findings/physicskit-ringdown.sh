#!/usr/bin/env bash
# physicskit 0.4.0, BinaryMerger.full_waveform(): the ringdown takes its strength from the inspiral at 0.999 times the
# time of the merger, which depends on where time starts; and it is multiplied with the factors of the inclination a
# second time, and with the phase. Seen on 2026-11-30: the ringdown of the same binary is 3.16 times as strong if the
# merger is at t = 1,000 as it is at 100,000; from the side, it is 0.084 of that from above (0.5 is right).
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check numpy==2.4.6 scipy==1.17.1 numba==0.68.1 matplotlib==3.11.2 \
  sympy==1.14.0 plotly==6.5.0 tqdm==4.67.1
environment/bin/pip install --quiet --disable-pip-version-check --no-deps physicskit==0.4.0
MPLBACKEND=Agg environment/bin/python -W ignore - <<'END'
import numpy
from physicskit.relativity.chapters.gw_merger import BinaryMerger

shifts = numpy.linspace(0, 40, 4000)  # times after the merger, in units of the whole mass
strengths = []
for merger in (1e3, 1e5):
    waves = BinaryMerger(0.5, 0.5, 100.0).full_waveform(merger + shifts, merger)
    strengths.append(numpy.hypot(*waves).max())
    print(f"merger at t = {merger:.0f}: ringdown of strength {strengths[-1]:.4f}")
print(f"ratio {strengths[0] / strengths[1]:.3f}, should be 1")
assert abs(strengths[0] / strengths[1] - 100**0.25) < 0.01

side = BinaryMerger(0.5, 0.5, 100.0, inclination=numpy.pi / 2).full_waveform(1e3 + shifts, 1e3)
share = numpy.hypot(*side).max() / strengths[0]
print(f"ringdown from the side: {share:.3f} of that from above, should be 0.500")
assert share < 0.26
END
