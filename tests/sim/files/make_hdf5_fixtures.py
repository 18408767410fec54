#!/usr/bin/env python3
"""Writes fixtures/hdf5: snapshots with the layouts of other codes, from their documentation and sources.

GADGET-2: user guide (Springel 2005). GADGET-4: documentation/06_snapshotformat.md and src/io/io.cc. AREPO: user guide.
SWIFT: doc/RTD/source/Snapshots and src/common_io.c. Body j (from 0, over all types) has position (j + 1, 10 (j + 1),
-j - 0.5), velocity (j, -2 j, j / 2), mass (j + 1) / 4 and ID 100 + j, in the units of the file. overrun.hdf5 is not
written here: it is swift_index.hdf5 with random changes, found by a search for files that crash the library.
newer_library.hdf5 needs h5py 3.16 (HDF5 2.0): libver="latest", and Coordinates in compressed chunks.
"""
import os
import sys

import h5py
import numpy as np

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "fixtures", "hdf5")


def bodies(first, count, real):
    j = np.arange(first, first + count)
    return {
        "Coordinates": np.stack([j + 1, 10 * (j + 1), -j - 0.5], 1).astype(real),
        "Velocities": np.stack([j, -2 * j, j / 2], 1).astype(real),
        "Masses": ((j + 1) / 4).astype(real),
        "ParticleIDs": (100 + j).astype("u4"),
    }


def new(name, **options):
    return h5py.File(os.path.join(FOLDER, name), "w", **options)


def gadget_header(file, counts, **more):
    header = file.create_group("Header")
    values = {
        "NumPart_ThisFile": np.array(counts, "i4"),
        "NumPart_Total": np.array(counts, "u4"),
        "NumPart_Total_HighWord": np.zeros(6, "u4"),
        "MassTable": np.zeros(6),
        "Time": 1.5,
        "Redshift": 0.0,
        "BoxSize": 0.0,
        "NumFilesPerSnapshot": np.int32(1),
        "Omega0": 0.0,
        "OmegaLambda": 0.0,
        "HubbleParam": 1.0,
        "Flag_Sfr": np.int32(0),
        "Flag_Cooling": np.int32(0),
    }
    values.update(more)
    for key, value in values.items():
        header.attrs[key] = value


def add_types(file, counts, real="f4", without=(), first=0, **options):
    for kind, count in enumerate(counts):
        if count == 0:
            continue
        group = file.create_group("PartType%d" % kind)
        for key, value in bodies(first, count, real).items():
            if (kind, key) not in without and key not in without:
                group.create_dataset(key, data=value, **options)
        first += count


def gadget2():
    """Masses of type 1 in the table, 32-bit counts, no units."""
    with new("gadget2.hdf5") as file:
        counts = [0, 3, 2, 1, 0, 0]
        gadget_header(file, counts, MassTable=np.array([0, 0.125, 0, 0, 0, 0]))
        add_types(file, counts, without=[(1, "Masses")])


def comoving():
    """The same code with cosmology: numbers hold h and the scale factor."""
    with new("comoving.hdf5") as file:
        counts = [0, 2, 0, 0, 0, 0]
        gadget_header(file, counts, Time=0.25, Redshift=3.0, Omega0=0.3, OmegaLambda=0.7, HubbleParam=0.5)
        add_types(file, counts, "f8")


def gadget4_groups(file, counts, total, files):
    header = file.create_group("Header")
    header.attrs["NumPart_ThisFile"] = np.array(counts, "u8")
    header.attrs["NumPart_Total"] = np.array(total, "u8")
    header.attrs["MassTable"] = np.zeros(6)
    header.attrs["Time"] = 0.75
    header.attrs["Redshift"] = 0.0
    header.attrs["BoxSize"] = 0.0
    header.attrs["NumFilesPerSnapshot"] = np.int32(files)
    header.attrs["Git_commit"] = np.bytes_("dc311347d12fbe97aaee91eb1cade48b7a3a49db")
    header.attrs["Git_date"] = np.bytes_("Fri Nov 6 12:00:00 2020 +0100")
    parameters = file.create_group("Parameters")
    parameters.attrs["UnitLength_in_cm"] = 3.085678e21
    parameters.attrs["UnitMass_in_g"] = 1.989e43
    parameters.attrs["UnitVelocity_in_cm_per_s"] = 1e5
    parameters.attrs["ComovingIntegrationOn"] = np.int32(0)
    parameters.attrs["GravityConstantInternal"] = 0.0
    parameters.attrs["HubbleParam"] = 1.0
    parameters.attrs["Omega0"] = 0.0
    parameters.attrs["OmegaLambda"] = 0.0
    parameters.attrs["SofteningMaxPhysClass0"] = 0.0625
    parameters.attrs["InitCondFile"] = np.bytes_("./ics")
    config = file.create_group("Config")
    config.attrs["SELFGRAVITY"] = np.bytes_("")
    config.attrs["NTYPES"] = np.bytes_("6")


