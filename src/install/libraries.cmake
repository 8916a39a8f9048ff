# Imported targets for libraries whose CMake package needs the language C, or that have none. The
# project reads this file, and so does the installed package of the static library. So nothing that
# is exported holds a path of the machine that built it.

# grundy_library(NAME HEADER LIBRARY …) makes the target grundy::NAME. A library with several names
# is written as name|name.
function(grundy_library name header)
  if(TARGET grundy::${name})
    return()
  endif()
  set(suffixes include/hdf5/serial hdf5/serial)  # where Debian puts it
  find_path(GRUNDY_${name}_INCLUDE ${header} PATH_SUFFIXES ${suffixes} REQUIRED)
  mark_as_advanced(GRUNDY_${name}_INCLUDE)
  add_library(grundy::${name} INTERFACE IMPORTED)
  target_include_directories(grundy::${name} SYSTEM INTERFACE ${GRUNDY_${name}_INCLUDE})
  foreach(library ${ARGN})
    string(REPLACE "|" ";" names ${library})
    list(GET names 0 variable)
    find_library(GRUNDY_${variable}_LIBRARY NAMES ${names} PATH_SUFFIXES ${suffixes} REQUIRED)
    mark_as_advanced(GRUNDY_${variable}_LIBRARY)
    target_link_libraries(grundy::${name} INTERFACE ${GRUNDY_${variable}_LIBRARY})
  endforeach()
endfunction()

grundy_library(deflate libdeflate.h deflate)
grundy_library(gmp gmpxx.h gmpxx gmp)
grundy_library(hdf5 hdf5_hl.h hdf5_hl|hdf5_serial_hl hdf5|hdf5_serial)
grundy_library(nettle nettle/sha2.h nettle)
grundy_library(xxhash xxhash.h xxhash)
