#!/usr/bin/env python3
"""Draws page.pgm, the picture that the example reads. Needs Pillow and the fonts of Debian's fonts-dejavu-core.

usage: make_page.py page.pgm

The picture is committed, as fonts are drawn a little differently by each version of the library.
"""

import sys

from PIL import Image, ImageDraw, ImageFont

FONTS = "/usr/share/fonts/truetype/dejavu/DejaVu"
WIDTH, HEIGHT = 480, 352
# Font, size, left, top, text. The last line stands on its head.
LINES = [
    ("Serif-Bold", 26, 24, 16, "A page read aloud"),
    ("Sans", 17, 24, 62, "Two models find and turn the lines,"),
    ("Sans", 17, 24, 90, "a third one reads them."),
    ("SansMono", 15, 24, 128, "model.onnx -> graph -> model.bef"),
    ("Serif", 18, 24, 164, "Invoice No. 2026-1122"),
    ("Serif", 18, 330, 164, "22.11.2026"),
    ("Sans", 16, 24, 198, "3 notebooks, 80 pages each"),
    ("Sans", 16, 330, 198, "EUR 13.47"),
    ("Sans", 16, 24, 226, "1 fountain pen"),
    ("Sans", 16, 330, 226, "EUR 24.90"),
    ("Sans-Bold", 17, 24, 258, "Total"),
    ("Sans-Bold", 17, 330, 258, "EUR 38.37"),
]
TURNED = ("Sans", 17, 24, 304, "Turn me round to read this line!")


def main():
    page = Image.new("L", (WIDTH, HEIGHT), 244)
    draw = ImageDraw.Draw(page)
    for font, size, left, top, text in LINES:
        draw.text((left, top), text, 28, ImageFont.truetype(f"{FONTS}{font}.ttf", size))
    font, size, left, top, text = TURNED
    strip = Image.new("L", (WIDTH - 2 * left, 28), 244)
    ImageDraw.Draw(strip).text((0, 2), text, 28, ImageFont.truetype(f"{FONTS}{font}.ttf", size))
    page.paste(strip.rotate(180), (left, top))
    page.save(sys.argv[1])


if __name__ == "__main__":
    main()
