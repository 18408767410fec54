#!/usr/bin/env python3
"""Writes fixtures/tables and seeds of tests/fuzz/corpus: FITS (standard 4.0, sections 7.2 and 7.3) and VOTable (IVOA
recommendation 1.4) with bodies as in make_fixtures.py, without a library for these formats."""
import math
import os
import struct

from make_fixtures import CORPUS, FIXTURES, number, position, velocity, write

FOLDER = os.path.join(FIXTURES, "tables")
NAN = math.nan


def cards(*pairs):
    lines = []
    for key, value in pairs:
        text = f"'{value:<8}'" if isinstance(value, str) else ("T" if value is True else str(value)).rjust(20)
        lines.append(f"{key:<8}= {text}".ljust(80))
    text = "".join(lines) + "END".ljust(80)
    return text.ljust(-(-len(text) // 2880) * 2880).encode()


def padded(data, fill=b"\0"):
    return data.ljust(-(-len(data) // 2880) * 2880, fill)


EMPTY = cards(("SIMPLE", True), ("BITPIX", 8), ("NAXIS", 0), ("EXTEND", True))
IMAGE = cards(("SIMPLE", True), ("BITPIX", 8), ("NAXIS", 2), ("NAXIS1", 2), ("NAXIS2", 2)) + padded(b"\1\2\3\4")


def fits_table(columns, rows, name="BODIES", heap=b"", kind="BINTABLE"):
    """columns: dictionaries of keywords without their number; rows: bytes."""
    width = len(rows[0]) if rows else 0
    pairs = [("XTENSION", kind), ("BITPIX", 8), ("NAXIS", 2), ("NAXIS1", width), ("NAXIS2", len(rows)),
             ("PCOUNT", len(heap)), ("GCOUNT", 1), ("TFIELDS", len(columns)), ("EXTNAME", name)]
    for k, column in enumerate(columns, 1):
        pairs += [(f"{key}{k}", value) for key, value in column.items()]
    return cards(*pairs) + padded(b"".join(rows) + heap, b" " if kind == "TABLE" else b"\0")


def column(name, form, unit=None, **further):
    return {"TTYPE": name, "TFORM": form, **({"TUNIT": unit} if unit else {}), **further}


def fits_types(n):
    """A column of every type, with and without scale. The bodies use doubles, floats and integers of each size."""
    scaled = {"TSCAL": 0.015625}
    columns = [column("flag", "L"), column("bits", "11X"), column("Mass", "D", "1e10 Msun"), column("x", "E", "kpc"),
               column("y", "J", "kpc", **scaled), column("z", "I", "kpc", **scaled), column("vx", "D", "km/s"),
               column("vy", "K", "km s-1", **scaled), column("vz", "B", "km.s**-1", TZERO=-2.0, **scaled),
               column("id", "K", TZERO=9223372036854775808), column("group", "9A"), column("spectrum", "PE(2)"),
               column("c", "C"), column("w", "M"), column("none", "0D"), column("many", "30E")]
    rows = []
    for i in range(n):
        v = [number(i, k) for k in range(7)]
        rows.append(struct.pack(">c2sdfih", b"T", b"\xff\xe0", v[0], v[1], round(64 * v[2]), round(64 * v[3]))
                    + struct.pack(">dqBq9s", v[4], round(64 * v[5]), round(64 * (v[6] + 2)), i - 5, b'a "b"\0zz')
                    + struct.pack(">ii2f2d30f", 2, 0, 1, 2, 3, 4, *[0.5] * 30))
    return fits_table(columns, rows, heap=struct.pack(">2f", 1, 2))


def fits_vectors(n):
    rows = [struct.pack(">f3d3f", number(i, 0), *position(i), *velocity(i)) for i in range(n)]
    return fits_table([column("mass", "E"), column("pos", "3D", "pc"), column("vel", "3E", "km/s")], rows)


def fits_ascii(n):
    rows = ["".join(f"{number(i, k):12.6f}" for k in range(7)) for i in range(n)]
    columns = [{"TBCOL": 1 + 12 * k, "TTYPE": name, "TFORM": "F12.6"} for k, name in
               enumerate(("m", "x", "y", "z", "vx", "vy", "vz"))]
    return fits_table(columns, [row.encode() for row in rows], kind="TABLE")


# source_id, ra, dec, parallax, pmra, pmdec, radial_velocity
STARS = [(2**60 + 1, 0.0, 0.0, 100.0, 1000.0, 0.0, 10.0), (2**60 + 2, 90.0, 0.0, 10.0, 0.0, 100.0, NAN),
         (2**60 + 3, 0.0, 90.0, -1.0, 1.0, 1.0, 1.0), (2**60 + 4, 180.0, 30.0, 5.0, NAN, NAN, NAN),
         (2**60 + 5, 180.0, 30.0, NAN, 1.0, 1.0, 1.0)]
GAIA = [("SOURCE_ID", "K", None), ("ra", "D", "deg"), ("dec", "D", "deg"), ("parallax", "D", "mas"),
        ("pmra", "D", "mas.yr**-1"), ("pmdec", "D", "mas/yr"), ("radial_velocity", "E", "km.s**-1")]


def fits_gaia():
    return fits_table([column(*each) for each in GAIA], [struct.pack(">q5df", *star) for star in STARS])


def main():
    other = fits_table([column("flux", "E")], [struct.pack(">f", 1)], name="OTHER")
    write(FOLDER, "types.fits", EMPTY + fits_types(6))
    write(FOLDER, "vectors.fits", IMAGE + other + fits_vectors(6))
    write(FOLDER, "ascii.fits", EMPTY + fits_ascii(6))
    write(FOLDER, "gaia.fits", EMPTY + fits_gaia())
    write(FOLDER, "image.fits", IMAGE)
    write(FOLDER, "other.fits", EMPTY + other)
    write(FOLDER, "hole.fits", EMPTY + fits_table([column(name, "D") for name in ("m", "x", "y")],
                                                  [struct.pack(">3d", 1, x, 0) for x in (1, NAN, 2)]))
    for k, seed in enumerate((fits_vectors(3), fits_ascii(2), fits_gaia())):
        write(os.path.join(CORPUS, "fits"), f"seed{k}", EMPTY + seed)


if __name__ == "__main__":
    main()