SCALINGS = {  # a, h, length, mass, velocity
    "Coordinates": (1.0, -1.0, 1.0, 0.0, 0.0),
    "Velocities": (0.5, 0.0, 0.0, 0.0, 1.0),
    "Masses": (0.0, -1.0, 0.0, 1.0, 0.0),
}


def add_scalings(file):
    for kind in range(6):
        for key, values in SCALINGS.items():
            data = file.get("PartType%d/%s" % (kind, key))
            if data is None:
                continue
            for name, value in zip(("a", "h", "length", "mass", "velocity"), values):
                data.attrs[name + "_scaling"] = value
            data.attrs["to_cgs"] = 1.0


def gadget4():
    with new("gadget4.hdf5") as file:
        counts = [0, 2, 2, 1, 1, 0]
        gadget4_groups(file, counts, counts, 1)
        add_types(file, counts)
        add_scalings(file)


def pieces():
    for piece, (counts, first) in enumerate((([0, 2, 1, 0, 0, 0], 0), ([0, 1, 0, 0, 0, 0], 3))):
        with new("pieces.%d.hdf5" % piece) as file:
            gadget4_groups(file, counts, [0, 3, 1, 0, 0, 0], 2)
            add_types(file, counts, first=first)
            add_scalings(file)


def arepo():
    """Gas without gravity of its own softening, dark matter in the mass table, stars; units in the header."""
    with new("arepo.hdf5") as file:
        counts = [2, 2, 0, 0, 1, 0]
        gadget_header(file, counts, MassTable=np.array([0, 0.5, 0, 0, 0, 0]), UnitLength_in_cm=3.085678e24,
                      UnitMass_in_g=1.989e43, UnitVelocity_in_cm_per_s=1e5, Flag_DoublePrecision=np.int32(1))
        file.create_group("Config").attrs["VORONOI"] = np.bytes_("")
        file.create_group("Parameters").attrs["SofteningMaxPhysType1"] = 0.25
        add_types(file, counts, "f8", without=[(1, "Masses")])
        file["PartType0"].create_dataset("Density", data=np.ones(2))


def swift():
    """Seven types, 64-bit counts, chunks with checksum and compression, softenings, parameters as text."""
    with new("swift.hdf5", libver="latest") as file:
        counts = [0, 4, 0, 0, 1, 1, 0]
        header = file.create_group("Header")
        header.attrs["Code"] = np.bytes_("SWIFT")
        header.attrs["NumPart_ThisFile"] = np.array(counts, "i8")
        header.attrs["NumPart_Total"] = np.array(counts, "u4")
        header.attrs["NumPart_Total_HighWord"] = np.zeros(7, "u4")
        header.attrs["MassTable"] = np.zeros(7)
        header.attrs["BoxSize"] = np.array([200.0, 200.0, 200.0])
        header.attrs["Dimension"] = np.array([3], "i4")
        header.attrs["Time"] = np.array([0.5])
        header.attrs["Redshift"] = np.array([0.0])
        header.attrs["Scale-factor"] = np.array([1.0])
        header.attrs["NumFilesPerSnapshot"] = np.array([1], "i4")
        header.attrs["ThisFile"] = np.array([0], "i4")
        for name in ("Units", "InternalCodeUnits"):
            units = file.create_group(name)
            units.attrs["Unit length in cgs (U_L)"] = np.array([3.086e21])
            units.attrs["Unit mass in cgs (U_M)"] = np.array([1.988e43])
            units.attrs["Unit time in cgs (U_t)"] = np.array([3.086e16])
            units.attrs["Unit current in cgs (U_I)"] = np.array([1.0])
            units.attrs["Unit temperature in cgs (U_T)"] = np.array([1.0])
        file.create_group("Cosmology").attrs["Cosmological run"] = np.array([0], "i4")
        file.create_group("Parameters").attrs["Gravity:max_physical_DM_softening"] = np.bytes_("0.005")
        add_types(file, counts, "f8", chunks=True, compression="gzip", shuffle=True, fletcher32=True)
        file["DMParticles"] = h5py.SoftLink("/PartType1")
        file["PartType5"].move("Masses", "DynamicalMasses")
        file["PartType1"].create_dataset("Softenings", data=np.full(4, 0.03125, "f4"))
        # IDs of Pericenter's own: galaxy j % 2, component disc for all.
        del file["PartType4/ParticleIDs"], file["PartType5/ParticleIDs"], file["PartType1/ParticleIDs"]
        j = 0
        for kind in (1, 4, 5):
            ids = [0x50 << 56 | (k % 2) << 40 | (k + 1) for k in range(j, j + counts[kind])]
            file["PartType%d" % kind].create_dataset("ParticleIDs", data=np.array(ids, "u8"))
            j += counts[kind]
        for kind in (1, 4, 5):
            for data in file["PartType%d" % kind].values():
                data.attrs["a-scale exponent"] = np.array([1.0], "f4")
                data.attrs["h-scale exponent"] = np.array([0.0], "f4")


