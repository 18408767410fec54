"""Writes six bodies with other programs, loads the files, and compares what was understood in cgs; see writers.sh."""

import contextlib
import io
import logging
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import astropy.units as au
import h5py
import numpy as np
import pandas
import pynbody
import pytipsy
import rebound
import swiftsimio
import unsio.output
import unyt
import yt
from amuse.datamodel import Particles
from amuse.io import write_set_to_file
from amuse.units import nbody_system, units
from astropy.coordinates import CartesianRepresentation
from astropy.table import Table
from swiftsimio.objects import cosmo_array

PROGRAM = sys.argv[1]
KPC, AU, MSUN, KMS, G = 3.0856775814913673e21, 1.495978707e13, 1.98841e33, 1e5, 6.6743e-8
YEAR = 365.25 * 86400
GALACTIC = (KPC, KMS, MSUN)
GADGET = (KPC, KMS, 1e10 * MSUN)
UNITLESS = (1, G**0.5, 1)  # cm and g stand for the units of a file without units; G = 1 gives the unit of velocity.

POSITIONS = np.array([[1.0, 2, 3], [4, 15, 6], [7, 8, 19], [3, 11, 2], [10, 4, 1], [2, 2, 5]])
VELOCITIES = 10 * POSITIONS[::-1] - 60
MASSES = np.array([1.5, 2, 3, 4, 5, 6])
IDS = np.array([11, 12, 21, 22, 41, 42])
FAMILIES = {"gas": slice(0, 2), "dm": slice(2, 4), "star": slice(4, 6)}
AXES = ("x", "y", "z")
logging.disable(logging.CRITICAL)
yt.set_log_level(50)


def understood(path):
    """Bodies of a file in cgs, time in s, and what the program said."""
    done = subprocess.run([PROGRAM, "--headless", "--no-progress", "--load", path, "-s", "0", "--save", "o.hdf5"],
                          capture_output=True, text=True)
    said = " ".join(done.stderr.replace(str(path), "FILE").replace("pericenter: ", "").split())
    if done.returncode != 0:
        return None, said
    with h5py.File("o.hdf5") as file:
        groups = [file[name] for name in sorted(file) if name.startswith("PartType")]
        columns = {name: np.concatenate([group[name][:] for group in groups])
                   for name in ("Coordinates", "Velocities", "Masses", "ParticleIDs")}
        length, speed, mass = (file["Units"].attrs["Unit" + name] for name in (
            "Length_in_cm", "Velocity_in_cm_per_s", "Mass_in_g"))
        time = float(file["Header"].attrs["Time"]) * length / speed
    order = np.argsort(columns["Masses"], kind="stable")
    bodies = [columns[name][order] * scale for name, scale in (
        ("Coordinates", length), ("Velocities", speed), ("Masses", mass))]
    return (*bodies, columns["ParticleIDs"][order], time), said


def check(writer, name, path, expected):
    """Prints a line and returns whether the case holds. `expected`: a part of the refusal, or units (length, velocity,
    mass), ids or None, and time in units of the file, or None."""
    bodies, said = understood(path)
    if isinstance(expected, str) or bodies is None:
        holds = bodies is None and isinstance(expected, str) and expected in said
        values = said
    else:
        (length, speed, mass), ids, time = expected
        wanted = [POSITIONS * length, VELOCITIES * speed, MASSES * mass]
        errors = [np.abs(a - b).max() / np.abs(b).max() if len(a) == 6 else np.inf for a, b in zip(bodies, wanted)]
        holds = max(errors) < 2e-6 and (ids is None or bodies[3].tolist() == list(ids))
        seconds = None if time is None else time * length / speed
        holds = holds and (time is None or abs(bodies[4] - seconds) <= 1e-6 * seconds)
        values = (f"errors of positions {errors[0]:.0e}, velocities {errors[1]:.0e}, masses {errors[2]:.0e}; "
                  f"first body x {bodies[0][0, 0]:.6g} cm, vx {bodies[1][0, 0]:.6g} cm/s, m {bodies[2][0]:.6g} g; "
                  f"ids {bodies[3].tolist()}; time {bodies[4]:.6g} s")
        values += "" if holds else f"; {said}"
    print(f"{'holds' if holds else 'FAILS'} | {writer} | {name} | {values}", flush=True)
    return holds


