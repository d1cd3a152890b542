#!/usr/bin/env python3
"""The early_stop example on the host: usage: early_stop_test.py PROGRAM"""
import re

from program import Example, main


class EarlyStop(Example):
    def search(self, *words):
        """The lines printed for the match, the lines printed for the series, and the shares of bytes read in each."""
        out = self.passes("--verify", *words).splitlines()
        self.assertEqual(len(out), 9, out)
        self.assertEqual(out[4], "verified: the same match as a search on the host")
        self.assertEqual(out[8], "verified: every sum equals that of plain loops, bit for bit, and the full sum within"
                                 " what is left out")
        shares = [float(re.search(r"MB \( *([0-9.]+) %\)", out[k]).group(1)) for k in (2, 3, 6, 7)]
        self.assertEqual((shares[1], shares[3]), (100, 100))
        return out, shares

    def test_match_anywhere(self):
        few = ("--series", 1, "--length", 1)
        for count, match in ((1, 0), (2048, 2047), (2049, 0), (2049, 2048), (100000, 2047), (100000, 99999)):
            with self.subTest(count=count, match=match):
                out, _ = self.search("--count", count, "--match", match, *few)
                self.assertEqual(out[1], f"first match at index {match} of {count}")
        out, shares = self.search("--count", 100000, "--match", 100000, *few)
        self.assertEqual(out[1], "no match among 100000 values")
        self.assertEqual(shares[0], 100)

    def test_an_early_match_ends_the_search(self):
        _, shares = self.search("--count", 10000000, "--match", 100000, "--series", 1, "--length", 1)
        self.assertLess(shares[0], 100)  # how much less depends on how far the other threads have come

    def test_series_of_any_length(self):
        for series, length in ((1, 1), (3, 2047), (2, 2048), (5, 2049), (7, 50001), (20, 100000)):
            with self.subTest(series=series, length=length):
                out, shares = self.search("--count", 1, "--series", series, "--length", length)
                self.assertTrue(out[5].startswith(f"{series} series of {length} terms, "))
                if length > 50000:
                    self.assertLess(shares[2], 75)

    def test_refusals(self):
        self.refuses("--count: '0' given, allowed is a whole number from 1 to 1099511627776 (--help lists the options)",
                     "--count", 0)
        self.refuses("--series: 'x' given, allowed is a whole number from 1 to 1000000 (--help lists the options)",
                     "--series", "x")
        self.refuses("--series times --length is more than 2^40 terms, the most that are allowed",
                     "--series", 1000000, "--length", 1 << 40)


main()
