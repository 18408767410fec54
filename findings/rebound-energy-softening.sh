#!/usr/bin/env bash
# REBOUND 5.2.2: energy() ignores the softening that the forces have, so that it changes in a run that conserves energy.
# Its description: "the sum of potential and kinetic energy of all particles in the simulation". Seen on 2026-11-29: two
# bodies of mass 1 with softening 0.5 and IAS15; energy() lies between -2.2455 and -0.91, and the energy with the
# softened potential changes by less than 1e-14. Without softening, energy() is constant to 1e-14.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check rebound==5.2.2
environment/bin/python -W ignore - <<'END'
import rebound

def energies(softening):
    """Values of energy() during a run, and the largest relative change of the energy with the softened potential."""
    run = rebound.Simulation()
    run.integrator, run.softening = "ias15", softening
    run.add(m=1, x=-0.5, vy=-0.3)
    run.add(m=1, x=0.5, vy=0.3)

    def softened():
        a, b = run.particles
        kinetic = sum(0.5 * p.m * (p.vx**2 + p.vy**2 + p.vz**2) for p in (a, b))
        return kinetic - 1 / ((a.x - b.x)**2 + (a.y - b.y)**2 + (a.z - b.z)**2 + softening**2)**0.5

    stated, own = [], []
    for k in range(51):
        run.integrate(0.1 * k)
        stated.append(run.energy())
        own.append(softened())
    return min(stated), max(stated), max(abs(value / own[0] - 1) for value in own)

for softening, lowest in ((0, -0.91), (0.5, -2.2455)):
    low, high, change = energies(softening)
    print(f"softening {softening}: energy() from {low:.6g} to {high:.6g}; the softened energy changes by {change:.0e}")
    assert abs(low - lowest) < 1e-4 and abs(high + 0.91) < 1e-9 and change < 1e-14
END
