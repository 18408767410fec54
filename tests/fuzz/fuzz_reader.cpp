#include "tests/fuzz/try_reader.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  pericenter::test::try_reader(FORMAT, {data, size});
  return 0;
}
