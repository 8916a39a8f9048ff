// The HDF5 library itself leaks when it is refused a write or given a damaged file; LeakSanitizer
// looks for this function to learn what to leave out. Without the sanitizer it is never called.
// SPDX-License-Identifier: MIT
extern "C" const char* __lsan_default_suppressions();
extern "C" const char* __lsan_default_suppressions() { return "leak:libhdf5"; }
