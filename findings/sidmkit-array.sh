#!/usr/bin/env bash
# sidmkit 0.3.3, sigma_over_m() with method="auto": the classical formula is taken only if all velocities of the array
# are in its regime, else one that is an s-wave alone: the cross section at a velocity depends on what else is in the
# array. Seen on 2026-11-30, 100 GeV, mediator of 0.1 GeV, coupling 0.01: 7.9e-4 cm^2/g at 2,000 km/s alone, and 5.2e-6
# in an array with 30 km/s.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check sidmkit==0.3.3 numpy==2.4.6 scipy==1.17.1
environment/bin/python -W ignore - <<'END'
import numpy
from sidmkit import YukawaModel
from sidmkit.cross_sections import sigma_over_m

model = YukawaModel(m_chi_gev=100.0, m_med_gev=0.1, alpha=0.01)
found = []
for velocities in ([2000.0], [1000.0, 2000.0], [30.0, 2000.0]):
    found.append(sigma_over_m(numpy.array(velocities), model)[-1])
    print(f"velocities {velocities} km/s: at 2000 km/s, {found[-1]:.3g} cm^2/g")
assert found[0] == found[1] and abs(found[0] / found[2] / 153 - 1) < 0.02
END