def bodies_of_pynbody(length, speed, mass, ids):
    snap = pynbody.new(gas=2, dm=2, star=2)
    for name, values, unit in (("pos", POSITIONS, length), ("vel", VELOCITIES, speed), ("mass", MASSES, mass)):
        snap[name] = values
        snap[name].units = unit
    snap["eps"], snap["phi"] = 0.1, 0.0
    snap.gas["rho"], snap.gas["temp"], snap["metals"], snap.star["tform"] = 1.0, 1e4, 0.0, 1.0
    if ids:
        snap["iord"] = IDS
    snap.properties.update(a=1.0, z=0.0, h=1.0, omegaM0=0.0, omegaL0=0.0, time=0.25,
                           boxsize=pynbody.units.Unit("1000 kpc"))
    return snap


def pynbody_files():
    tipsy, gadget = pynbody.snapshot.tipsy.TipsySnap, pynbody.snapshot.gadget.GadgetSnap
    for doubles in ({}, {"double_pos": True}, {"double_pos": True, "double_vel": True}, {"double_vel": True}):
        path = "tipsy_" + "_".join(doubles)
        bodies_of_pynbody("1", "1", "1", False).write(filename=path, fmt=tipsy, cosmological=False, **doubles)
        yield " ".join(("TIPSY", *doubles)), path, (UNITLESS, None, 0.25)
    for ids in (False, True):
        path = f"gadget_{ids}"
        bodies_of_pynbody("kpc", "km s^-1", "1e10 Msol", ids).write(filename=path, fmt=gadget)
        yield "GADGET-2, " + ("iord" if ids else "no block ID"), path, (GADGET, IDS if ids else None, None)


def pytipsy_files():
    def family(rows, names):
        columns = {name: np.zeros(2) for name in names}
        for axis, name in enumerate(AXES):
            columns[name], columns["v" + name] = POSITIONS[rows, axis], VELOCITIES[rows, axis]
        return {**columns, "mass": MASSES[rows]}

    header = {"time": 0.25, "n": 6, "ndim": 3, "ngas": 2, "ndark": 2, "nstar": 2}
    for standard in (True, False):
        path = f"pytipsy_{standard}"
        pytipsy.wtipsy(path, header, family(FAMILIES["gas"], ("dens", "tempg", "h", "zmetal", "phi")),
                       family(FAMILIES["dm"], ("eps", "phi")),
                       family(FAMILIES["star"], ("metals", "tform", "eps", "phi")), STANDARD=standard)
        yield "TIPSY, " + ("standard" if standard else "native"), path, (UNITLESS, None, 0.25)


def unsio_files():
    for kind in ("gadget2", "gadget3", "nemo"):
        for single in (True, False):
            path = f"unsio_{kind}_{single}"
            output = unsio.output.CUNS_OUT(path, kind, single)
            for component, rows in (("gas", FAMILIES["gas"]), ("halo", FAMILIES["dm"]), ("stars", FAMILIES["star"])):
                for tag, values in (("pos", POSITIONS), ("vel", VELOCITIES), ("mass", MASSES)):
                    real = np.float32 if single else np.float64
                    target, flat = "all" if kind == "nemo" else component, values if kind == "nemo" else values[rows]
                    output.setData(flat.astype(real).ravel(), target, tag)
                output.setData(IDS[rows].astype("i4"), component, "id")
            output.setData(0.25, "time")
            with contextlib.redirect_stderr(io.StringIO()):
                output.save()
            expected = "This is a NEMO file" if kind == "nemo" else (GADGET, IDS, 0.25)
            yield f"{kind}, {'floats' if single else 'doubles'}", path, expected


