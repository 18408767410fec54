#include "render/shader_library.h"

#include <algorithm>
#include <cassert>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <sstream>
#include <stdexcept>

#include "render/gl_info.h"
#include "shaders/shaders.h"

namespace pericenter::render {
namespace {

GLenum stage_of(const std::string& file) {
  if (file.ends_with(".vert")) return GL_VERTEX_SHADER;
  if (file.ends_with(".frag")) return GL_FRAGMENT_SHADER;
  return GL_COMPUTE_SHADER;
}

std::string log_of(GLuint name, decltype(glad_glGetShaderiv) get, decltype(glad_glGetShaderInfoLog) get_log) {
  GLint length = 0;
  get(name, GL_INFO_LOG_LENGTH, &length);
  std::string log(static_cast<std::size_t>(std::max(length, 1)), '\0');
  get_log(name, length, nullptr, log.data());
  log.resize(std::min(log.find('\0'), log.size()));
  while (log.ends_with('\n')) log.pop_back();
  return log;
}

}  // namespace

/// Source text for the compiler, and the file name of each source string number.
struct ShaderLibrary::Source {
  std::string text;
  std::vector<std::string> files;
};

std::string ShaderLibrary::text_of(const std::string& file) const {
  if (folder_.empty()) {
    for (const ShaderSource& source : shader_sources()) {
      if (source.name == file) return std::string(source.text);
    }
    throw std::runtime_error(file + ": unknown shader");
  }
  const std::filesystem::path path = std::filesystem::path(folder_) / file;
  std::ifstream stream(path, std::ios::binary);
  std::string text(std::istreambuf_iterator<char>(stream), {});
  if (!stream || text.empty()) throw std::runtime_error(path.string() + ":1: The shader cannot be read or is empty.");
  return text;
}

void ShaderLibrary::append(const std::string& file, const std::vector<std::string>& definitions, Source& source) const {
  const std::string number = std::to_string(source.files.size());
  source.files.push_back(folder_.empty() ? file : (std::filesystem::path(folder_) / file).string());
  std::istringstream lines(text_of(file));
  const bool is_root = number == "0";
  if (!is_root) source.text += "#line 1 " + number + '\n';
  int line_number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++line_number;
    const std::string next = "#line " + std::to_string(line_number + 1) + ' ' + number + '\n';
    if (line.starts_with("#include \"")) {
      const std::size_t start = line.find('"') + 1;
      append(line.substr(start, line.find('"', start) - start), {}, source);
      source.text += next;
    } else if (is_root && line.starts_with("#version")) {
      source.text += line + '\n';
      source.text += gl_info().software ? "#define SOFTWARE 1\n" : "#define SOFTWARE 0\n";
      for (const std::string& definition : definitions) source.text += "#define " + definition + '\n';
      source.text += next;
    } else {
      source.text += line + '\n';
    }
  }
}

Shader ShaderLibrary::compile(const std::string& file, const std::vector<std::string>& definitions) const {
  Source source;
  append(file, definitions, source);
  Shader shader(glCreateShader(stage_of(file)));
  const char* text = source.text.c_str();
  glShaderSource(shader.name(), 1, &text, nullptr);
  glCompileShader(shader.name());
  GLint compiled = GL_FALSE;
  glGetShaderiv(shader.name(), GL_COMPILE_STATUS, &compiled);
  if (compiled == GL_TRUE) return shader;

  const std::string log = log_of(shader.name(), glGetShaderiv, glGetShaderInfoLog);
  // Mesa: "0:12(3): error", NVIDIA: "0(12) : error".
  std::smatch place;
  if (!std::regex_search(log, place, std::regex(R"((\d+)[:(](\d+))"))) throw std::runtime_error(file + ":1: " + log);
  const std::size_t number = std::min<std::size_t>(std::stoul(place[1]), source.files.size() - 1);
  throw std::runtime_error(source.files[number] + ':' + place[2].str() + ": " + log);
}

Program ShaderLibrary::build(const std::vector<std::string>& files, const std::vector<std::string>& definitions) const {
  Program program(glCreateProgram());
  for (const std::string& file : files) {
    const Shader shader = compile(file, definitions);
    glAttachShader(program.name(), shader.name());
  }
  glLinkProgram(program.name());
  GLint linked = GL_FALSE;
  glGetProgramiv(program.name(), GL_LINK_STATUS, &linked);
  if (linked != GL_TRUE) {
    throw std::runtime_error(files.back() + ":1: " + log_of(program.name(), glGetProgramiv, glGetProgramInfoLog));
  }
  return program;
}

ProgramVariants::ProgramVariants(const ShaderLibrary& library, const std::vector<std::string>& files,
                                 std::vector<Axis> axes, const std::vector<std::string>& definitions)
    : axes_(std::move(axes)) {
  std::size_t variants = 1;
  for (const Axis& axis : axes_) variants *= axis.values;
  for (std::size_t k = 0; k < variants; ++k) {
    std::vector<std::string> all = definitions;
    std::size_t rest = k;
    for (const Axis& axis : axes_) {
      all.push_back(axis.name + ' ' + std::to_string(rest % axis.values));
      rest /= axis.values;
    }
    programs_.emplace_back(library, files, std::move(all));
  }
}

const LazyProgram& ProgramVariants::get(std::initializer_list<std::size_t> values) const {
  assert(values.size() == axes_.size());
  std::size_t variant = 0;
  for (std::size_t k = axes_.size(); k-- > 0;) {
    assert(values.begin()[k] < axes_[k].values);
    variant = variant * axes_[k].values + values.begin()[k];
  }
  return programs_[variant];
}

}  // namespace pericenter::render
