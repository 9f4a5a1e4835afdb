#!/usr/bin/env python3
"""Is this a PNG file, whole, of that many pixels each way, with colours and with black?

usage: picture.py FILE SIDE
"""
import struct
import sys
import zlib


def need(true, text):
    if not true:
        sys.exit(text)


def chunks(data):
    need(data[:8] == b"\x89PNG\r\n\x1a\n", "no PNG file")
    at = 8
    while at < len(data):
        length, = struct.unpack(">I", data[at:at + 4])
        name, body = data[at + 4:at + 8], data[at + 8:at + 8 + length]
        check, = struct.unpack(">I", data[at + 8 + length:at + 12 + length])
        need(check == zlib.crc32(name + body), f"{name}: wrong checksum")
        yield name, body
        at += 12 + length


def main(file, side):
    with open(file, "rb") as content:
        parts = list(chunks(content.read()))
    need([name for name, _ in parts] == [b"IHDR", b"IDAT", b"IEND"], "other chunks")
    width, height, *kind = struct.unpack(">IIBBBBB", parts[0][1])
    need((width, height) == (side, side), f"{width} x {height} pixels, not {side}")
    need(kind == [8, 2, 0, 0, 0], f"another kind of picture: {kind}")
    raw = zlib.decompress(parts[1][1])
    need(len(raw) == (3 * side + 1) * side, f"{len(raw)} bytes")
    rows = [raw[y * (3 * side + 1):(y + 1) * (3 * side + 1)] for y in range(side)]
    need(all(row[0] == 0 for row in rows), "rows are filtered")
    pixels = {bytes(row[i:i + 3]) for row in rows for i in range(1, 3 * side, 3)}
    need(len(pixels) > 20, f"{len(pixels)} colours")
    middle = rows[side // 2]
    at = 1 + 3 * (side * 2 // 3)  # -0 + 0i, in the set
    need(middle[at:at + 3] == b"\0\0\0", "the middle of the set is not black")
    need(rows[0][1:4] != b"\0\0\0", "the corner is black")


main(sys.argv[1], int(sys.argv[2]))
