#!/usr/bin/env python3
"""The axpy example on the host: usage: axpy_test.py PROGRAM"""
from program import Example, main


class Axpy(Example):
    def test_any_length(self):
        for count in (0, 1, 2, 1023, 1024, 1025, 4096, 100003):
            with self.subTest(count=count):
                out = self.passes("--count", count, "--verify").splitlines()
                self.assertTrue(out[0].startswith(f"y = a x + y for {count} elements on "))
                self.assertEqual(out[1], "verified: every element equals the host's, bit for bit")

    def test_refusals(self):
        self.refuses("--count: '-1' given, allowed is a whole number from 0 to 1099511627776 (--help lists the options)",
                     "--count", -1)
        self.refuses("--backend: 'cuda' given, allowed are auto, hopper, ampere, portable and host"
                     " (--help lists the options)", backend="cuda")


main()
