"""Runs the same few bodies with the integrator gauss-radau and with IAS15 of REBOUND; called by integrators.sh."""

import csv
import math
import random
import subprocess
import sys

import h5py
import rebound

PROGRAM = sys.argv[1]
# An error may be this many times that of REBOUND, and is always below the limit.
RATIO = 10
ENERGY_LIMIT = {"binary": 1e-9, "encounters": 1e-8}
HALLEY_LIMIT = 1e-6  # AU

HALLEY = """full_name,epoch,e,a,q,i,om,w,ma,tp,H,diameter,albedo,GM,class
"1P/Halley",2460200.5,0.96714,17.834,0.58603,162.26,58.42,111.33,180,,,11,,,HTC
"""
HALLEY_AXIS = 17.834  # AU
AU_KPC = 149597870.7 / 3.0856775814913673e16


def run(*options):
    command = [PROGRAM, "--headless", "--no-progress", *map(str, options)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}: {done.stderr}")
    if "gauss-radau" not in done.stdout:
        sys.exit(f"{' '.join(command)} does not choose gauss-radau: {done.stdout}")


def rebound_of(bodies):
    """Bodies are (mass, position, velocity); those without mass come last."""
    simulation = rebound.Simulation()
    simulation.integrator = "ias15"
    for mass, x, v in bodies:
        simulation.add(m=mass, x=x[0], y=x[1], z=x[2], vx=v[0], vy=v[1], vz=v[2])
    simulation.N_active = sum(mass > 0 for mass, _, _ in bodies)
    return simulation


def saved(name):
    """Bodies of a snapshot, its time, and its unit of length in AU; G = 1."""
    with h5py.File(name) as file:
        group, run_group = file["PartType4"], file["Pericenter"].attrs
        columns = [group["Pericenter" + column][:].tolist() for column in ("Masses", "Coordinates", "Velocities")]
        return list(zip(*columns)), float(run_group["SceneTime"]), float(run_group["LengthUnit_kpc"]) / AU_KPC


def energy_errors(bodies, dt, steps):
    """The largest relative energy errors of Pericenter and of REBOUND, seen `steps` times."""
    with open("bodies.csv", "w") as file:
        file.write("m,x,y,z,vx,vy,vz\n")
        for mass, x, v in bodies:
            file.write(",".join(repr(float(number)) for number in (mass, *x, *v)) + "\n")
    run("--load", "bodies.csv", "-s", 0, "--save", "start.hdf5")
    start, _, _ = saved("start.hdf5")
    length = math.dist(bodies[0][1], bodies[1][1]) / math.dist(start[0][1], start[1][1])
    dt /= math.sqrt(length**3 / (bodies[0][0] / start[0][0]))
    run("--load", "bodies.csv", "--dt", repr(dt), "-s", steps, "--csv", "energy.csv", "--energy-every", 1)
    with open("energy.csv") as file:
        rows = list(csv.DictReader(file))
    ours = max(abs(float(row["energy_error"])) for row in rows)
    simulation = rebound_of(start)
    energy, theirs = simulation.energy(), 0
    for k in range(1, steps + 1):
        simulation.integrate(k * dt)
        theirs = max(theirs, abs(simulation.energy() / energy - 1))
    return ours, theirs


def binary():
    e = 0.99
    distance, speed = 1 + e, math.sqrt((1 - e) / (1 + e))
    bodies = [
        (0.75, (-0.25 * distance, 0, 0), (0, -0.25 * speed, 0)),
        (0.25, (0.75 * distance, 0, 0), (0, 0.75 * speed, 0)),
    ]
    return energy_errors(bodies, 2 * math.pi / 20, 2000)


def encounters():
    ours, theirs = [], []
    for seed in range(100):
        draw = random.Random(seed)
        bodies = [
            (1, [2 * draw.random() - 1 for _ in range(3)], [0.6 * draw.random() - 0.3 for _ in range(3)])
            for _ in range(3)
        ]
        one, other = energy_errors(bodies, 0.1, 200)
        ours.append(one)
        theirs.append(other)
    return max(ours), max(theirs)


def halley():
    """Distance in AU between the comets after two periods, and the last aphelion according to REBOUND."""
    with open("halley.csv", "w") as file:
        file.write(HALLEY)
    run("--load", "halley.csv", "-s", 0, "--save", "start.hdf5")
    bodies, _, au = saved("start.hdf5")
    period = 2 * math.pi * (HALLEY_AXIS / au) ** 1.5
    dt = 0.0005  # the suggested one
    run("--load", "halley.csv", "-s", round(2 * period / dt), "--save", "end.hdf5")
    end, time, _ = saved("end.hdf5")
    simulation = rebound_of(bodies)
    sun, comet = simulation.particles[0], simulation.particles[len(bodies) - 1]
    distance, last = 0, 0
    while simulation.t < time:
        simulation.integrate(min(simulation.t + period / 5000, time))
        distance = au * math.dist(sun.xyz, comet.xyz)
        last = max(last, distance) if simulation.t > 1.6 * period else 0
    return au * math.dist(end[-1][1], comet.xyz), last


def main():
    failed = False
    print(f"largest energy error | gauss-radau | IAS15 of REBOUND {rebound.__version__}")
    for name, measure in (("binary", binary), ("encounters", encounters)):
        ours, theirs = measure()
        print(f"{name} | {ours:.1e} | {theirs:.1e}")
        failed = failed or not ours < min(ENERGY_LIMIT[name], RATIO * theirs)
    apart, aphelion = halley()
    print(f"Halley's comet after two periods: {apart:.1e} AU apart; the last aphelion is at {aphelion:.4f} AU")
    sys.exit(failed or not apart < HALLEY_LIMIT)


main()
