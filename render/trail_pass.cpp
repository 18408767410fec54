#include "render/trail_pass.h"

namespace pericenter::render {

TrailPass::TrailPass(const ShaderLibrary& library) {
  build(library);
}
void TrailPass::build(const ShaderLibrary& /*library*/) {}
void TrailPass::record(const Stars& /*stars*/, double /*time*/, const TrailSettings& /*settings*/) {}
void TrailPass::forget() {}
void TrailPass::draw(const TrailSettings& /*settings*/) const {}

}  // namespace pericenter::render
