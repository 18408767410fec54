# `cmake --install`: the program with manual page, completions, menu entry, icons, file types, lessons and licence, as
# the component "program". All paths are relative to the prefix, and the program reads none of these files, so that the
# installed folder can be moved.
include(GNUInstallDirs)

set(DESKTOP ${CMAKE_SOURCE_DIR}/assets/desktop)
set(APP_ID org.pericenter.Pericenter)
set(GENERATED ${CMAKE_BINARY_DIR}/generated)

install(TARGETS pericenter RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
install(FILES ${DESKTOP}/${APP_ID}.desktop DESTINATION ${CMAKE_INSTALL_DATADIR}/applications COMPONENT program)
configure_file(${DESKTOP}/${APP_ID}.metainfo.xml.in ${GENERATED}/${APP_ID}.metainfo.xml @ONLY)
install(FILES ${GENERATED}/${APP_ID}.metainfo.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/metainfo COMPONENT program)
install(FILES ${DESKTOP}/pericenter.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/mime/packages COMPONENT program)

set(ICONS ${CMAKE_INSTALL_DATADIR}/icons/hicolor)
install(FILES ${DESKTOP}/${APP_ID}.svg DESTINATION ${ICONS}/scalable/apps COMPONENT program)
foreach(SIZE 16 24 32 48 64 128 256 512)
  install(FILES ${DESKTOP}/icon-${SIZE}.png DESTINATION ${ICONS}/${SIZE}x${SIZE}/apps RENAME ${APP_ID}.png
          COMPONENT program)
endforeach()

install(DIRECTORY ${CMAKE_SOURCE_DIR}/assets/lessons ${CMAKE_SOURCE_DIR}/assets/cluster DESTINATION ${CMAKE_INSTALL_DATADIR}/pericenter COMPONENT program)
install(FILES ${CMAKE_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program)

# The program writes its manual page and completions when it is installed. If it was built for another machine, a
# program of this machine does it: -DPERICENTER_GENERATOR=FILE.
set(PERICENTER_GENERATOR "$<TARGET_FILE:pericenter>" CACHE STRING "The program that writes manual page and completions")
mark_as_advanced(PERICENTER_GENERATOR)
find_program(PERICENTER_GZIP gzip DOC "Compresses the manual page")
mark_as_advanced(PERICENTER_GZIP)

# install_generated(WHAT NAME FOLDER): installs the output of `pericenter --generate WHAT`.
function(install_generated WHAT NAME FOLDER)
  string(CONFIGURE [[
    file(MAKE_DIRECTORY "@GENERATED@")
    execute_process(COMMAND "@PERICENTER_GENERATOR@" --generate @WHAT@
                    OUTPUT_FILE "@GENERATED@/@NAME@" RESULT_VARIABLE FAILED)
    if(FAILED)
      message(FATAL_ERROR "'@PERICENTER_GENERATOR@ --generate @WHAT@' failed: ${FAILED}")
    endif()
  ]] SCRIPT @ONLY)
  install(CODE "${SCRIPT}" COMPONENT program)
  if(WHAT STREQUAL man AND PERICENTER_GZIP)
    install(CODE "execute_process(COMMAND \"${PERICENTER_GZIP}\" -9nf \"${GENERATED}/${NAME}\")" COMPONENT program)
    set(NAME ${NAME}.gz)
  endif()
  install(FILES ${GENERATED}/${NAME} DESTINATION ${FOLDER} COMPONENT program)
endfunction()
install_generated(man pericenter.1 ${CMAKE_INSTALL_MANDIR}/man1)
install_generated(bash pericenter ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install_generated(zsh _pericenter ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
install_generated(fish pericenter.fish ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
