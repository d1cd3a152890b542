#!/usr/bin/env python3
"""The attention example on the host: usage: attention_test.py PROGRAM"""
import re

from program import Example, main

MET = re.compile(r"having met ([0-9.]+) of the blocks of keys")


class Attention(Example):
    def attends(self, tokens, heads, *words):
        """The part of the blocks of keys that was met."""
        out = self.passes("--tokens", tokens, "--heads", heads, "--verify", *words).splitlines()
        self.assertTrue(out[0].startswith(f"attention of {heads} heads, {tokens} tokens of 64, on "))
        self.assertRegex(out[2], r"^verified: \d+ elements within ")
        return float(MET.search(out[1])[1])

    def test_any_length(self):
        for tokens in (1, 31, 32, 33, 63, 64, 65, 96, 97, 200):
            with self.subTest(tokens=tokens):
                self.attends(tokens, 2)

    def test_leaves_the_earlier_the_more_may_be_left_out(self):
        strict, loose = self.attends(2000, 2, "--tolerance", 1e-6), self.attends(2000, 2, "--tolerance", 0.1)
        self.assertLess(strict, 1)
        self.assertLess(loose, strict)

    def test_refusals(self):
        for text in ("-1", "1", "0.2", "x", "0.1x", "nan"):
            self.refuses(f"--tolerance: '{text}' given, allowed is a number from 0 to 0.1 (--help lists the options)",
                         f"--tolerance={text}")
        self.refuses("--tokens: '0' given, allowed is a whole number from 1 to 1048576 (--help lists the options)",
                     "--tokens", 0)


main()
