# Writes OUTPUT, the C++ source of built_in_lessons(), from the files in the list LESSONS.
set(rows "")
foreach(path IN LISTS LESSONS)
  get_filename_component(name "${path}" NAME)
  file(READ "${path}" text)
  string(APPEND rows "    {\"${name}\", R\"~toml~(${text})~toml~\"},\n")
endforeach()
file(WRITE "${OUTPUT}" "#include \"app/lessons/lesson_library.h\"

namespace pericenter::app {
namespace {
constexpr BuiltInLesson kLessons[] = {
${rows}};
}  // namespace

std::span<const BuiltInLesson> built_in_lessons() { return kLessons; }

}  // namespace pericenter::app
")
