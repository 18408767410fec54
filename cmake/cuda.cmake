# pericenter_enable_cuda() finds nvcc and sets PERICENTER_HAS_CUDA. A broken or outdated compiler counts as missing,
# unless PERICENTER_CUDA is ON.
set(PERICENTER_CUDA AUTO CACHE STRING "Build the CUDA part: AUTO (where a working nvcc is), ON, OFF")
set_property(CACHE PERICENTER_CUDA PROPERTY STRINGS AUTO ON OFF)

# Default architectures: the local GPU, otherwise code for each major generation and PTX for later ones.
function(pericenter_choose_architectures NVCC_VERSION)
  if(DEFINED CMAKE_CUDA_ARCHITECTURES OR DEFINED ENV{CUDAARCHS})
    return()
  endif()
  # Without a GPU, nvcc -arch=native only warns and uses its oldest architecture; an unknown GPU is an error.
  execute_process(COMMAND ${PERICENTER_NVCC} -arch=native --dryrun -cubin -x cu /dev/null
    RESULT_VARIABLE FAILURE OUTPUT_VARIABLE WORDS ERROR_VARIABLE WORDS)
  if(CMAKE_VERSION VERSION_GREATER_EQUAL 3.24 AND FAILURE EQUAL 0 AND NOT WORDS MATCHES "Cannot find valid GPU")
    set(ARCHITECTURES native)
  elseif(NVCC_VERSION VERSION_LESS 13)
    set(ARCHITECTURES 60-real 70-real 75-real 80-real 90)
  else()
    set(ARCHITECTURES 75-real 80-real 90)
  endif()
  set(CMAKE_CUDA_ARCHITECTURES "${ARCHITECTURES}" CACHE STRING "GPUs to compile for")
endfunction()

# check_language tolerates a broken nvcc, enable_language does not. Repeat it at each configure, in case it was fixed.
macro(pericenter_check_nvcc PROBLEM)
  if(NOT CMAKE_CUDA_COMPILER)
    unset(CMAKE_CUDA_COMPILER CACHE)
  endif()
  include(CheckLanguage)
  check_language(CUDA)
  if(NOT CMAKE_CUDA_COMPILER)
    set(${PROBLEM} "${PERICENTER_NVCC} does not compile; -DPERICENTER_CUDA=ON shows what it says (if it wants an older \
g++, name one in CUDAHOSTCXX)")
  endif()
endmacro()

# Sets PROBLEM to the reason why CUDA is not available; empty if it is.
macro(pericenter_find_cuda PROBLEM)
  find_program(PERICENTER_NVCC NAMES ${CMAKE_CUDA_COMPILER} $ENV{CUDACXX} nvcc
    PATHS /usr/local/cuda/bin /opt/cuda/bin DOC "The CUDA compiler")
  if(NOT PERICENTER_NVCC)
    set(${PROBLEM} "nvcc was not found")
  else()
    execute_process(COMMAND ${PERICENTER_NVCC} --version
      OUTPUT_VARIABLE NVCC_VERSION ERROR_QUIET RESULT_VARIABLE NVCC_RESULT)
    string(REGEX MATCH "release ([0-9.]+)" NVCC_VERSION "${NVCC_VERSION}")
    set(NVCC_VERSION "${CMAKE_MATCH_1}")
    if(NOT NVCC_VERSION)
      set(${PROBLEM} "'${PERICENTER_NVCC} --version' tells no version (exit: ${NVCC_RESULT})")
    elseif(NVCC_VERSION VERSION_LESS 12)
      set(${PROBLEM} "${PERICENTER_NVCC} is version ${NVCC_VERSION}, and 12 is the first with C++20")
    else()
      pericenter_choose_architectures(${NVCC_VERSION})
      # Setting CMAKE_CUDA_COMPILER directly would make a broken compiler a fatal error.
      set(ENV{CUDACXX} ${PERICENTER_NVCC})
      if(NOT PERICENTER_CUDA STREQUAL "ON")
        pericenter_check_nvcc(${PROBLEM})
      endif()
    endif()
  endif()
endmacro()

macro(pericenter_enable_cuda)
  set(PERICENTER_HAS_CUDA FALSE)
  if(NOT PERICENTER_CUDA STREQUAL "OFF")
    set(CUDA_PROBLEM)
    pericenter_find_cuda(CUDA_PROBLEM)
    if(NOT CUDA_PROBLEM)
      set(PERICENTER_HAS_CUDA TRUE)
      enable_language(CUDA)
      find_package(CUDAToolkit REQUIRED)
      if(NOT CMAKE_CUDA20_STANDARD_COMPILE_OPTION)
        # CMake 3.25 does not know that nvcc 12 supports C++20.
        set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION -std=c++20)
        set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION -std=c++20)
      endif()
      set(CMAKE_CUDA_STANDARD 20)
      set(CMAKE_CUDA_STANDARD_REQUIRED ON)
      # If nvcc uses an older g++ than the C++ code, the linker must not find its C++ library first.
      set(CMAKE_CUDA_IMPLICIT_LINK_DIRECTORIES ${CMAKE_CUDA_HOST_IMPLICIT_LINK_DIRECTORIES})
      # Static, so that the program starts without CUDA libraries.
      set(CMAKE_CUDA_RUNTIME_LIBRARY Static)
      message(STATUS "CUDA: nvcc ${NVCC_VERSION} for ${CMAKE_CUDA_ARCHITECTURES}")
    elseif(PERICENTER_CUDA STREQUAL "ON")
      message(FATAL_ERROR "PERICENTER_CUDA is ON, but ${CUDA_PROBLEM}.")
    else()
      message(STATUS "CUDA: ${CUDA_PROBLEM}; building for the CPU alone")
    endif()
  endif()
endmacro()
