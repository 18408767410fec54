# Installs the simulation as a library for other programs: find_package(Pericenter) gives Pericenter::sim.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# Every header that an installed one includes is here, too; the test `library` checks it.
set(PERICENTER_PUBLIC_HEADERS
  sim/analysis/force_error.h
  sim/auto_solver.h
  sim/core/bodies.h
  sim/core/body_field.h
  sim/core/config.h
  sim/core/device.h
  sim/core/diagnostics.h
  sim/core/progress.h
  sim/core/simulation.h
  sim/core/solver_options.h
  sim/core/stage_timings.h
  sim/core/units.h
  sim/core/vec.h
  sim/core/work_counts.h
  sim/files/hdf5/writer.h
  sim/files/load.h
  sim/files/selection.h
  sim/files/snapshot.h
  sim/scenes/registry.h
  sim/solvers/registry.h)
foreach(HEADER IN LISTS PERICENTER_PUBLIC_HEADERS)
  cmake_path(GET HEADER PARENT_PATH FOLDER)
  install(FILES ${HEADER} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/pericenter/${FOLDER} COMPONENT development)
endforeach()

set(PERICENTER_PACKAGE_FOLDER ${CMAKE_INSTALL_LIBDIR}/cmake/Pericenter)
set_target_properties(pericenter_sim PROPERTIES EXPORT_NAME sim)
install(TARGETS pericenter_sim EXPORT PericenterTargets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development
  INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/pericenter)
install(EXPORT PericenterTargets NAMESPACE Pericenter:: DESTINATION ${PERICENTER_PACKAGE_FOLDER} COMPONENT development)

configure_package_config_file(cmake/PericenterConfig.cmake.in ${CMAKE_BINARY_DIR}/PericenterConfig.cmake
  INSTALL_DESTINATION ${PERICENTER_PACKAGE_FOLDER} NO_SET_AND_CHECK_MACRO)
# Before version 1 every minor version may change the interface.
write_basic_package_version_file(${CMAKE_BINARY_DIR}/PericenterConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/PericenterConfig.cmake ${CMAKE_BINARY_DIR}/PericenterConfigVersion.cmake
  DESTINATION ${PERICENTER_PACKAGE_FOLDER} COMPONENT development)
