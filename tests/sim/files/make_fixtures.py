#!/ usr / bin / env python3
"""Writes fixtures/ and the seeds of tests/fuzz/corpus: small files in every binary and text format that Pericenter
reads, written from the specifications of the formats.

The values of a body are a function of its index: see number() below, and fixture_body() in tests/support/file_fixtures.h.
"""
import gzip
import os
import struct

HERE = os.path.dirname(os.path.abspath(__file__))
FIXTURES = os.path.join(HERE, "fixtures")
CORPUS = os.path.join(HERE, "..", "..", "fuzz", "corpus")


def number(index, what):
    """Exact in 32 bits. what: 0 mass, 1-3 position, 4-6 velocity."""
    if what == 0:
        return 0.5 + index / 16
    return ((index * 7 + what * 5) % 23 - 11) / 8 + index / 64


def position(i):
    return [number(i, k) for k in (1, 2, 3)]


def velocity(i):
    return [number(i, k) for k in (4, 5, 6)]


def write(folder, name, data):
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, name), "wb") as file:
        file.write(data)


class Gadget:
    """GADGET-1 and -2 binary. counts and masses: six each; a mass of 0 puts those of the type into a block."""

    def __init__(self, counts, masses, order="<", labels=False, real="f", ids="I", time=0.0, redshift=0.0, files=1,
                 totals=None, box=0.0, omega=0.0, hubble=1.0, first=0, has_ids=True, further=None):
        self.counts, self.masses = counts, masses
        self.order, self.labels, self.real, self.id_type = order, labels, real, ids
        self.time, self.redshift, self.files = time, redshift, files
        self.totals = totals or counts
        self.box, self.omega, self.hubble = box, omega, hubble
        self.first, self.has_ids, self.further = first, has_ids, further or {}  # label: count of numbers

    def pack(self, layout, *numbers):
        return struct.pack(self.order + layout, *numbers)

    def record(self, label, payload):
        size = self.pack("I", len(payload))
        data = size + payload + size
        if self.labels:
            mark = self.pack("I", 8)
            data = mark + label.ljust(4).encode() + self.pack("I", len(data)) + mark + data
        return data

    def header(self):
        data = self.pack("6i6d2d2i6I2i4d", *self.counts, *self.masses, self.time, self.redshift, 0, 0, *self.totals, 0,
                         self.files, self.box, self.omega, 1 - self.omega if self.omega else 0.0, self.hubble)
        return data.ljust(256, b"\0")

    def data(self):
        n = sum(self.counts)
        bodies = range(self.first, self.first + n)
        types = [t for t in range(6) for _ in range(self.counts[t])]
        own = [i for i, t in zip(bodies, types) if self.masses[t] == 0]
        reals = lambda numbers: self.pack(f"{len(numbers)}{self.real}", *numbers)
        blocks = [("HEAD", self.header()),
                  ("POS", reals([x for i in bodies for x in position(i)])),
                  ("VEL", reals([x for i in bodies for x in velocity(i)]))]
        if self.has_ids:
            blocks.append(("ID", self.pack(f"{n}{self.id_type}", *[1000 + i for i in bodies])))
        if own:
            blocks.append(("MASS", reals([number(i, 0) for i in own])))
        if self.counts[0]:
            blocks.append(("U", reals([1.0] * self.counts[0])))
        blocks += [(label, reals([0.5 + k for k in range(count)])) for label, count in self.further.items()]
        return b"".join(self.record(*block) for block in blocks)


def tipsy(counts, order, padding, time=2.5, softening=0.0625, real="ff", version=0):
    """real: types of positions and velocities; version: 2 has ids, 6 accelerations and ids."""
    data = struct.pack(order + "d5i", time, sum(counts), 3, *counts) + struct.pack(order + "i", version)[:padding]
    index = 0
    for kind, count in enumerate(counts):
        for _ in range(count):
            data += struct.pack(f"{order}f3{real[0]}3{real[1]}", number(index, 0), *position(index), *velocity(index))
            data += struct.pack("4f", 5, 6, 7, 8) if version == 6 else b""
            further = [0.0] * (5, 2, 4)[kind]
            if kind > 0:
                further[-2] = softening * kind
            end = struct.pack(f"{order}{len(further)}f", *further)
            data += end[:-8] + struct.pack(order + "Q", 2**40 + index) if version else end
            index += 1
    return data


def stdpar(n, dimension, gravity=1.0):
    data = struct.pack("<IIff", n, dimension, 0.01, gravity)
    for i in range(n):
        data += struct.pack(f"<{1 + 2 * dimension}f", number(i, 0), *position(i)[:dimension], *velocity(i)[:dimension])
    return data


