"""Builds the Python package by CMake, for `pip install .`.

`scripts/install_packages.sh build python` installs what that needs.
"""

import os
import pathlib
import re
import subprocess
import sys

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = pathlib.Path(__file__).resolve().parent


class BuildByCMake(build_ext):
    def build_extension(self, ext):
        package = pathlib.Path(self.get_ext_fullpath(ext.name)).resolve().parent
        build = pathlib.Path(self.build_temp).resolve()
        options = {
            "CMAKE_BUILD_TYPE": "Release", "CMAKE_UNITY_BUILD": "ON", "GRUNDY_BUILD_PYTHON": "ON",
            "GRUNDY_BUILD_TESTS": "OFF", "GRUNDY_BUILD_BENCH": "OFF", "GRUNDY_PYTHON_DIR": ".",
            "Python_EXECUTABLE": sys.executable,
        }
        try:
            import pybind11  # as pip brings it; Debian's is found without
            options["pybind11_DIR"] = pybind11.get_cmake_dir()
        except ImportError:
            pass
        define = [f"-D{name}={value}" for name, value in options.items()]
        subprocess.run(["cmake", "-S", ROOT, "-B", build, *define], check=True)
        jobs = str(os.cpu_count() or 1)
        subprocess.run(["cmake", "--build", build, "--target", "grundy_python", "-j", jobs], check=True)
        subprocess.run(["cmake", "--install", build, "--component", "python", "--prefix", package.parent],
                       check=True)


setup(
    version=re.search(r"project\(grundy VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text())[1],
    license="MIT",  # pyproject.toml would need one form for old setuptools and another one for new
    packages=["grundy"],
    package_dir={"": "src/python"},
    package_data={"grundy": ["*.pyi", "py.typed"]},
    ext_modules=[Extension("grundy._core", sources=[])],
    cmdclass={"build_ext": BuildByCMake},
)
