#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <regex>
#include <string>
#include <string_view>
#include <vector>

// The arrows of the design: app -> render, app -> sim, and nothing else; read off the #include lines, those in
// branches of the preprocessor that this build does not take included.

namespace {

namespace fs = std::filesystem;

const std::string kOpenGl = R"((glad|GL|GLES3|EGL|KHR)/.*)";
const std::string kWindow = R"(GLFW/.*)";
const std::string kMaths = R"(glm/.*)";
const std::string kPanel = R"(imgui.*|backends/imgui.*|misc/.*)";
const std::string kCuda = R"(cuda.*|cub/.*|thrust/.*|nvtx.*|cooperative_groups.*|device_launch_parameters\.h)";
const std::string kInterop = R"(cuda_gl_interop\.h|cudaGL\.h)";

struct Room {
  std::string name;
  std::vector<std::string> forbidden;
};

const std::array<Room, 2> kRooms = {{
    {"sim", {"render/.*", "app/.*", "shaders/.*", kOpenGl, kWindow, kMaths, kPanel}},
    {"render", {"sim/.*", "app/.*", kWindow, kPanel, kCuda}},
}};

/// The only file that may name both CUDA and OpenGL.
constexpr std::string_view kJoint = "app/bridge/vertex_bridge_cuda.cpp";

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
  for (const std::string& include : includes) {
    if (std::regex_match(include, std::regex(pattern))) return true;
  }
  return false;
}

/// Source files below root/folder, as paths relative to root.
std::vector<fs::path> sources(const fs::path& root, const std::string& folder) {
  std::vector<fs::path> found;
  for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
    if (entry.is_regular_file() && is_source(entry.path())) found.push_back(fs::relative(entry.path(), root));
  }
  return found;
}

std::vector<std::string> violations(const fs::path& root) {
  std::vector<std::string> found;
  for (const Room& room : kRooms) {
    for (const fs::path& path : sources(root, room.name)) {
      for (const std::string& include : includes_of(root / path)) {
        for (const std::string& pattern : room.forbidden) {
          if (includes_any({include}, pattern)) found.push_back(path.string() + " includes " + include);
        }
      }
    }
  }
  for (const fs::path& path : sources(root, "app")) {
    const std::vector<std::string> includes = includes_of(root / path);
    const bool both = includes_any(includes, kCuda) && includes_any(includes, kOpenGl);
    if ((both || includes_any(includes, kInterop)) && path != kJoint) {
      found.push_back(path.string() + " includes both CUDA and OpenGL");
    }
  }
  return found;
}

/// A tree with one source file, to see that the check can fail.
class PlantedTree {
 public:
  PlantedTree(const fs::path& file, const std::string& text)
      : root_(fs::temp_directory_path() / ("pericenter-layering-" + std::to_string(::getpid()))) {
    for (const char* room : {"sim", "render", "app"}) fs::create_directories(root_ / room);
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

TEST(Layering, ArrowsHoldInThisTree) {
  const fs::path root = PERICENTER_SOURCE_DIR;
  for (const char* room : {"sim", "render", "app"}) ASSERT_GT(sources(root, room).size(), 3u) << room;
  for (const std::string& violation : violations(root)) ADD_FAILURE() << violation;
}

TEST(Layering, FindsWhatIsForbidden) {
  const std::array<std::array<const char*, 2>, 9> planted = {{
      {"sim/a.cpp", "#include \"render/camera.h\"\n"},
      {"sim/deep/a.h", "#include <GLFW/glfw3.h>\n"},
      {"sim/a.cu", "#if 0\n  #  include <glm/glm.hpp>  // why\n#endif\n"},
      {"sim/a.cpp", "#include \"imgui.h\"\n"},
      {"render/a.cpp", "#include \"sim/core/bodies.h\"\n"},
      {"render/a.cpp", "#include <cuda_runtime.h>\n"},
      {"render/a.h", "#include <backends/imgui_impl_glfw.h>\n"},
      {"app/a.cpp", "#include <glad/gl.h>\n#include <cuda_runtime.h>\n"},
      {"app/a.h", "#include <cuda_gl_interop.h>\n"},
  }};
  for (const auto& [file, text] : planted) {
    const PlantedTree tree(file, text);
    EXPECT_EQ(violations(tree.root()).size(), 1u) << file << ":\n" << text;
  }
}

TEST(Layering, AllowsWhatIsAllowed) {
  const std::array<std::array<const char*, 2>, 4> planted = {{
      {"sim/a.cu", "#include <cuda_runtime.h>\n#include <cub/cub.cuh>\n#include \"sim/core/vec.h\"\n"},
      {"render/a.cpp", "#include <glad/gl.h>\n#include <glm/glm.hpp>\n"},
      {"app/a.cpp",
       "#include <GLFW/glfw3.h>\n#include <glad/gl.h>\n#include <imgui.h>\n#include \"sim/core/bodies.h\"\n"},
      {"app/bridge/vertex_bridge_cuda.cpp", "#include <glad/gl.h>\n#include <cuda_gl_interop.h>\n"},
  }};
  for (const auto& [file, text] : planted) {
    const PlantedTree tree(file, text);
    EXPECT_TRUE(violations(tree.root()).empty()) << violations(tree.root()).front();
  }
}

}  // namespace
