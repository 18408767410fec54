#include "tests/fuzz/try_text.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  for (const pericenter::test::TextTrial& trial : pericenter::test::kTextTrials)
    if (trial.name == TEXT) trial.accepts({reinterpret_cast<const char*>(data), size});
  return 0;
}
