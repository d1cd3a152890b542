"""What a block did with a channel's memory before is ordered ahead of the copy engine's writes: the threads fence before
they meet. Arguments: the command that compiles to PTX."""
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

KERNEL = """
#include <penstock/ring/channel.hpp>
using namespace penstock;
using ring = channel<float[32], 2, producers<{producer}>, consumers<warps<1>>>;
__global__ void kernel() {{
  __shared__ ring::storage memory;
  ring line(memory);
}}
"""


class NewChannel(unittest.TestCase):
    def before_first_meeting(self, producer):
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder, "kernel.cu")
            source.write_text(KERNEL.format(producer=producer))
            ptx = pathlib.Path(folder, "kernel.ptx")
            subprocess.run(COMMAND + ["-std=c++20", "-arch=sm_90", "-ptx", str(source), "-o", str(ptx)], check=True)
            body = ptx.read_text().partition(".entry")[2]
        before, meeting, _ = re.split(r"(?m)^\s*(bar\.sync|barrier\.sync)", body, maxsplit=1)
        self.assertTrue(meeting)
        return before

    def test_filled_by_the_engine(self):
        before = self.before_first_meeting("by_bulk")
        self.assertIn("fence.proxy.async.shared::cta;", before)
        initialised = before.index("fence.mbarrier_init")
        label = re.search(r"(?m)^\$\S+:", before[initialised:])
        self.assertIsNotNone(label, "one thread initialises")
        self.assertIn("fence.proxy.async", before[initialised + label.end():], "all threads fence")

    def test_filled_by_threads(self):
        self.assertNotIn("fence.proxy", self.before_first_meeting("warps<1>"))


if __name__ == "__main__":
    COMMAND = sys.argv[1:]
    unittest.main(argv=sys.argv[:1])
