#!/usr/bin/env bash
# pyPebble 0.1.0: create_disc(distribution="uniform") draws the radius evenly from 0 to r_max instead of its square, so
# that the surface density falls like 1 / r. A saved file is a step ahead of its own clock: its first state, labelled
# t_start, is already moved by a step, and the initial state is nowhere. Bounds are periodic, but forces do not cross
# them, so that two bodies 2 pc apart across the bound do not feel each other. Seen on 2026-11-30: half of the particles
# lie within 0.50 r_max (0.707 is right), the density of the innermost tenth is ten times the mean; a body at 0 with 2
# pc/Myr is at 1.0 at time 0 with steps of 0.5 Myr; the two bodies across the bound get velocity 0.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check pyPebble==0.1.0 numpy==2.2.6 scipy==1.16.3 \
  h5py==3.15.1 numba==0.61.2 tqdm==4.67.1 matplotlib==3.10.7
cat > run.py <<'END'
import h5py, numpy
from pyPebble.GravCore import G, Pebbles

if __name__ == "__main__":
    numpy.random.seed(1)
    disc = Pebbles().create_disc(20000, 10.0, [0.0, 0.0], 0.1, v_sigma=0.0, total_mass=1.0, distribution="uniform")
    radius = numpy.array([numpy.linalg.norm(body.position) for body in disc.bodies])
    inner = (radius < 1).mean() / 0.01
    print(f"half of the particles lie within {numpy.median(radius) / 10:.3f} r_max, should be {0.5**0.5:.3f}; density "
          f"of the innermost tenth {inner:.1f} times the mean")
    assert abs(numpy.median(radius) / 10 - 0.5) < 0.02 and inner > 9

    def run(positions, velocities, masses, finish):
        bodies = Pebbles(positions=positions, velocities=velocities, masses=masses)
        bodies.setup(softening=0, bounds=20, smooth_len=10, t_start=0, t_finish=finish, n_steps=11, Enable_GPU=False,
                     save_output="states.hdf5").run()
        with h5py.File("states.hdf5") as file:
            return file["time"][:], file["positions"][:], file["velocities"][:]

    time, position, velocity = run([[0, 0], [-15, 15]], [[2, 0], [0, 0]], [1e-9, 1e-9], 5.0)
    print("times", time[:3], "should be at", 2 * time[:3], "and is at", position[:3, 0, 0])
    assert numpy.allclose(position[:9, 0, 0], 2 * (time[:9] + 0.5), atol=1e-6)

    for label, places in (("inside", [[-1.0, 0.0], [1.0, 0.0]]), ("across the bound", [[19.0, 0.0], [-19.0, 0.0]])):
        time, position, velocity = run(places, [[0, 0], [0, 0]], [1.0, 1.0], 0.1)
        print(f"two bodies of 1 solar mass 2 pc apart, {label}: velocity after {time[-1]} Myr {velocity[-2, 0, 0]:.3g} "
              f"pc/Myr, should be {G / 4 * time[-1]:.3g} towards the other")
        assert velocity[-2, 0, 0] == 0 if label != "inside" else abs(velocity[-2, 0, 0] / (G / 4 * time[-1]) - 1) < 0.01
END
environment/bin/python -W ignore run.py 2>errors.txt || { cat errors.txt >&2; exit 1; }
