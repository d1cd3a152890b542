#!/usr/bin/env python3
"""Tests must_not_compile.py itself: it must object to a file that compiles and to a wrong or late message.

usage: must_not_compile_test.py COMPILER [ARGUMENT...]
"""
import pathlib
import sys
import tempfile
import unittest

from must_not_compile import FIRST_LINES, verdict

COMPILER = sys.argv[1:]


class MustNotCompile(unittest.TestCase):
    def judge(self, text):
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder, "sample.cpp")
            source.write_text(text, encoding="utf-8")
            return verdict(str(source), COMPILER) or ""

    def test_accepts_the_promised_message(self):
        self.assertEqual(self.judge('// expect: too \\w+ a depth\n#error "too small a depth"\n'), "")

    def test_objects_to_a_file_that_compiles(self):
        self.assertIn("compiled, but must not", self.judge("// expect: anything\n"))

    def test_objects_to_another_message(self):
        self.assertIn("lack /too small/", self.judge('// expect: too small\n#error "too large"\n'))

    def test_objects_if_one_of_two_messages_is_missing(self):
        self.assertIn("lack /second/", self.judge('// expect: first\n// expect: second\n#error "first"\n'))

    def test_objects_to_a_message_too_far_down(self):
        noise = "".join(f'#warning "noise {i}"\n' for i in range(FIRST_LINES))
        self.assertIn("lack /wanted/", self.judge(f'// expect: wanted\n{noise}#error "wanted"\n'))

    def test_objects_to_a_file_that_promises_nothing(self):
        self.assertIn("has no '// expect: REGEX' line", self.judge("#error\n"))

    def test_compiles_with_the_flags_that_the_file_asks_for(self):
        text = '// expect: seventeen\n// flags: -std=c++17\n#if __cplusplus == 201703L\n#error "seventeen"\n#endif\n'
        self.assertEqual(self.judge(text), "")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