def swiftsimio_files():
    for scale, compress in ((1.0, False), (1.0, True), (0.5, True)):
        def array(values, unit, exponent):
            return cosmo_array(np.array(values), unit, comoving=True, scale_factor=scale, scale_exponent=exponent)

        box = array(np.full(3, 100.0), unyt.kpc, 1)
        writer = swiftsimio.Writer(unit_system="galactic", boxsize=box, compress=compress, scale_factor=scale)
        for part, rows in ((writer.gas, FAMILIES["gas"]), (writer.dark_matter, FAMILIES["dm"]),
                           (writer.stars, FAMILIES["star"])):
            part.coordinates = array(POSITIONS[rows], unyt.kpc, 1)
            part.velocities = array(VELOCITIES[rows], unyt.km / unyt.s, 0)
            part.masses = array(MASSES[rows], unyt.Msun, 0)
            part.particle_ids = array(IDS[rows], unyt.dimensionless, 0)
            part.smoothing_lengths = array(np.ones(2), unyt.kpc, 1)
        writer.gas.internal_energy = array(np.ones(2), unyt.km**2 / unyt.s**2, -2)
        path = f"swift_{scale}_{compress}.hdf5"
        writer.write(path)
        expected = (scale * KPC, KMS, float(unyt.Msun.in_cgs()))
        yield f"a = {scale}, {'gzip' if compress else 'plain'}", path, (expected, IDS, None)


def amuse_files():
    for name, length, speed, mass, expected in (
            ("kpc, km/s, MSun", units.kpc, units.kms, units.MSun, (3.08567758128e21, KMS, 1.98892e33)),
            ("SI", units.m, units.m / units.s, units.kg, (1e2, 1e2, 1e3)),
            ("N-body units", nbody_system.length, nbody_system.speed, nbody_system.mass, UNITLESS)):
        bodies = Particles(6)
        bodies.mass, bodies.position, bodies.velocity = MASSES | mass, POSITIONS | length, VELOCITIES | speed
        for kind in ("csv", "txt", "amuse-txt", "hdf5"):
            path = f"amuse_{name[:2]}.{kind}"
            write_set_to_file(bodies, path, kind, overwrite_file=True)
            refusal = {"hdf5": "HDF5 file of AMUSE", "amuse-txt": "AMUSE"}.get(kind)
            yield f"{kind}, {name}", path, refusal or (expected, None, None)
        if mass is nbody_system.mass:
            for kind, refusal in (("nemo", "NEMO"), ("nemobin", "NEMO"), ("starlab", "Starlab")):
                write_set_to_file(bodies, f"amuse.{kind}", kind, overwrite_file=True)
                yield kind, f"amuse.{kind}", refusal
            bodies.u, bodies.rho, bodies.h_smooth = (1 | nbody_system.speed**2, 1 | nbody_system.density,
                                                     1 | nbody_system.length)
            write_set_to_file((bodies[:2], bodies[2:4], Particles(0), Particles(0), bodies[4:], Particles(0)),
                              "amuse.gadget", "gadget", overwrite_file=True)
            yield "gadget", "amuse.gadget", (GADGET, None, None)


