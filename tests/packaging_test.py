#!/usr/bin/env python3
"""Uses penstock in each way that a project can: -I alone, Meson subproject, pkg-config, CMake.

usage: packaging_test.py SOURCE_DIR MESON VERSION CXX [ARGUMENT...]
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCE, MESON, VERSION = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3]
CXX = sys.argv[4:]

CONSUMER = """#include <penstock/version.hpp>
#include <cstdio>
int main() { std::printf("%d.%d.%d", penstock::version_major, penstock::version_minor, penstock::version_patch); }
"""
MESON_CONSUMER = """project('consumer', 'cpp', default_options: ['cpp_std=c++20'])
executable('consumer', 'consumer.cpp', dependencies: dependency('penstock', version: '>=0.1'))
"""
CMAKE_CONSUMER = """cmake_minimum_required(VERSION 3.20)
project(consumer LANGUAGES CXX)
find_package(penstock @WANTED@ REQUIRED)
add_executable(consumer consumer.cpp)
target_link_libraries(consumer PRIVATE penstock::penstock)
"""
# What only a developer of penstock builds; none of it changes what is installed for a project that uses the headers.
HEADERS_ONLY = [f"-D{part}=disabled" for part in ("cuda", "command", "examples", "tests", "benchmarks")]


def run(*command, cwd=None, **environment):
    done = subprocess.run([str(word) for word in command], cwd=cwd, env={**os.environ, **environment},
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", check=False)
    if done.returncode != 0:
        raise AssertionError(f"{command} exited with {done.returncode}:\n{done.stdout}")
    return done.stdout


class Packaging(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(temporary.cleanup)
        cls.root = pathlib.Path(temporary.name)
        cls.prefix = cls.root / "prefix"
        run(MESON, "setup", cls.root / "installed", SOURCE, f"--prefix={cls.prefix}", *HEADERS_ONLY)
        run(MESON, "install", "-C", cls.root / "installed")

    def consumer(self, name, **files):
        folder = self.root / name
        folder.mkdir()
        (folder / "consumer.cpp").write_text(CONSUMER, encoding="utf-8")
        for file, text in files.items():
            (folder / file.replace("_", ".")).write_text(text, encoding="utf-8")
        return folder

    def test_include_path_alone(self):
        folder = self.consumer("include")
        run(*CXX, "-std=c++20", "consumer.cpp", "-I", SOURCE / "include", "-o", "consumer", cwd=folder)
        self.assertEqual(run(folder / "consumer"), VERSION)

    def test_every_header_is_installed(self):
        def headers(folder):
            return {path.relative_to(folder) for path in folder.rglob("*") if path.is_file()}
        self.assertEqual(headers(self.prefix / "include"), headers(SOURCE / "include"))

    def test_meson_subproject_builds_no_part_of_its_own(self):
        folder = self.consumer("subproject", meson_build=MESON_CONSUMER)
        (folder / "subprojects").mkdir()
        (folder / "subprojects" / "penstock").symlink_to(SOURCE)
        (folder / "subprojects" / "penstock.wrap").write_text("[wrap-file]\ndirectory = penstock\n", encoding="utf-8")
        run(MESON, "setup", "build", "--force-fallback-for=penstock", cwd=folder)
        run(MESON, "compile", "-C", "build", cwd=folder)
        self.assertEqual(run(folder / "build" / "consumer"), VERSION)
        built = {path.name for path in (folder / "build").rglob("*") if path.suffix in (".a", ".o")}
        self.assertEqual(built, {"consumer.cpp.o"})

    def test_pkg_config(self):
        pkg_config = shutil.which("pkg-config") or self.skipTest("no pkg-config")
        where = {"PKG_CONFIG_PATH": str(self.prefix / "share" / "pkgconfig")}
        self.assertEqual(run(pkg_config, "--modversion", "penstock", **where).strip(), VERSION)
        flags = run(pkg_config, "--cflags", "--libs", "penstock", **where).split()
        folder = self.consumer("pkg-config")
        run(*CXX, "-std=c++20", "consumer.cpp", *flags, "-o", "consumer", cwd=folder)
        self.assertEqual(run(folder / "consumer"), VERSION)

    def cmake(self, name, wanted):
        cmake = shutil.which("cmake") or self.skipTest("no cmake")
        folder = self.consumer(name, CMakeLists_txt=CMAKE_CONSUMER.replace("@WANTED@", wanted))
        # Moved as a whole first: the package must not remember where it was installed.
        moved = self.root / f"{name}-prefix"
        shutil.copytree(self.prefix, moved)
        run(cmake, "-S", folder, "-B", folder / "build", f"-DCMAKE_PREFIX_PATH={moved}")
        run(cmake, "--build", folder / "build")
        return run(folder / "build" / "consumer")

    def test_cmake_find_package(self):
        self.assertEqual(self.cmake("cmake", VERSION), VERSION)

    def test_cmake_accepts_an_older_patch_of_the_same_minor_version(self):
        self.assertEqual(self.cmake("cmake-series", ".".join(VERSION.split(".")[:2])), VERSION)

    def test_cmake_refuses_another_minor_version(self):
        major, minor, _ = VERSION.split(".")
        for wanted in (f"{major}.{int(minor) + 1}", f"{int(major) + 1}.0"):
            with self.assertRaisesRegex(AssertionError, "(?s)version.*penstockConfig.cmake"):
                self.cmake(f"cmake-{wanted}", wanted)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
