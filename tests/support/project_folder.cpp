#include "support/project_folder.h"

namespace carom::testing {

std::filesystem::path project_folder() { return CAROM_SOURCE_DIR; }

}  // namespace carom::testing