def astropy_files():
    mass = au.solMass.to(au.g)
    table = Table({"m": MASSES * au.solMass, "id": IDS})
    for axis, name in enumerate(AXES):
        table[name], table["v" + name] = POSITIONS[:, axis] * au.kpc, VELOCITIES[:, axis] * au.km / au.s
    vectors = Table({"m": MASSES * au.solMass, "id": IDS, "pos": POSITIONS * au.kpc, "vel": VELOCITIES * au.km / au.s})
    coordinates = Table({"m": MASSES * au.solMass, "id": IDS,
                         "pos": CartesianRepresentation(POSITIONS.T * au.kpc),
                         "vel": CartesianRepresentation(VELOCITIES.T * au.km / au.s)})
    for name, written in (("columns", table), ("vectors", vectors), ("representations", coordinates)):
        written.write(f"{name}.ecsv")
        yield f"ECSV, {name}", f"{name}.ecsv", ((KPC, KMS, mass), IDS, None)
    for kind in ("csv", "basic", "commented_header", "tab", "fixed_width", "rdb"):
        table.write(f"astropy.{kind}", format="ascii." + kind)
        yield f"ascii.{kind}, no units", f"astropy.{kind}", (UNITLESS, IDS, None)
    for kind, options, refusal in (
            ("ascii.latex", {}, "LaTeX table"), ("ascii.html", {}, "HTML table"), ("ascii.ipac", {}, "IPAC table"),
            ("hdf5", {"path": "bodies", "serialize_meta": True}, "Save a CSV table with the columns m, x, y, z"),
            ("hdf5", {"serialize_meta": True, "overwrite": True}, "HDF5 file of astropy")):
        table.write(f"astropy.{kind}", format=kind, **options)
        yield " ".join((kind, *options)), f"astropy.{kind}", refusal
    for name, written in (("columns", table), ("vectors", vectors)):
        written.write(f"{name}.fits")
        yield f"fits, {name}", f"{name}.fits", ((KPC, KMS, mass), IDS, None)
        for form in ("tabledata", "binary", "binary2"):
            written.write(f"{name}_{form}.vot", format="votable", tabledata_format=form)
            yield f"votable, {name}, {form}", f"{name}_{form}.vot", ((KPC, KMS, mass), IDS, None)
    table.write("astropy.fits")
    table.write("astropy.votable", format="votable")
    for kind in ("fits", "votable", "ascii.ipac", "hdf5"):
        Table.read(f"astropy.{kind}", format=kind).write(f"{kind}.ecsv")
        yield f"{kind}, saved as ECSV", f"{kind}.ecsv", ((KPC, KMS, mass), IDS, None)


def rebound_files():
    simulation = rebound.Simulation()
    simulation.units = ("AU", "yr", "Msun")
    for position, velocity, mass in zip(POSITIONS, VELOCITIES, MASSES):
        simulation.add(m=mass, x=position[0], y=position[1], z=position[2], vx=velocity[0], vy=velocity[1],
                       vz=velocity[2])
    simulation.save_to_file("rebound.bin", delete_file=True)
    yield "archive", "rebound.bin", ((AU, AU / YEAR, MSUN), None, None)
    arrays = {name: np.zeros((6, 3)) for name in ("xyz", "vxvyvz")}
    simulation.serialize_particle_data(**arrays)
    masses = np.array([particle.m for particle in simulation.particles])
    with open("rebound.csv", "w") as file:
        file.write("#unit length=AU mass=Msun time=yr\nm,x,y,z,vx,vy,vz\n")
        np.savetxt(file, np.c_[masses, arrays["xyz"], arrays["vxvyvz"]], "%.17g", ",")
    yield "CSV of its arrays", "rebound.csv", ((AU, AU / YEAR, MSUN), None, None)


