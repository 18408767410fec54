#!/usr/bin/env bash
# NBodyBuilder 1.0.2: Hernquist(numParticles, a, M) ignores the mass M, and solves M(r) = M r^2 / (r + a)^2 for r with
# M^(1/3) instead of M^(1/2): of 1,000 bodies, none is outside of a / 9. Polar angles are uniform, so that bodies gather
# at the z axis. And the integrator "leapfrog" of its menu is the Euler-Cromer method, of first order. Seen on 2026-11-30,
# a = 1, seed 1: half of 1,000 bodies are within 0.08, where 2.414 is right, the largest radius is 0.11, and the mean of
# z^2 / r^2 is 0.50 instead of 1/3; "leapfrog" returns what "euler_cromer" does.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check NBodyBuilder==1.0.2 numpy==2.4.6
environment/bin/python -W ignore - <<'END'
import numpy
from NBodyBuilder.Hernquist_IC import Hernquist
from NBodyBuilder.Particle import Particle
from NBodyBuilder.TimeStepper import TimeStepper

numpy.random.seed(1)
places = numpy.array([body.com for body in Hernquist(1000, 1.0, 5.0).particles])
radii = numpy.linalg.norm(places, axis=1)
polar = (places[:, 2] ** 2 / radii**2).mean()
print(f"radii of 1,000 bodies: median {numpy.median(radii):.4f}, should be {1 + 2**0.5:.4f}, largest {radii.max():.4f}; "
      f"mean of z^2 / r^2 {polar:.3f}, should be 0.333")
assert numpy.median(radii) < 0.1 and radii.max() < 1 / 9 and abs(polar - 0.5) < 0.05

def end(integrator):
    bodies = numpy.array([Particle(1.0, numpy.array([x, 0.0, 0])) for x in (-10, 10)])
    for body, speed in zip(bodies, (-0.1, 0.1)):
        body.setVel(numpy.array([0, speed, 0]))
    return TimeStepper(bodies, 20.0, 0.5, integrator, "direct").history[-1]

same = numpy.abs(end("leapfrog") - end("euler_cromer")).max()
other = numpy.abs(end("euler") - end("euler_cromer")).max()
print(f"largest difference from euler_cromer: leapfrog {same}, euler {other:.3g}")
assert same == 0 and other > 0
END
