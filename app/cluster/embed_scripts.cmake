# Writes OUTPUT, the C++ source of the texts of cluster/scripts.h, from the files in the list SCRIPTS.
set(rows "")
foreach(path IN LISTS SCRIPTS)
  get_filename_component(name "${path}" NAME_WE)
  file(READ "${path}" text)
  string(APPEND rows "const std::string_view k_${name} = R\"~text~(${text})~text~\";\n")
endforeach()
file(WRITE "${OUTPUT}" "#include \"app/cluster/scripts.h\"

namespace pericenter::app::scripts {
${rows}
}  // namespace pericenter::app::scripts
")