def ramses_part(bodies, order="<", real="d", ids="q", dimensions=3, cpus=2, families=True, births=(), seeds=4, metals=False):
    """One CPU of an output; bodies: pairs of index and family. Without families, `births` and the sign of ids tell."""
    def record(layout, *numbers):
        payload = struct.pack(order + layout, *numbers)
        size = struct.pack(order + "I", len(payload))
        return size + payload + size

    n = len(bodies)
    data = b"".join(record("i", number) for number in (cpus, dimensions, n)) + record(f"{seeds}i", *[7] * seeds)
    data += record("i", 0) + record(real, 0) + record(real, 0) + record("i", 0)
    for what in [1, 2, 3][:dimensions] + [4, 5, 6][:dimensions] + [0]:
        data += record(f"{n}{real}", *[number(i, what) for i, _ in bodies])
    signs = [-1 if family == 3 and not families else 1 for _, family in bodies]
    data += record(f"{n}{ids}", *[sign * (1000 + i) for (i, _), sign in zip(bodies, signs)]) + record(f"{n}i", *[9] * n)
    if families:
        data += record(f"{n}b", *[family for _, family in bodies]) + record(f"{n}b", *[0] * n)
    data += record(f"{n}{real}", *births) if births else b""
    return data + (record(f"{n}{real}", *[i / 64 for i, _ in bodies]) if metals else b"")


def ramses_info(cpus, units, time=1.5, aexp=1.0, h0=1.0, omega=(1.0, 0.0)):
    rows = [("boxlen", 8.0), ("time", time), ("aexp", aexp), ("H0", h0), ("omega_m", omega[0]), ("omega_l", omega[1]),
            ("omega_k", 0.0), ("omega_b", 0.0), *zip(("unit_l", "unit_d", "unit_t"), units)]
    text = f"ncpu        ={cpus:11d}\nndim        ={3:11d}\nlevelmin    ={7:11d}\n\n"
    return (text + "".join(f"{key:<12}={value:23.15E}\n" for key, value in rows)
            + "\nordering type=hilbert\n   DOMAIN   ind_min                 ind_max\n").encode()


def ramses():
    """output_00001: of 2018 and later, cosmological. output_00002: older, isolated, big endian. output_00003: in groups
    of CPUs, two dimensions, no texts but the first."""
    folder = os.path.join(FIXTURES, "ramses", "output_00001")
    for cpu, bodies in enumerate(([(0, 1), (1, 1), (2, 2), (3, 3), (90, 0)], [(4, 2), (5, 4), (91, -2)], [])):
        write(folder, f"part_00001.out0000{cpu + 1}", ramses_part(bodies, cpus=3, births=[0.5] * len(bodies), seeds=8, metals=True))
    names = [f"{vector}_{axis}" for vector in ("position", "velocity") for axis in "xyz"]
    kinds = [*zip(names + ["mass"], "ddddddd"), ("identity", "q"), ("levelp", "i"), ("family", "b"), ("tag", "b"),
             ("birth_time", "d"), ("metallicity", "d")]
    descriptor = "".join(f"{k + 1:2d}, {name}, {kind}\n" for k, (name, kind) in enumerate(kinds))
    write(folder, "part_file_descriptor.txt", ("# version:  1\n# ivar, variable_name, variable_type\n" + descriptor).encode())
    write(folder, "header_00001.txt", b"#      Family     Count\n           DM         2\n Particle fields\n"
                                      b"pos vel mass iord level family tag tform metal \n")
    write(folder, "info_00001.txt", ramses_info(3, (2.0e24, 1.0e-29, 4.0e17), time=-0.5, aexp=0.5, h0=70.0, omega=(0.3, 0.7)))
    folder = os.path.join(FIXTURES, "ramses", "output_00002")
    write(folder, "part_00002.out00001", ramses_part([(0, 1), (1, 2), (2, 3)], ">", "f", "i", cpus=1, families=False,
                                                     births=[0.0, -0.25, 0.0]))
    write(folder, "header_00002.txt", b" Total number of particles\n           3\n Particle fields\n"
                                      b"pos vel mass iord level tform \n")
    write(folder, "info_00002.txt", ramses_info(1, (3.0e21, 2.0e-24, 5.0e15)))
    write(folder, "hydro_00002.out00001", struct.pack(">15i", 4, 1, 4, 4, 6, 4, 4, 3, 4, 4, 9, 4, 4, 0, 4))
    folder = os.path.join(FIXTURES, "ramses", "output_00003")
    for cpu in (1, 2):
        write(os.path.join(folder, f"group_0000{cpu}"), f"part_00003.out0000{cpu}",
              ramses_part([(cpu, 1)], dimensions=2, families=False))
    write(folder, "info_00003.txt", ramses_info(2, (1.0, 1.0, 1.0)))