def h5py_files():
    for name, libver, creation, refusal in (
            ("plain", None, {}, None), ("big endian", None, {"dtype": ">f8"}, None),
            ("16-bit floats", None, {"dtype": "f2"}, None),
            ("gzip, shuffle, Fletcher-32", None, {"compression": "gzip", "shuffle": True, "fletcher32": True}, None),
            ("szip", None, {"compression": "szip", "compression_opts": ("nn", 2)}, None),
            ("lzf", None, {"compression": "lzf"}, "compressed with LZF"), ("latest", "latest", {}, None),
            ("latest, gzip", "latest", {"compression": "gzip"}, "A newer HDF5 library wrote the file"),
            ("v110, gzip", ("earliest", "v110"), {"compression": "gzip"}, None)):
        path = f"h5py_{name}.hdf5"
        with h5py.File(path, "w", libver=libver) as file:
            header = file.create_group("Header").attrs
            header.update({"NumPart_ThisFile": [2, 2, 0, 0, 2, 0], "NumPart_Total": [2, 2, 0, 0, 2, 0],
                           "MassTable": np.zeros(6), "Time": 0.25, "NumFilesPerSnapshot": 1, "Redshift": 0.0,
                           "BoxSize": 0.0})
            for kind, rows in zip((0, 1, 4), FAMILIES.values()):
                group = file.create_group(f"PartType{kind}")
                for column, values in (("Coordinates", POSITIONS), ("Velocities", VELOCITIES), ("Masses", MASSES)):
                    group.create_dataset(column, data=values[rows], **creation)
                group["ParticleIDs"] = IDS[rows]
        yield name, path, refusal or (GADGET, IDS, 0.25)


def yt_files():
    data = {f"particle_{kind}_{name}": values[:, axis].copy() for axis, name in enumerate(AXES)
            for kind, values in (("position", POSITIONS), ("velocity", VELOCITIES))}
    data["particle_mass"] = MASSES.copy()
    dataset = yt.load_particles(data, length_unit=KPC, time_unit=KPC / KMS, mass_unit=1e10 * MSUN,
                                bbox=np.array([[0.0, 100]] * 3))
    fields = [("io", name) for name in data]
    bodies = dataset.all_data()
    names = {"mass": "m", **{f"{kind}_{axis}": prefix + axis for kind, prefix in (("position", ""), ("velocity", "v"))
                             for axis in AXES}}
    units_of = {"mass": "g", "position": "cm", "velocity": "cm/s"}
    table = pandas.DataFrame({name: bodies["all", "particle_" + field].to(units_of[field.split("_")[0]]).d
                              for field, name in names.items()})
    with open("yt.csv", "w") as file:
        file.write("#unit length=cm mass=g velocity=cm/s\n" + table.to_csv(index=False))
    yield "CSV, as the message says", "yt.csv", (GADGET, None, None)
    yield "save_as_dataset", bodies.save_as_dataset("yt.h5", fields=fields), "yt"


def numpy_files():
    columns = np.c_[MASSES, POSITIONS, VELOCITIES]
    np.savetxt("numpy.txt", columns, header="m x y z vx vy vz")
    yield "savetxt with header", "numpy.txt", (UNITLESS, None, None)
    np.savetxt("seven.txt", columns)
    yield "savetxt of seven columns without names, the first rising", "seven.txt", "can be masses, or times"
    np.savetxt("numpy.csv.gz", columns, delimiter=",", header="m,x,y,z,vx,vy,vz", comments="")
    yield "savetxt, gzip", "numpy.csv.gz", (UNITLESS, None, None)
    pandas.DataFrame(columns, columns=["m", "x", "y", "z", "vx", "vy", "vz"]).to_csv("pandas.csv")
    yield "pandas to_csv, with its index", "pandas.csv", (UNITLESS, None, None)
    np.save("numpy.npy", columns)
    np.savez("numpy.npz", columns)
    yield "save", "numpy.npy", "NumPy"
    yield "savez", "numpy.npz", "NumPy"


WRITERS = (("pynbody", pynbody_files), ("pytipsy", pytipsy_files), ("python-unsio", unsio_files),
           ("swiftsimio", swiftsimio_files), ("amuse-framework", amuse_files), ("astropy", astropy_files),
           ("rebound", rebound_files), ("h5py", h5py_files), ("yt", yt_files), ("numpy", numpy_files))

if __name__ == "__main__":
    results = [check(f"{name} {version(name)}", *case) for name, writer in WRITERS for case in writer()]
    print(f"{sum(results)} of {len(results)} cases hold.")
    sys.exit(not all(results))
