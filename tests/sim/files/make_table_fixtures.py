#!/usr/bin/env python3
"""Writes fixtures/tables and seeds of tests/fuzz/corpus: FITS (standard 4.0, sections 7.2 and 7.3) and VOTable (IVOA
recommendation 1.4) with bodies as in make_fixtures.py, without a library for these formats."""
import base64
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


def fits_fields(n):
    """Columns of numbers beside those of bodies: of each size, scaled, missing; others that are no numbers."""
    columns = [column("m", "E"), column("x", "E"), column("temp", "E", "K"), column("y", "E"), column("n", "J", TNULL=-1),
               column("spec[0]", "I", TSCAL=0.5), column("name", "3A"), column("flag", "L"), column("pair", "2E")]
    rows = [struct.pack(">4fih3sc2f", 1, i, 100 * i, 0, -1 if i == 1 else i, i, b"abc", b"T", 1, 2) for i in range(n)]
    return fits_table(columns, rows)


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


def votable(fields, rows, form="TABLEDATA", prefix="", mask=()):
    """fields: (name, datatype, arraysize, unit, null); rows: lists of values; mask: (row, field) that BINARY2 marks."""
    p = prefix
    text = '<?xml version="1.0" encoding="UTF-8"?>\n'
    space = f' xmlns{":" if p else ""}{p[:-1]}="http://www.ivoa.net/xml/VOTable/v1.3"'
    text += (f'<{p}VOTABLE version="1.4"{space}>\n<{p}RESOURCE type="results">\n<{p}INFO name="QUERY_STATUS" value="OK"/>\n'
             f'<{p}TABLE name="other"><{p}FIELD name="flux" datatype="float"/><{p}DATA><{p}TABLEDATA><{p}TR><{p}TD>1</{p}TD>'
             f'</{p}TR></{p}TABLEDATA></{p}DATA></{p}TABLE>\n<{p}TABLE name="stars">\n')
    for name, datatype, size, unit, null in fields:
        values = f'<{p}VALUES null="{null}"/>' if null is not None else ""
        text += (f'<{p}FIELD name="{name}" datatype="{datatype}"' + (f' arraysize="{size}"' if size else "")
                 + (f' unit="{unit}"' if unit else "") + f'>{values}<{p}DESCRIPTION>a &lt; b</{p}DESCRIPTION></{p}FIELD>\n')
    text += f"<{p}DATA><{p}{form}>"
    if form == "TABLEDATA":
        for row in rows:
            cells = (" ".join(map(repr, x)) if isinstance(x, list) else str(x).replace("&", "&amp;") for x in row)
            text += f"<{p}TR>" + "".join(f"<{p}TD> {cell}\n</{p}TD>" for cell in cells) + f"</{p}TR>\n"
    else:
        data = b"".join(binary_row(fields, row, form == "BINARY2", [f for r, f in mask if r == k])
                        for k, row in enumerate(rows))
        text += f'<{p}STREAM encoding="base64">\n' + base64.encodebytes(data).decode() + f"</{p}STREAM>"
    return (text + f"</{p}{form}></{p}DATA></{p}TABLE></{p}RESOURCE></{p}VOTABLE>\n").encode()


