// Tables open in one line of Python: h5py and xarray, with the plugins of HDF5 switched off.
// SPDX-License-Identifier: MIT
#include <cstdlib>

#include <gtest/gtest.h>

#include "table/parts_samples.hpp"

namespace grundy::store_test {
namespace {

class Python : public testing::TestWithParam<Nimber> {};

TEST_P(Python, ReadsEveryWidth) {
  const std::string python = GRUNDY_H5PY_PYTHON;
  ASSERT_FALSE(python.empty())
      << "CMake found no Python that can import h5py, xarray, h5netcdf (Debian: "
         "python3-h5py, python3-xarray, python3-h5netcdf)";
  const TemporaryDirectory dir;
  std::vector<Nimber> values(3000);
  for (std::uint64_t n = 0; n < values.size(); ++n) {
    values[n] = static_cast<Nimber>(n * n % GetParam());
  }
  write_table(dir / "t.h5", values, {.chunk_size = 1024});
  const std::string command = "HDF5_PLUGIN_PRELOAD=:: " + python + " " + GRUNDY_READ_SCRIPT + " " +
                              (dir / "t.h5").string() + " 3000 " + std::to_string(GetParam());
  EXPECT_EQ(std::system(command.c_str()), 0) << command;
}

TEST(PythonParts, AreReadAsOneTable) {
  const std::string python = GRUNDY_H5PY_PYTHON;
  ASSERT_FALSE(python.empty()) << "as above";
  const TemporaryDirectory dir;
  const Layout layout = layout_of({90, 70}, false);
  const PartedSource source{layout, cut(layout, 4)};
  source.write(dir / "t.h5");
  write_whole(dir / "one.h5", layout, source.values());
  const std::string command = "HDF5_PLUGIN_PRELOAD=:: " + python + " " + GRUNDY_PARTS_SCRIPT + " " +
                              dir.path().string() + " " + GRUNDY_SCRIPTS_DIR;
  EXPECT_EQ(std::system(command.c_str()), 0) << command;
}

INSTANTIATE_TEST_SUITE_P(Moduli, Python, testing::Values(251, 60000, 1000003));

}  // namespace
}  // namespace grundy::store_test
