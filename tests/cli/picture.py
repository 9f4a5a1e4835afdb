#!/usr/bin/env python3
"""Is this a PNG file, whole, of the Mandelbrot set, so many pixels wide and high?

usage: picture.py FILE WIDTH HEIGHT
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


def main(file, *shape):
    with open(file, "rb") as content:
        parts = list(chunks(content.read()))
    need([name for name, _ in parts] == [b"IHDR", b"IDAT", b"IEND"], "other chunks")
    width, height, *kind = struct.unpack(">IIBBBBB", parts[0][1])
    need((width, height) == shape, f"{width} x {height} pixels, not {shape}")
    need(kind == [8, 2, 0, 0, 0], f"another kind of picture: {kind}")
    raw, row = zlib.decompress(parts[1][1]), 3 * width + 1
    need(len(raw) == row * height, f"{len(raw)} bytes")
    rows = [raw[y * row:(y + 1) * row] for y in range(height)]
    need(all(row[0] == 0 for row in rows), "rows are filtered")
    pixels = {bytes(row[i:i + 3]) for row in rows for i in range(1, 3 * width, 3)}
    need(len(pixels) > 20, f"{len(pixels)} colours")
    middle = 1 + 3 * (width * 5 // 7)  # 0 + 0i, in the set
    need(rows[height // 2][middle:middle + 3] == b"\0\0\0", "0 is not black")
    need(rows[0][1:4] != b"\0\0\0", "the corner is black")


main(sys.argv[1], *map(int, sys.argv[2:]))
