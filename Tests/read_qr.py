"""Reads the QR code in a picture (a plain PGM file), and prints its text."""

import sys

import numpy
import zxingcpp

with open(sys.argv[1], encoding="ascii") as file:
    _, width, height, _, *dots = file.read().split()
picture = numpy.array(dots, dtype=numpy.uint8).reshape(int(height), int(width))
found = zxingcpp.read_barcodes(picture, formats=zxingcpp.BarcodeFormat.QRCode)
print(found[0].text if found else "", end="")
