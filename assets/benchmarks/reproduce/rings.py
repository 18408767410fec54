"""Files with the galaxies of Cassell et al. 2024, doi:10.1109/SCW63240.2024.00099, as their program reads them.

Their workload "galaxy" in 3D (build_galaxy_model() in src/models.h of github.com/UoB-HPC/stdpar-nbody): two central
masses at rest, and around each a ring with half of the bodies and mass 1. In a ring, distances from the axis (30 to 50),
angles and heights (-10 to 10) are uniform, and speeds are those of circles around the central mass and 1. Each ring is
then turned by TURN. The random numbers are ours. Format (Saver::load_system() in src/saving.h): number of bodies,
dimension, time step and G, then mass, position and velocity of each body; 32 bits each, little endian.
"""

import struct
import sys
from array import array
from math import cos, pi, sin, sqrt
from random import Random

G, TIME_STEP = 1e-4, 10
CENTRES = ((1e4, (-100, 50, 0)), (1e3, (100, -50, 0)))  # mass, position
TURN = ((0, -1, 0), (0.9, 0, 0.5), (0.5, 0, 0.9))  # theirs: no rotation, it shears


def name(bodies):
    return f"stdpar-galaxy-{bodies}.bin"


def turned(vector):
    return [sum(a * b for a, b in zip(row, vector)) for row in TURN]


def body(random, centre_mass, centre):
    """Position and velocity of a body of a ring."""
    radius, angle = random.uniform(30, 50), random.uniform(0, 2 * pi)
    speed = sqrt(G * (centre_mass + 1) / radius)
    position = turned((radius * sin(angle), radius * cos(angle), random.uniform(-10, 10)))
    velocity = turned((-speed * cos(angle), speed * sin(angle), random.uniform(-1e-5, 1e-5)))
    return [a + b for a, b in zip(position, centre)] + velocity


def write(path):
    """The number of bodies, at least 4, is that of the name; an odd one is rounded down."""
    half, random, numbers = int(path.stem.rpartition("-")[2]) // 2, Random(42), array("f")
    for centre_mass, centre in CENTRES:
        numbers.extend((centre_mass, *centre, 0, 0, 0))
        for _ in range(half - 1):
            numbers.append(1 / (half - 1))
            numbers.extend(body(random, centre_mass, centre))
    if sys.byteorder == "big":
        numbers.byteswap()
    path.write_bytes(struct.pack("<IIff", 2 * half, 3, TIME_STEP, G) + numbers.tobytes())


def write_inputs(folder, words):
    """Writes the files that the words of a command name."""
    for file in words[words.index("--input") + 1].split(","):
        if not (folder / file).is_file():
            write(folder / file)
