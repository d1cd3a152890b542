#!/usr/bin/env python3
"""The gemm example on the host: usage: gemm_test.py PROGRAM"""
from program import Example, main


class Gemm(Example):
    def multiplies(self, rows, columns, depth, *words):
        out = self.passes("--rows", rows, "--columns", columns, "--depth", depth, "--verify", *words).splitlines()
        self.assertTrue(out[0].startswith(f"c = a b^T, {rows} x {columns} x {depth}, bf16 with f32 sums, on "))
        self.assertTrue(out[-1].startswith(f"verified: {rows * columns} of {rows * columns} elements within one rounding"))

    def test_any_shape(self):
        for rows, columns, depth in ((1, 8, 8), (64, 64, 64), (65, 72, 72), (200, 8, 512), (129, 264, 40)):
            with self.subTest(rows=rows, columns=columns, depth=depth):
                self.multiplies(rows, columns, depth)

    def test_tiles_that_end_early_or_at_once(self):
        for filled in (0, 1, 50, 99):
            with self.subTest(filled=filled):
                self.multiplies(300, 72, 256, "--filled", filled)
                self.multiplies(2100, 72, 192, "--filled", filled, "--ragged")

    def test_refusals(self):
        self.refuses("--columns: '12' given, allowed are multiples of 8: rows of 16 bytes", "--columns", 12)
        self.refuses("--depth: '9' given, allowed are multiples of 8: rows of 16 bytes", "--depth", 9)
        self.refuses("--filled: '101' given, allowed is a whole number from 0 to 100 (--help lists the options)",
                     "--filled", 101)


main()
