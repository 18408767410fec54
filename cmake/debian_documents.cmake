# Run by cpack before it makes a package: adds the documents that Debian requires of each package.
if(NOT CPACK_GENERATOR STREQUAL "DEB")
  return()
endif()
find_program(GZIP gzip REQUIRED)
string(TIMESTAMP DATE "%a, %d %b %Y %H:%M:%S +0000" UTC)
foreach(COMPONENT IN LISTS CPACK_COMPONENTS_ALL)
  string(TOUPPER ${COMPONENT} KEY)
  set(PACKAGE ${CPACK_DEBIAN_${KEY}_PACKAGE_NAME})
  set(FOLDER ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/${COMPONENT}/usr/share/doc/${PACKAGE})
  file(MAKE_DIRECTORY ${FOLDER})
  configure_file(${CPACK_RESOURCE_FILE_LICENSE} ${FOLDER}/copyright COPYONLY)
  file(REMOVE ${FOLDER}/LICENSE)
  file(WRITE ${FOLDER}/changelog.Debian
    "pericenter (${CPACK_PACKAGE_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}) unstable; urgency=medium\n\n"
    "  * Version ${CPACK_PACKAGE_VERSION}.\n\n"
    " -- ${CPACK_PACKAGE_CONTACT}  ${DATE}\n")
  execute_process(COMMAND ${GZIP} -9nf ${FOLDER}/changelog.Debian COMMAND_ERROR_IS_FATAL ANY)
endforeach()
