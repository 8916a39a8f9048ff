# grundy_tool_test(TOOL WHAT NAME COMMAND … [WORKING_DIRECTORY …]) makes an entry for a test that needs a tool.
# TOOL is the variable that tells whether it was found. Without it CTest reports the test as skipped, and its
# log says that WHAT is missing. Exit code 77 of the command skips it too.
function(grundy_tool_test tool what name)
  if(${tool})
    add_test(NAME ${name} ${ARGN})
  else()
    add_test(NAME ${name} COMMAND sh -c "echo '${what} is missing'; exit 77")
  endif()
  set_tests_properties(${name} PROPERTIES SKIP_RETURN_CODE 77)
endfunction()
