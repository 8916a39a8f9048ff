# Writes build_info.cpp, at every build: what is asked when CMake runs is that of an earlier commit soon.
# The file stays as it is if nothing has changed, and then nothing is compiled.
set(GRUNDY_COMMIT "")
if(GIT_EXECUTABLE)
  # Without the lock, a commit made meanwhile does not fail.
  execute_process(COMMAND ${GIT_EXECUTABLE} --no-optional-locks describe --always --dirty --abbrev=12
                  WORKING_DIRECTORY ${SOURCE_DIR} OUTPUT_VARIABLE GRUNDY_COMMIT
                  OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
configure_file(${SOURCE_DIR}/src/session/build_info.cpp.in ${OUTPUT} @ONLY)
