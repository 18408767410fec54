#include "render/probe_pass.h"

namespace pericenter::render {

ProbePass::ProbePass(const ShaderLibrary& library) {
  build(library);
}
void ProbePass::build(const ShaderLibrary& /*library*/) {}
void ProbePass::set(const ProbeDrawing& /*drawing*/) {}
void ProbePass::draw(const BoxSettings& /*settings*/) const {}

}  // namespace pericenter::render