def binary_row(fields, row, marked, missing):
    marks = bytearray((len(fields) + 7) // 8)
    for k in missing:
        marks[k // 8] |= 128 >> k % 8
    data = bytes(marks) if marked else b""
    codes = {"boolean": "c", "unsignedByte": "B", "short": "h", "int": "i", "long": "q", "float": "f", "double": "d",
             "floatComplex": "f", "char": "c", "unicodeChar": "H", "bit": "B"}
    for (_, datatype, size, _, _), value in zip(fields, row):
        values = value if isinstance(value, list) else [value]
        if datatype == "char":
            values = [c.encode() for c in value]
        elif datatype == "unicodeChar":
            values = [ord(c) for c in value]
        elif datatype == "boolean":
            values = [value.encode()]
        if (size or "").endswith("*"):
            data += struct.pack(">i", len(values))
        elif datatype in ("char", "unicodeChar"):
            values += [b"\0" if datatype == "char" else 0] * (int(size or 1) - len(values))
        data += struct.pack(f">{len(values)}{codes[datatype]}", *values)
    return data


def votable_types(form, prefix=""):
    fields = [("flag", "boolean", None, None, None), ("bits", "bit", "9" if form != "TABLEDATA" else None, None, None),
              ("mass", "double", None, "solMass", None), ("x", "float", None, "pc", None), ("y", "double", "1", "pc", None),
              ("z", "double", None, "pc", None), ("vel", "double", "3", "km.s**-1", None), ("id", "long", None, None, None),
              ("group", "char", "*", None, None), ("component", "unicodeChar", "6", None, None),
              ("colour", "floatComplex", None, None, None), ("spectrum", "float", "4*", None, None),
              ("n", "short", None, None, "-9"), ("k", "int", None, None, None), ("b", "unsignedByte", None, None, None)]
    rows = [["T", "1" if form == "TABLEDATA" else [255, 128], number(i, 0), *position(i), velocity(i), 2**62 + i, "A & B", "halo", [1.0, 2.0],
             [1.0, 2.0, 3.0, 4.0][:2 * (i % 3)], -9, 7, 200] for i in range(6)]
    return votable(fields, rows, form, prefix)


VOTABLE_GAIA = [("SOURCE_ID", "long", None, None, None), ("ra", "double", None, "deg", None), ("dec", "double", None, "deg", None),
                ("parallax", "double", None, "mas", None), ("pmra", "double", None, "mas.yr**-1", None),
                ("pmdec", "double", None, "mas/yr", None), ("radial_velocity", "short", None, "km.s**-1", "-32768")]


def votable_gaia(form):
    rows = [[-32768 if k == 6 and x != x else int(x) if k == 6 else "NaN" if x != x and form == "TABLEDATA" else x
             for k, x in enumerate(star)] for star in STARS]
    if form == "BINARY2":
        rows[4][3] = 50.0  # a missing value may have any bytes
    return votable(VOTABLE_GAIA, rows, form, mask=[(4, 3)])


def main():
    for form in ("TABLEDATA", "BINARY", "BINARY2"):
        write(FOLDER, f"types_{form}.vot", votable_types(form, "vo:" if form == "BINARY" else ""))
        write(FOLDER, f"gaia_{form}.vot", votable_gaia(form))
    places = [(name, "float", None, None, None) for name in ("m", "x", "y")]
    for k, form in enumerate(("TABLEDATA", "BINARY", "BINARY2")):
        write(os.path.join(CORPUS, "votable"), f"seed{k}", votable(places, [[1, 2, 3], [4, 5, 6]], form))
    other = fits_table([column("flux", "E")], [struct.pack(">f", 1)], name="OTHER")
    write(FOLDER, "types.fits", EMPTY + fits_types(6))
    write(FOLDER, "vectors.fits", IMAGE + other + fits_vectors(6))
    write(FOLDER, "fields.fits", EMPTY + fits_fields(3))
    write(FOLDER, "ascii.fits", EMPTY + fits_ascii(6))
    write(FOLDER, "gaia.fits", EMPTY + fits_gaia())
    write(FOLDER, "image.fits", IMAGE)
    write(FOLDER, "other.fits", EMPTY + other)
    write(FOLDER, "hole.fits", EMPTY + fits_table([column(name, "D") for name in ("m", "x", "y")],
                                                  [struct.pack(">3d", 1, x, 0) for x in (1, NAN, 2)]))
    for k, seed in enumerate((fits_vectors(3), fits_ascii(2), fits_gaia(), fits_fields(2))):
        write(os.path.join(CORPUS, "fits"), f"seed{k}", EMPTY + seed)


if __name__ == "__main__":
    main()
