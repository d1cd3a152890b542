"""Runs an example on the host backend, each time in a folder of its own, and says what came of it."""
import pathlib
import struct
import subprocess
import sys
import tempfile
import unittest

PROGRAM = pathlib.Path(sys.argv[1]).resolve()


class Example(unittest.TestCase):
    """Test cases of the program whose path is the script's argument."""

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def run_program(self, *words):
        return subprocess.run([PROGRAM, *map(str, words)], cwd=self.folder, capture_output=True, encoding="utf-8",
                              timeout=120, check=False)

    def passes(self, *words):
        """What the program prints on standard output; on standard error it must print nothing."""
        done = self.run_program("--backend", "host", *words)
        self.assertEqual((done.returncode, done.stderr), (0, ""), f"{words} printed {done.stdout}")
        return done.stdout

    def refuses(self, sentence, *words, backend="host"):
        """Fails with exactly this sentence, prints no result, and leaves the folder as it was."""
        before = {path: path.read_bytes() for path in self.folder.iterdir()}
        done = self.run_program("--backend", backend, *words)
        self.assertEqual(done.stderr, f"{PROGRAM.name}: {sentence}\n")
        self.assertEqual(done.stdout, "")
        self.assertIn(done.returncode, range(1, 128))
        self.assertEqual({path: path.read_bytes() for path in self.folder.iterdir()}, before)

    def put(self, name, content):
        (self.folder / name).write_bytes(content)

    def put_npy(self, name, shape, values, kind="f", order="False"):
        """Values of type f (f32), d (f64) or i (i32), as NumPy writes them."""
        type_ = ("<f" if kind in "fd" else "<i") + str(struct.calcsize(kind))
        header = f"{{'descr': '{type_}', 'fortran_order': {order}, 'shape': {tuple(shape)}, }}"
        header += " " * (-(len(header) + 11) % 64) + "\n"
        self.put(name, b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode()
                 + struct.pack(f"<{len(values)}{kind}", *values))

    def npy_values(self, name, kind="f"):
        content = (self.folder / name).read_bytes()
        start = 10 + struct.unpack("<H", content[8:10])[0]
        return list(struct.unpack(f"<{(len(content) - start) // struct.calcsize(kind)}{kind}", content[start:]))


def main():
    unittest.main(argv=sys.argv[:1])
