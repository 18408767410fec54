# Writes OUTPUT, the C++ source of shaders.h, from the files in the list SHADERS.
set(rows "")
foreach(path IN LISTS SHADERS)
  get_filename_component(name "${path}" NAME)
  file(READ "${path}" text)
  string(APPEND rows "    {\"${name}\", R\"~glsl~(${text})~glsl~\"},\n")
endforeach()
file(WRITE "${OUTPUT}" "#include \"shaders/shaders.h\"

namespace pericenter::render {
namespace {
constexpr ShaderSource kShaders[] = {
${rows}};
}  // namespace

std::span<const ShaderSource> shader_sources() { return kShaders; }

}  // namespace pericenter::render
")
