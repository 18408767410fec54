#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <optional>
#include <regex>
#include <string>
#include <string_view>
#include <vector>

// The allowed dependencies, checked by reading the #include lines, including those in branches of the preprocessor that
// this build does not compile:
// - modules: app -> render, app -> sim, and nothing else
// - folders of app and sim: only downwards in the order of kLayers

namespace {

namespace fs = std::filesystem;

const std::string kOpenGl = R"((glad|GL|GLES3|EGL|KHR)/.*)";
const std::string kWindow = R"(GLFW/.*)";
const std::string kMaths = R"(glm/.*)";
const std::string kPanel = R"(imgui.*|backends/imgui.*|misc/.*)";
const std::string kCuda = R"(cuda.*|cub/.*|thrust/.*|nvtx.*|cooperative_groups.*|device_launch_parameters\.h)";
const std::string kInterop = R"(cuda_gl_interop\.h|cudaGL\.h)";

struct Module {
  std::string name;
  std::vector<std::string> forbidden;
};

const std::array<Module, 2> kModules = {{
    {"sim", {"render/.*", "app/.*", "shaders/.*", kOpenGl, kWindow, kMaths, kPanel}},
    {"render", {"sim/.*", "app/.*", kWindow, kPanel, kCuda}},
}};

/// The only file that may include both CUDA and OpenGL.
constexpr std::string_view kInteropFile = "app/bridge/vertex_bridge_cuda.cpp";

/// Folders and files directly in a module, from top to bottom. A file may include its own layer and those below.
/// Entries in one layer are independent backends: they must not include each other.
struct Layers {
  std::string module;
  std::vector<std::vector<std::string>> layers;
};

const std::array<Layers, 2> kLayers = {{
    {"app",
     {{"main.cpp"},
      {"window"},
      {"panels"},
      {"bars"},
      {"widgets"},
      {"manual"},
      {"headless"},
      {"bench"},
      {"output"},
      {"overlay"},
      {"ui"},
      {"lessons"},
      {"cluster"},
      {"export"},
      {"plots"},
      {"bridge"},
      {"settings"},
      {"view"},
      {"base"}}},
    {"sim",
     {{"session"},
      {"run"},
      {"playback"},
      {"files"},
      {"analysis"},
      {"create.cpp", "auto_solver.cpp"},
      {"cpu", "cuda"},
      {"scenes"},
      {"solvers"},
      {"core"}}},
}};

bool is_source(const fs::path& path) {
  const std::string extension = path.extension().string();
  return extension == ".h" || extension == ".cpp" || extension == ".cu" || extension == ".cuh" || extension == ".inl";
}

std::vector<std::string> includes_of(const fs::path& path) {
  static const std::regex kInclude(R"(^\s*#\s*include\s*[<"]([^>"]+)[>"].*)");
  std::vector<std::string> includes;
  std::ifstream file(path);
  std::smatch match;
  for (std::string line; std::getline(file, line);) {
    if (std::regex_match(line, match, kInclude)) includes.push_back(match[1]);
  }
  return includes;
}

bool includes_any(const std::vector<std::string>& includes, const std::string& pattern) {
  return std::ranges::any_of(
      includes, [&](const std::string& include) { return std::regex_match(include, std::regex(pattern)); });
}

/// Source files below root/folder, as paths relative to root.
std::vector<fs::path> sources(const fs::path& root, const std::string& folder) {
  std::vector<fs::path> found;
  for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
    if (entry.is_regular_file() && is_source(entry.path())) found.push_back(fs::relative(entry.path(), root));
  }
  return found;
}

void check_modules(const fs::path& root, std::vector<std::string>& violations) {
  for (const Module& module : kModules) {
    for (const fs::path& path : sources(root, module.name)) {
      for (const std::string& include : includes_of(root / path)) {
        for (const std::string& pattern : module.forbidden) {
          if (includes_any({include}, pattern)) violations.push_back(path.string() + " includes " + include);
        }
      }
    }
  }
}

