#include "app/output/annotator.h"

#include <backends/imgui_impl_opengl3.h>
#include <algorithm>
#include <stdexcept>

#include "app/ui/imgui_versions.h"

namespace pericenter::app {
namespace {

constexpr float kReferenceHeight = 720;  // height in pixels of text scale 1

// ImGui needs fonts of at least a pixel, and OpenGL limits the size of their texture: outside these scales the text is
// drawn with fonts of another size.
constexpr float kMinFontScale = 0.25f, kMaxFontScale = 8;

/// Makes a context current in its scope.
class CurrentContext {
 public:
  explicit CurrentContext(ImGuiContext* context) : before_(ImGui::GetCurrentContext()) {
    ImGui::SetCurrentContext(context);
  }
  ~CurrentContext() { ImGui::SetCurrentContext(before_); }
  CurrentContext(const CurrentContext&) = delete;
  CurrentContext& operator=(const CurrentContext&) = delete;

 private:
  ImGuiContext* before_;
};

}  // namespace

Annotator::Annotator() {
  const CurrentContext none(nullptr);
  context_ = ImGui::CreateContext();
  ImGui::SetCurrentContext(context_);
  ImGui::GetIO().IniFilename = nullptr;
  if (imgui::init_opengl()) return;
  ImGui::DestroyContext(context_);
  throw std::runtime_error("cannot draw annotations: libGL.so.1 is missing; install the package libgl1");
}

Annotator::~Annotator() {
  const CurrentContext before(ImGui::GetCurrentContext());
  ImGui::SetCurrentContext(context_);
  ImGui_ImplOpenGL3_Shutdown();
  ImGui::DestroyContext(context_);
}

void Annotator::draw(const render::Tile& tile, const Drawing& drawing, float projector_size) {
  const CurrentContext current(context_);
  ImGui_ImplOpenGL3_NewFrame();
  const float scale = static_cast<float>(tile.whole.y) / kReferenceHeight;
  const float font_scale = std::clamp(scale, kMinFontScale, kMaxFontScale);
  const ProjectorSizes sizes = projector_sizes(static_cast<float>(tile.whole.y), projector_size);
  if (font_scale != font_scale_ || sizes != fonts_.sizes) {
    font_scale_ = font_scale;
    fonts_ = upload_style(font_scale, Theme::dark, sizes);  // the drawing sets its own colours
  }
  const auto size = [](glm::ivec2 pixels) {
    return ImVec2(static_cast<float>(pixels.x), static_cast<float>(pixels.y));
  };
  const ImVec2 low = size(-tile.first), high = size(tile.whole - tile.first);
  ImGui::GetIO().DisplaySize = size(tile.size);
  ImGui::GetIO().DeltaTime = 1;  // no animation
  ImGui::NewFrame();
  drawing(*ImGui::GetBackgroundDrawList(), fonts_, scale, low, high);
  ImGui::Render();
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

}  // namespace pericenter::app
