#!/usr/bin/env bash
# GALINDA 1.0.3, animations of HDF5 snapshots: each image spans the bodies of its own snapshot, without axes, so that
# systems which expand, shrink or move as a whole stand still. x runs downwards, y to the right: the histogram is
# drawn without transposing it. Seen on 2026-11-30: 400 bodies and the same bodies 100 times as far apart and moved
# give the same image; of bodies along the x axis, the image has one column with all of them, of bodies along y one
# row.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check GALINDA==1.0.3 numpy==2.4.6 h5py==3.16.0 \
  matplotlib==3.11.2
MPLBACKEND=Agg environment/bin/python -W ignore - <<'END'
import h5py
import numpy
from GALINDA.GALINDA import Bubble

random = numpy.random.default_rng(1)
places = random.normal(size=(400, 3))
along = numpy.linspace(-1, 1, 400)[:, None]
systems = [places, 100 * places + [1e4, 2e4, 0], along * [1, 0, 0], along * [0, 1, 0]]
for k, system in enumerate(systems):
    with h5py.File(f"snapshot_{k}.hdf5", "w") as file:
        file["PartType1/Coordinates"] = system

films = Bubble("snapshot_", "PartType1/Coordinates")
films.fnames = sorted(films.fnames)
images = []
for k in range(len(systems)):
    films.plot(k)  # a frame of animate()
    images.append(numpy.array(films.im.get_array()))
    assert films.im.origin == "upper" and images[-1].sum() == 400
rows, columns = (numpy.count_nonzero(images[2].sum(axis)) for axis in (1, 0))
print(f"images of a system and of one 100 times as wide, elsewhere: the same: {(images[0] == images[1]).all()}; "
      f"bodies along x are in {rows} rows and {columns} column")
assert (images[0] == images[1]).all() and columns == 1 and rows == len(images[2])
assert numpy.count_nonzero(images[3].sum(1)) == 1
END