def rebound(version, count=4, snapshots=3, gravity=0.5):
    """Archive of REBOUND 4 (fields have numbers, variational particles are among the others) or 5 (names)."""
    numbers = {"t": 0, "G": 1, "softening": 2, "N": 4, "N_var": 5, "particles": 85, "end": 9999}
    new = version.startswith("5")

    def field(name, data):
        if new:
            return struct.pack("<QQ", len(name) + 1, len(data)) + name.encode() + b"\0" + data
        return struct.pack("<I4xQ", numbers[name], len(data)) + data

    variational = 0 if new else 2
    whole = "<Q" if new else "<I"
    data = f"REBOUND Binary File. Version: {version}".encode().ljust(64, b"\0")
    for k in range(snapshots):
        particles = b"".join(struct.pack("<11d", *position(10 * k + i), *velocity(10 * k + i), 0, 0, 0, number(10 * k + i, 0), i / 64)
                             + bytes(24 if new else 40) for i in range(count + variational))
        data += field("t", struct.pack("<d", k + 1))
        if k == 0:
            data += field("G", struct.pack("<d", gravity)) + field("softening", struct.pack("<d", 0.25))
            data += field("N", struct.pack(whole, count + variational)) + field("N_var", struct.pack(whole, variational))
        if k == 1:
            data += field("softening", struct.pack("<d", 0.75))
        data += field("particles", particles) + field("end", b"") + struct.pack("<3i", k, 0, 0)
    return data


def csv(n, separator=",", end="\n"):
    lines = ["#unit length=kpc mass=1e10 Msun velocity=km/s",
             separator.join(["name", "mass", "x", "y", "z", "vx", "vy", "vz", "group", "component", "id"])]
    for i in range(n):
        numbers = [repr(number(i, k)) for k in range(7)]
        kind = ("disc", "bulge", "halo", "rock")[i % 4]
        group = "Milky Way" if i % 2 == 0 else "Andromeda"
        lines.append(separator.join([f'"star {i}"', *numbers, group, kind, str(1000 + i)]))
    return (end.join(lines) + end).encode()


def mpcorb(has_heading):
    heading = b"MINOR PLANET CENTER ORBIT DATABASE (MPCORB)\n" + 90 * b"-" + b"\n"
    return (heading if has_heading else b"") + (
        b"00001    3.34  0.15 K25BL 231.53975   73.29974   80.24963   10.58789  0.0795763  0.21429712   2.7656157\n")


def horizons(is_csv):
    """A vector table of JPL Horizons, as CSV or with labels."""
    row = "2461041.5, A.D. 2026-Jan-01 00:00, 2.5, -1.0, -4.0E-01, 3.0E-03, 9.0E-03, -5.0E-04,\n" if is_csv else (
        "2461041.5 = A.D. 2026-Jan-01 00:00 TDB\n X = 2.5 Y =-1.0 Z =-4.0E-01\n VX= 3.0E-03 VY= 9.0E-03 VZ=-5.0E-04\n")
    return (" GM= 62.6284\nTarget body name: Ceres\nCenter body name: Sun (10)\nOutput units: AU-D\n"
            "JDTDB X Y Z VX VY VZ\n$$SOE\n" + row + "$$EOE\n").encode()