void check_interop(const fs::path& root, std::vector<std::string>& violations) {
  for (const fs::path& path : sources(root, "app")) {
    const std::vector<std::string> includes = includes_of(root / path);
    const bool both = includes_any(includes, kCuda) && includes_any(includes, kOpenGl);
    if ((both || includes_any(includes, kInterop)) && path != kInteropFile) {
      violations.push_back(path.string() + " includes both CUDA and OpenGL");
    }
  }
}

/// The folder or file of a path directly in its module: "cpu" for sim/cpu/a.h; empty for paths in other modules.
std::string entry_of(const fs::path& path, const std::string& module) {
  auto part = path.begin();
  if (part == path.end() || *part != module || ++part == path.end()) return {};
  return part->string();
}

/// Index in Layers::layers. A header counts as its source file: create.h has the layer of create.cpp.
std::optional<std::size_t> layer_of(const std::string& entry, const Layers& module) {
  const std::string source = fs::path(entry).extension() == ".h" ? fs::path(entry).stem().string() + ".cpp" : entry;
  const auto found = std::ranges::find_if(
      module.layers, [&](const std::vector<std::string>& layer) { return std::ranges::count(layer, source) > 0; });
  if (found == module.layers.end()) return std::nullopt;
  return static_cast<std::size_t>(found - module.layers.begin());
}

void check_layers(const fs::path& root, const Layers& module, std::vector<std::string>& violations) {
  for (const fs::path& path : sources(root, module.module)) {
    const std::string entry = entry_of(path, module.module);
    const auto layer = layer_of(entry, module);
    if (!layer) {
      violations.push_back(path.string() + " is in no layer of " + module.module);
      continue;
    }
    for (const std::string& include : includes_of(root / path)) {
      const std::string included = entry_of(include, module.module);
      if (included.empty() || included == entry) continue;
      const auto below = layer_of(included, module);
      if (!below || *below < *layer || (*below == *layer && fs::path(included).stem() != fs::path(entry).stem()))
        violations.push_back(path.string() + " includes " + include);
    }
  }
}

std::vector<std::string> violations(const fs::path& root) {
  std::vector<std::string> found;
  check_modules(root, found);
  check_interop(root, found);
  for (const Layers& module : kLayers) check_layers(root, module, found);
  return found;
}

/// A source tree with one file.
class PlantedTree {
 public:
  PlantedTree(const fs::path& file, const std::string& text)
      : root_(fs::temp_directory_path() / ("pericenter-layering-" + std::to_string(::getpid()))) {
    for (const char* module : {"sim", "render", "app"}) fs::create_directories(root_ / module);
    fs::create_directories((root_ / file).parent_path());
    std::ofstream(root_ / file) << text;
  }
  ~PlantedTree() { fs::remove_all(root_); }
  PlantedTree(const PlantedTree&) = delete;
  PlantedTree& operator=(const PlantedTree&) = delete;
  const fs::path& root() const { return root_; }

 private:
  fs::path root_;
};

TEST(Layering, HoldsInThisTree) {
  const fs::path root = PERICENTER_SOURCE_DIR;
  for (const char* module : {"sim", "render", "app"}) ASSERT_GT(sources(root, module).size(), 3u) << module;
  EXPECT_THAT(violations(root), testing::IsEmpty());
}

// A misspelled or removed folder would make the check of its layer meaningless.
TEST(Layering, NamesExistingFolders) {
  for (const Layers& module : kLayers)
    for (const std::vector<std::string>& layer : module.layers)
      for (const std::string& entry : layer)
        EXPECT_TRUE(fs::exists(fs::path(PERICENTER_SOURCE_DIR) / module.module / entry))
            << module.module << '/' << entry;
}

TEST(Layering, FindsForbiddenIncludesOfModules) {
  const std::array<std::array<const char*, 2>, 9> planted = {{
      {"sim/core/a.cpp", "#include \"render/camera.h\"\n"},
      {"sim/core/deep/a.h", "#include <GLFW/glfw3.h>\n"},
      {"sim/cuda/a.cu", "#if 0\n  #  include <glm/glm.hpp>  // why\n#endif\n"},
      {"sim/core/a.cpp", "#include \"imgui.h\"\n"},
      {"render/a.cpp", "#include \"sim/core/bodies.h\"\n"},
      {"render/a.cpp", "#include <cuda_runtime.h>\n"},
      {"render/a.h", "#include <backends/imgui_impl_glfw.h>\n"},
      {"app/base/a.cpp", "#include <glad/gl.h>\n#include <cuda_runtime.h>\n"},
      {"app/base/a.h", "#include <cuda_gl_interop.h>\n"},
  }};
  for (const auto& [file, text] : planted) {
    const PlantedTree tree(file, text);
    EXPECT_THAT(violations(tree.root()), testing::SizeIs(1)) << file << ":\n" << text;
  }
}

