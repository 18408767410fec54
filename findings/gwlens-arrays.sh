#!/usr/bin/env bash
# gwlens 0.2.0, deflection() of its NFW lens: for arrays, a function of the radius is stored in a copy and lost, and is
# 1 everywhere: deflections of arrays are not those of the same numbers one by one, which are the gradient of the
# potential. Seen on 2026-11-30: 0.186, 0.292 and 0.302 for the numbers 0.2, 0.7 and 2, and -6.51, -0.071 and 0.5 for
# an array of them.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check numpy==2.3.5 scipy==1.16.3 h5py==3.15.1 finufft==2.5.1 \
  joblib==1.5.3 astropy==7.1.1 mpmath==1.3.0 tqdm==4.67.1 matplotlib==3.10.7 mpi4py==4.1.2 mpich==5.0.2
environment/bin/pip install --quiet --disable-pip-version-check --no-deps gwlens==0.2.0
MPLBACKEND=Agg environment/bin/python -W ignore - <<'END'
import numpy
from gwlens.lens.nfw import NFW1

lens, step = NFW1(), 1e-5
places = numpy.array([0.2, 0.7, 2.0])
together = lens.deflection(places, numpy.zeros(3), 1.0)[0]
for place, found in zip(places, together):
    alone = lens.deflection(float(place), 0.0, 1.0)[0]
    before, after = lens.potential(1.0, numpy.array([place - step, place + step]))
    right = (after - before) / (2 * step)
    print(f"deflection at {place}: {found:.4f} in an array, {alone:.4f} alone; gradient of the potential {right:.4f}")
    assert abs(alone - right) < 1e-6 and abs(found - right) > 0.15
END
