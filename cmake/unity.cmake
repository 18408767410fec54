# A unity build compiles all files of a folder as one, so that each header is parsed once per folder instead of once per
# file. File-local names must therefore be unique within a folder.
option(PERICENTER_UNITY "Compile all files of a folder together: faster full builds, slower incremental ones" OFF)

# compile_folders_together(TARGET FILE...)
function(compile_folders_together TARGET)
  if(NOT PERICENTER_UNITY)
    return()
  endif()
  set_target_properties(${TARGET} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  foreach(FILE IN LISTS ARGN)
    cmake_path(RELATIVE_PATH FILE BASE_DIRECTORY ${CMAKE_SOURCE_DIR} OUTPUT_VARIABLE GROUP)
    cmake_path(GET GROUP PARENT_PATH GROUP)
    string(MAKE_C_IDENTIFIER "${GROUP}" GROUP)
    set_source_files_properties(${FILE} PROPERTIES UNITY_GROUP ${GROUP})
  endforeach()
  # A type of a file-local class is not shared with other files, although it is not in the main file.
  target_compile_options(${TARGET} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
endfunction()
