#!/usr/bin/env python3
"""The stencil example on the host: usage: stencil_test.py PROGRAM"""
import itertools
import math
import random

from program import Example, main

OPTIONS = " (--help lists the options)"
EXTENTS = "2 or 3 extents from 1 to 2147483647 with at most 2^40 cells"


def diffused(shape, cells):
    """One step in Python's floats, which are f64: sums in the order that the program documents."""
    planes, rows, columns = (1, *shape)[-3:]
    after = list(cells)
    for z, y, x in itertools.product(range(planes), range(rows), range(columns)):
        def cell(dz, dy, dx):
            return cells[((z + dz) * rows + y + dy) * columns + x + dx]
        if y in (0, rows - 1) or x in (0, columns - 1) or (len(shape) == 3 and z in (0, planes - 1)):
            continue
        total = (cell(0, 0, -1) + cell(0, 0, 1)) + (cell(0, -1, 0) + cell(0, 1, 0))
        own = cell(0, 0, 0) + cell(0, 0, 0)
        if len(shape) == 3:
            total = (total + (cell(-1, 0, 0) + cell(1, 0, 0))) + own
        else:
            total += own + own
        after[(z * rows + y) * columns + x] = 0.125 * total
    return after


class Stencil(Example):
    def test_any_extent(self):
        shapes = ["1,1,1", "2,2,2", "3,3,3", "1,5,7", "5,1,7", "5,7,1", "3,16,128", "3,17,129", "4,18,131", "35,33,133",
                  "1,1", "1,300", "300,1", "2,2", "3,3", "16,128", "17,129", "33,257", "31,64", "130,3", "15,1000"]
        for shape, type_, steps in itertools.product(shapes, ("f32", "f64"), (1, 4)):
            with self.subTest(shape=shape, type=type_, steps=steps):
                out = self.passes("--shape", shape, "--type", type_, "--steps", steps, "--verify").splitlines()
                self.assertEqual(out[0], f"{steps} steps of {shape.count(',') + 1}-D heat diffusion, "
                                         f"{shape.replace(',', ' x ')} cells, {type_}")
                cells = math.prod(map(int, shape.split(",")))
                self.assertTrue(out[-1].startswith(f"verified: all {cells} cells equal those of plain loops, bit for bit"))

    def test_against_python(self):
        for shape in ((4, 5, 6), (3, 20, 9), (9, 70), (40, 5), (3, 3)):
            cells = [random.Random(1).uniform(-1, 1) for _ in range(math.prod(shape))]
            self.put_npy("in.npy", shape, cells, "d")
            self.passes("--input", "in.npy", "--output", "out.npy", "--steps", 3)
            for _ in range(3):
                cells = diffused(shape, cells)
            self.assertEqual(self.npy_values("out.npy", "d"), cells, shape)

    def test_no_steps_leave_the_file_as_it_is(self):
        for shape, kind in (((2, 3, 5), "f"), ((1, 1, 1), "d"), ((7, 1), "f")):
            self.put_npy("in.npy", shape, [0.1 * k for k in range(math.prod(shape))], kind)
            out = self.passes("--input", "in.npy", "--output", "out.npy", "--steps", 0, "--verify")
            self.assertEqual((self.folder / "in.npy").read_bytes(), (self.folder / "out.npy").read_bytes())
            self.assertNotIn("GCells", out)

    def test_steps_add_up(self):
        self.passes("--shape", "20,19,70", "--steps", 5, "--output", "five.npy")
        self.passes("--shape", "20,19,70", "--steps", 2, "--output", "two.npy")
        self.passes("--input", "two.npy", "--steps", 3, "--output", "two.npy")
        self.assertEqual((self.folder / "five.npy").read_bytes(), (self.folder / "two.npy").read_bytes())

    def test_what_is_no_number_spreads(self):
        self.put_npy("in.npy", (5, 5), [math.nan if k == 12 else math.inf if k == 4 else 1.0 for k in range(25)])
        self.passes("--input", "in.npy", "--output", "out.npy", "--png", "out.png", "--steps", 1, "--verify")
        cells = self.npy_values("out.npy")
        self.assertEqual([k for k in range(25) if math.isnan(cells[k])], [7, 11, 12, 13, 17])

    def test_picture(self):
        self.passes("--shape", "9,300,400", "--steps", 1, "--png", "out.png")
        picture = (self.folder / "out.png").read_bytes()
        self.assertEqual(picture[:8], b"\x89PNG\r\n\x1a\n")
        self.assertGreater(int.from_bytes(picture[16:20], "big"), 800)

    def test_refused_options(self):
        for text in ("", "5", "1,2,3,4", "0,5", "5,-1", "5,5x", "5,,5", "5,5,", "3000000000,1", "1048577,1048576"):
            self.refuses(f"--shape: '{text}' given, allowed are {EXTENTS}, as in 64,100,1000{OPTIONS}", "--shape", text)
        self.refuses(f"--size: '0' given, allowed is a whole number from 1 to 10321{OPTIONS}", "--size", 0)
        self.refuses(f"--size excludes --shape{OPTIONS}", "--size", 5, "--shape", "5,5")
        self.refuses(f"--steps: '-1' given, allowed is a whole number from 0 to 100000000{OPTIONS}", "--steps", -1)
        self.refuses(f"--type: 'f16' given, allowed are f32 and f64{OPTIONS}", "--type", "f16")
        self.refuses("cannot write 'none/out.npy': No such file or directory", "--size", 5, "--output", "none/out.npy")
        self.refuses("cannot write 'none/out.png': No such file or directory", "--size", 5, "--png", "none/out.png",
                     "--output", "out.npy")

    def test_refused_files(self):
        def refuses(sentence):
            self.refuses(sentence, "--input", "in.npy", "--output", "out.npy")
        refuses("cannot read 'in.npy': No such file or directory")
        self.put("in.npy", b"no array")
        refuses("cannot read 'in.npy': it begins with the bytes 6E 6F 20 61 72 72, a .npy file with 93 4E 55 4D 50 59")
        self.put_npy("in.npy", (2, 3), range(6), "i")
        refuses("cannot read 'in.npy': its dtype is '<i4', allowed are '<f4' and '<f8' (little-endian f32 and f64)")
        self.put_npy("in.npy", (2, 3), range(6), order="True")
        refuses("cannot read 'in.npy': its array is in Fortran order, allowed is C order"
                " (numpy.ascontiguousarray converts)")
        self.put_npy("in.npy", (2, 3), range(5))
        refuses("cannot read 'in.npy': its shape (2, 3) of f32 needs 24 bytes of data, but 20 follow its header (truncated)")
        self.put_npy("in.npy", (6,), range(6))
        refuses(f"'in.npy' holds an array of shape (6), allowed are {EXTENTS}")
        self.put_npy("in.npy", (0, 6), [])
        refuses(f"'in.npy' holds an array of shape (0, 6), allowed are {EXTENTS}")
        self.put_npy("in.npy", (2, 3), range(6))
        self.refuses("--type: 'f64' given, but 'in.npy' holds f32", "--input", "in.npy", "--type", "f64")
        self.refuses(f"--size excludes --input{OPTIONS}", "--input", "in.npy", "--size", 5)


main()
