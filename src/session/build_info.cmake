# Writes build_info.cpp at every build, because a commit that CMake asks for when it runs is soon
# outdated. If nothing has changed, the file stays as it is and nothing is compiled.
set(GRUNDY_COMMIT "")
if(GIT_EXECUTABLE)
  # Without the lock, a commit made meanwhile does not fail.
  execute_process(COMMAND ${GIT_EXECUTABLE} --no-optional-locks describe --always --dirty --abbrev=12
                  WORKING_DIRECTORY ${SOURCE_DIR} OUTPUT_VARIABLE GRUNDY_COMMIT
                  OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
configure_file(${SOURCE_DIR}/src/session/build_info.cpp.in ${OUTPUT} @ONLY)
