#include "tests/support/paths.h"

namespace pericenter::test {

const char* const kProgram = PERICENTER_BINARY_FOLDER "/bin/pericenter";
const char* const kFixturesFolder = PERICENTER_SOURCE_FOLDER "/tests/sim/files/fixtures";
const char* const kCorpusFolder = PERICENTER_SOURCE_FOLDER "/tests/fuzz/corpus";
const char* const kTextsFolder = PERICENTER_SOURCE_FOLDER "/tests/fuzz/texts";
const char* const kLessonsFolder = PERICENTER_SOURCE_FOLDER "/assets/lessons";
const char* const kGoldenFolder = PERICENTER_SOURCE_FOLDER "/tests/render/golden";
const char* const kOutputFolder = PERICENTER_BINARY_FOLDER "/tests/render";

}  // namespace pericenter::test