TEST(Layering, FindsUpwardIncludes) {
  const std::array<std::array<const char*, 2>, 8> planted = {{
      {"app/base/a.cpp", "#include \"app/settings/options.h\"\n"},
      {"app/ui/a.h", "#include \"app/panels/panels.h\"\n"},
      {"app/panels/a.cpp", "#include \"app/window/window.h\"\n"},
      {"sim/core/a.h", "#include \"sim/solvers/registry.h\"\n"},
      {"sim/files/hdf5/a.cpp", "#include \"sim/session/requests.h\"\n"},
      {"sim/scenes/a.cpp", "#include \"sim/create.h\"\n"},
      {"sim/cpu/a.cpp", "#include \"sim/cuda/a.h\"\n"},
      {"sim/core/a.cpp", "#include \"sim/unknown/a.h\"\n"},
  }};
  for (const auto& [file, text] : planted) {
    const PlantedTree tree(file, text);
    EXPECT_THAT(violations(tree.root()), testing::SizeIs(1)) << file << ":\n" << text;
  }
}

// Every pair of layers, so that no order in the table is untested.
TEST(Layering, FindsEveryUpwardInclude) {
  for (const Layers& module : kLayers) {
    for (std::size_t low = 1; low < module.layers.size(); ++low) {
      for (std::size_t high = 0; high < low; ++high) {
        const auto file_in = [&](const std::string& entry) {
          const fs::path path = fs::path(module.module) / entry;
          return path.has_extension() ? path : path / "a.h";
        };
        const fs::path from = file_in(module.layers[low].front()), to = file_in(module.layers[high].front());
        const auto found = [](const fs::path& file, const fs::path& include) {
          return violations(PlantedTree(file, "#include \"" + include.string() + "\"\n").root());
        };
        EXPECT_THAT(found(from, to), testing::SizeIs(1)) << from << " -> " << to;
        EXPECT_THAT(found(to, from), testing::IsEmpty()) << to << " -> " << from;
      }
    }
  }
}

TEST(Layering, FindsFilesOutsideTheFolders) {
  for (const char* file : {"app/a.cpp", "sim/a.h", "sim/misc/a.cpp"}) {
    const PlantedTree tree(file, "");
    EXPECT_THAT(violations(tree.root()), testing::SizeIs(1)) << file;
  }
}

TEST(Layering, AllowsTheRest) {
  const std::array<std::array<const char*, 2>, 6> planted = {{
      {"sim/cuda/a.cu", "#include <cuda_runtime.h>\n#include <cub/cub.cuh>\n#include \"sim/core/vec.h\"\n"},
      {"render/a.cpp", "#include <glad/gl.h>\n#include <glm/glm.hpp>\n"},
      {"app/base/a.cpp",
       "#include <GLFW/glfw3.h>\n#include <glad/gl.h>\n#include <imgui.h>\n#include \"sim/core/bodies.h\"\n"},
      {"app/bridge/vertex_bridge_cuda.cpp", "#include <glad/gl.h>\n#include <cuda_gl_interop.h>\n"},
      {"sim/create.cpp", "#include \"sim/create.h\"\n#include \"sim/cpu/a.h\"\n#include \"sim/cuda/a.h\"\n"},
      {"app/window/a.cpp", "#include \"app/base/format.h\"\n#include \"app/window/b.h\"\n"},
  }};
  for (const auto& [file, text] : planted) {
    const PlantedTree tree(file, text);
    EXPECT_THAT(violations(tree.root()), testing::IsEmpty()) << file << ":\n" << text;
  }
}

}  // namespace
