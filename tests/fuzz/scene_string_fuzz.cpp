#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "app/command_line.h"
#include "app/scene_string.h"

/// Any text is refused with a CommandLineError, or taken and written again as a string that says the same.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace pericenter::app;
  Options options;
  try {
    read_scene_string({reinterpret_cast<const char*>(data), size}, options);
  } catch (const CommandLineError&) {
    return 0;
  }
  Options again;
  read_scene_string(scene_string(options), again);
  if (scene_string(again) != scene_string(options)) std::abort();
  return 0;
}