def main():
    types = [4, 5, 6, 3, 2, 1]
    masses = [0.0, 0.25, 0.0, 0.0, 0.125, 0.0]
    write(FIXTURES, "gadget1_little", Gadget(types, masses, time=1.5).data())
    write(FIXTURES, "gadget1_big", Gadget(types, masses, order=">", time=1.5).data())
    write(FIXTURES, "gadget2_little", Gadget(types, masses, labels=True, real="d", ids="Q", time=1.5).data())
    write(FIXTURES, "gadget2_big", Gadget(types, masses, order=">", labels=True, time=1.5).data())
    write(FIXTURES, "gadget_no_mass_block", Gadget([0, 5, 0, 0, 0, 0], [0, 0.25, 0, 0, 0, 0]).data())
    write(FIXTURES, "gadget_cosmological",
          Gadget([0, 4, 0, 0, 0, 0], [0, 2.0, 0, 0, 0, 0], time=0.25, redshift=3.0, box=100.0, omega=0.25,
                 hubble=0.5).data())
    for name, each, labels in (("1_masses", [0.0] * 6, False), ("1_table", [0, 0.25, 0, 0, 0, 0], False),
                               ("2_masses", [0.0] * 6, True), ("2_table", [0, 0.25, 0, 0, 0, 0], True)):
        counts = [0, 5, 0, 0, 0 if each[1] else 3, 0]
        write(FIXTURES, f"gadget{name}_without_ids", Gadget(counts, each, labels=labels, has_ids=False).data())
    for piece, count in enumerate((3, 4, 2)):
        counts = [0, 0, count, 0, 0, 0]
        write(FIXTURES, f"pieces.{piece}",
              Gadget(counts, [0] * 6, files=3, totals=[0, 0, 9, 0, 0, 0], first=(0, 3, 7)[piece]).data())
    header = struct.pack("<12q6d3di4x2q", 0, 5, 0, 0, 0, 0, 0, 5, 0, 0, 0, 0, *[0.25] * 6, 0.0, 0.0, 0.0, 1, 0, 0)
    size = struct.pack("<I", len(header))
    write(FIXTURES, "gadget4_own_header", size + header + size)

    write(FIXTURES, "tipsy_standard", tipsy((2, 3, 4), ">", 4))
    write(FIXTURES, "tipsy_standard_unpadded", tipsy((2, 3, 4), ">", 0))
    write(FIXTURES, "tipsy_native", tipsy((2, 3, 4), "<", 4))
    write(FIXTURES, "tipsy_native_unpadded", tipsy((2, 3, 4), "<", 0))
    for order, name in ((">", "standard"), ("<", "native")):
        write(FIXTURES, f"tipsy_{name}_double_positions", tipsy((2, 3, 4), order, 4, real="df"))
        write(FIXTURES, f"tipsy_{name}_double_velocities", tipsy((2, 3, 4), order, 4, real="fd"))
        write(FIXTURES, f"tipsy_{name}_doubles", tipsy((2, 3, 4), order, 0, real="dd"))
    write(FIXTURES, "tipsy_ids", tipsy((0, 3, 4), "<", 4, version=2))
    write(FIXTURES, "tipsy_accelerations", tipsy((0, 3, 4), "<", 4, version=6))
    write(FIXTURES, "stdpar_3d.bin", stdpar(5, 3))
    write(FIXTURES, "stdpar_2d.bin", stdpar(5, 2))
    write(FIXTURES, "stdpar_gravity.bin", stdpar(5, 3, gravity=0.5))
    write(FIXTURES, "table.csv", csv(8))
    write(FIXTURES, "table_semicolon.csv", b"\xef\xbb\xbf" + csv(8, ";", "\r\n"))
    write(FIXTURES, "table_tab.csv", csv(8, "\t"))

    ramses()
    write(FIXTURES, "rebound_4.bin", rebound("4.4.3"))
    write(FIXTURES, "rebound_5.bin", rebound("5.2.2"))
    csv_rows = b"1,0.5,2,-3\n2,1,-0.25,4\n"
    seeds = {
        "rebound": [rebound("4.4.3", 1, 2), rebound("5.2.2", 2, 1)],
        "ramses": [ramses_part([(0, 1), (1, 2)], births=[0.0, 1.0], metals=True),
                   ramses_part([(0, 1), (1, 2)], ">", "f", "i", families=False, births=[0.0, 1.0]),
                   ramses_part([(2, 1)], dimensions=2, families=False)],
        "gadget": [Gadget([1, 1, 0, 0, 1, 0], [0, 0.25, 0, 0, 0, 0]).data(),
                   Gadget([0, 0, 2, 0, 0, 0], [0] * 6, order=">", labels=True).data(),
                   Gadget([0, 0, 1, 0, 0, 0], [0] * 6, labels=True, real="d", ids="Q").data(),
                   Gadget([1, 0, 0, 0, 2, 0], [0.25] * 6, labels=True, further={"AGE": 2, "ACCE": 9, "X": 1}).data()],
        "tipsy": [tipsy((1, 1, 1), ">", 4), tipsy((0, 1, 2), "<", 0), tipsy((1, 0, 1), ">", 4, real="df"),
                  tipsy((0, 1, 1), "<", 4, version=2)],
        "stdpar": [stdpar(2, 3), stdpar(3, 2, gravity=0.5)],
        "mpcorb": [mpcorb(True), mpcorb(False)],
        "horizons": [horizons(True), horizons(False)],
        "gzip": [gzip.compress(csv(3), mtime=0), gzip.compress(b"m,x,y,z\n", mtime=0) + gzip.compress(csv_rows, mtime=0)],
        "csv": [csv(2), csv(2, ";", "\r\n"), b"m\tx\ty\n1\t0\t0\n0\t1\t0\n", b"# m x y z\n1 0 0 0\n1 1 1 1\n"],
    }
    for name, files in seeds.items():
        for index, data in enumerate(files):
            write(os.path.join(CORPUS, name), f"seed{index}", data)


if __name__ == "__main__":
    main()