def swift_index():
    """The index that SWIFT writes beside a distributed snapshot."""
    with new("swift_index.hdf5") as file:
        gadget_header(file, [0, 2, 0, 0, 0, 0])
        group = file.create_group("PartType1")
        for key, value in bodies(0, 2, "f8").items():
            layout = h5py.VirtualLayout(shape=value.shape, dtype=value.dtype)
            layout[:] = h5py.VirtualSource("swift.0.hdf5", "PartType1/" + key, shape=value.shape)
            group.create_virtual_dataset(key, layout)


def links():
    """Soft links through an external link, to a type and to its datasets. The other file is not a fixture."""
    for name in ("link_to_type.hdf5", "link_to_data.hdf5"):
        with new(name) as file:
            gadget_header(file, [0, 3, 0, 0, 0, 0])
            file["e"] = h5py.ExternalLink("other.hdf5", "/")
            if name == "link_to_type.hdf5":
                file["PartType1"] = h5py.SoftLink("/e/PartType1")
                continue
            group = file.create_group("PartType1")
            for key in bodies(0, 3, "f4"):
                group[key] = h5py.SoftLink("/e/PartType1/" + key)


def softening_with_h():
    """GADGET without cosmology, but with h: lengths and masses are over h. The softening is 0.35 in a parameter, or
    0.35 and 0.7 in a dataset."""
    for name in ("softening_parameter.hdf5", "softening_dataset.hdf5"):
        with new(name) as file:
            counts = [0, 2, 0, 0, 0, 0]
            gadget_header(file, counts, HubbleParam=0.7)
            add_types(file, counts, "f8")
            if name == "softening_dataset.hdf5":
                file["PartType1"].create_dataset("Softenings", data=np.array([0.35, 0.7]))
            else:
                file.create_group("Parameters").attrs["SofteningMaxPhysClass1"] = 0.35


def wrong():
    """What must be refused, each with one thing wrong."""
    one = [0, 3, 0, 0, 0, 0]

    def make(name, change, **options):
        with new(name) as file:
            gadget_header(file, one)
            add_types(file, one, **options)
            change(file)

    def replace(file, key, data):
        del file["PartType1/" + key]
        if data is not None:
            file["PartType1"].create_dataset(key, **data)

    not_a_number = bodies(0, 3, "f8")["Coordinates"]
    not_a_number[1, 2] = np.nan
    make("nan.hdf5", lambda file: replace(file, "Coordinates", {"data": not_a_number}))
    make("negative_mass.hdf5", lambda file: replace(file, "Masses", {"data": [1.0, 1.0, -1.0]}))
    make("no_masses.hdf5", lambda file: replace(file, "Masses", None))
    make("no_header.hdf5", lambda file: file.__delitem__("Header"))
    make("no_group.hdf5", lambda file: file.__delitem__("PartType1"))
    make("short.hdf5", lambda file: replace(file, "Masses", {"data": [1.0, 1.0]}))
    make("flat.hdf5", lambda file: replace(file, "Coordinates", {"data": np.zeros(9)}))
    make("text.hdf5", lambda file: replace(file, "Masses", {"data": np.array([b"a", b"b", b"c"])}))
    make("never_written.hdf5", lambda file: replace(file, "Coordinates", {"shape": (3, 3), "dtype": "f4"}))
    huge = {"shape": (10**12, 3), "dtype": "f4", "chunks": (1024, 3), "compression": "gzip"}

    def bomb(file):
        replace(file, "Coordinates", huge)
        file["Header"].attrs["NumPart_ThisFile"] = np.array([0, 10**12, 0, 0, 0, 0])

    make("bomb.hdf5", bomb)


def main():
    os.makedirs(FOLDER, exist_ok=True)
    for make in (gadget2, comoving, gadget4, pieces, arepo, swift, swift_index, links, softening_with_h, wrong):
        make()
    return 0


if __name__ == "__main__":
    sys.exit(main())
