# Writes OUTPUT, a source file with the commit of the sources in SOURCE_DIR, if it changed:
#   cmake -DSOURCE_DIR=DIR -DOUTPUT=FILE -P commit.cmake
cmake_policy(VERSION 3.22)
execute_process(COMMAND git -C ${SOURCE_DIR} rev-parse --short=12 HEAD
  OUTPUT_VARIABLE COMMIT OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE FAILED)
if(FAILED)
  set(COMMIT "unknown")
else()
  execute_process(COMMAND git -C ${SOURCE_DIR} status --porcelain --untracked-files=no -- sim app render shaders
    OUTPUT_VARIABLE CHANGES ERROR_QUIET)
  if(CHANGES)
    string(APPEND COMMIT " with changes")
  endif()
endif()
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT "#include \"app/base/commit.h\"

namespace pericenter::app {

const char* commit() {
  return \"${COMMIT}\";
}

}  // namespace pericenter::app
")
