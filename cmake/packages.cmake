# `cpack -G DEB` makes packages for the Debian or Ubuntu release on which it runs: pericenter (the program) and
# libpericenter-dev (the library and its headers). `cpack -G TGZ` makes one archive for other distributions.
set(CPACK_PACKAGE_NAME pericenter)
set(CPACK_PACKAGE_VENDOR "Pericenter contributors")
set(CPACK_PACKAGE_CONTACT "Pericenter contributors <contributors@pericenter.org>")
set(CPACK_RESOURCE_FILE_LICENSE ${CMAKE_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES ON)
set(CPACK_GENERATOR DEB TGZ)
set(CPACK_THREADS 0)
set(CPACK_VERBATIM_VARIABLES ON)

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL program development)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
if(EXISTS /etc/os-release)
  file(STRINGS /etc/os-release SYSTEM REGEX "^ID=")
  file(STRINGS /etc/os-release RELEASE REGEX "^VERSION_ID=")
  string(REGEX REPLACE "VERSION_|ID=|\"" "" RELEASE "${SYSTEM}${RELEASE}")
  set(CPACK_DEBIAN_PACKAGE_RELEASE 1~${RELEASE})  # 1~debian12: upgrades to a newer release replace it
endif()

set(CPACK_COMPONENT_PROGRAM_DESCRIPTION "Pericenter shows gravity live: galaxies collide while the class watches,
and sliders change algorithm, accuracy and scene while it runs. It has
lessons, Barnes-Hut and fast multipole solvers, and reads snapshots of
GADGET, AREPO, SWIFT, RAMSES and TIPSY. It uses an NVIDIA GPU if there is one, and
otherwise the CPU.")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME pericenter)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION science)
# OpenGL is loaded when it is needed. The static CUDA runtime needs nothing: one package serves all machines.
set(CPACK_DEBIAN_PROGRAM_PACKAGE_DEPENDS "libgl1, libegl1")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_RECOMMENDS "libgl1-mesa-dri")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SUGGESTS ffmpeg)

set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION "The solvers of Pericenter for other programs: Barnes-Hut, fast multipole
method and direct sums on CPU and CUDA, scenes and file formats, as a static
library with headers and a CMake package.")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libpericenter-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "libtbb-dev, libhdf5-dev, zlib1g-dev, libcfitsio-dev, libexpat1-dev, pkgconf")

# A licence named "copyright" and a changelog, which Debian requires of each package.
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_LIST_DIR}/debian_documents.cmake)

include(CPack)
