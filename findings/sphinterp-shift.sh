#!/usr/bin/env bash
# sph-interp 0.0.1 (package sphinterp): pixels are counted from 0, but their centres are computed as if they were counted
# from 1: in y in projection(), in x and y in cross_section(). Images are moved upwards by one pixel, those of cross
# sections to the right too. Seen on 2026-11-30: a particle in the centre of pixel (4, 6) of 16 is in pixel (4, 7) of the
# projection and in pixel (5, 7) of the cross section.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check sphinterp==0.0.1 numba==0.67.0 numpy==2.4.6
environment/bin/python - <<'END'
import numpy, sphinterp

one, pixels, width = numpy.ones(1), 16, 1 / 16
x, y, z = (4 + 0.5) * width * one, (6 + 0.5) * width * one, 0 * one
particle = (x, y, z, 0.08 * one, one, one, numpy.ones(1, dtype=numpy.int64), 1)  # size of 1.3 pixels
seen = {"projection": sphinterp.projection(*particle, 0.0, 0.0, pixels, pixels, width, width, False, 0.0, 0.0),
        "cross section": sphinterp.cross_section(*particle, 0.0, 0.0, 0.0, pixels, pixels, width, width, False)}
for name, image in seen.items():  # rows are y
    row, column = numpy.unravel_index(image.argmax(), image.shape)
    centre = [float((image.sum(axis=k) * (numpy.arange(pixels) + 0.5)).sum() / image.sum() * width) for k in (0, 1)]
    print(f"{name}: brightest pixel ({column}, {row}), centre of the light ({centre[0]:.4f}, {centre[1]:.4f}); the "
          f"particle is at ({x[0]:.4f}, {y[0]:.4f})")
    assert (column, row) == ((4, 7) if name == "projection" else (5, 7))
END
