#!/usr/bin/env python3
"""The copy example on the host: usage: copy_test.py PROGRAM"""
import itertools
import random

from program import Example, main

TILE, BLOCK = 8192, 65536


class Copy(Example):
    def copies(self, size, *words):
        content = random.Random(size).randbytes(size)
        self.put("in", content)
        self.passes("in", "--output", "out", "--verify", "--repeats", 1, *words)
        self.assertEqual((self.folder / "out").read_bytes(), content)

    def test_any_size(self):
        for size in (0, 1, 15, 16, 17, TILE - 1, TILE, TILE + 1, BLOCK - 1, BLOCK, BLOCK + 1, 1000003):
            with self.subTest(size=size):
                self.copies(size)

    def test_any_alignment(self):
        for source, target in itertools.product((0, 1, 8, 16), (0, 3, 4, 16)):
            for size in (1, 13, 20000, BLOCK):
                with self.subTest(source=source, target=target, size=size):
                    self.copies(size, "--source-offset", source, "--target-offset", target)

    def test_generated_bytes(self):
        out = self.passes("--bytes", "1MiB", "--repeats", 3, "--verify")
        self.assertTrue(out.startswith("copied 1048576 bytes on "))
        self.assertTrue(out.endswith("verified: every byte equals its source\n"))

    def test_refusals(self):
        self.put("in", b"some bytes")
        self.refuses("cannot read 'none': No such file or directory", "none")
        self.refuses("cannot read '/': it is a folder, allowed is a regular file", "/")
        self.refuses("cannot write 'none/out': No such file or directory", "in", "--output", "none/out")
        self.refuses("file excludes --bytes (--help lists the options)", "in", "--bytes", 4)
        self.refuses("--repeats: '0' given, allowed is a whole number from 1 to 1000000 (--help lists the options)",
                     "in", "--repeats", 0)
        self.refuses("--source-offset: '256' given, allowed is a whole number from 0 to 255 (--help lists the options)",
                     "in", "--source-offset", 256)


main()
