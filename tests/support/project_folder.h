// Where the sources lie. In one small file of its own, so that the other objects of the tests do
// not depend on it, and a compiler cache serves every clone.
#pragma once

#include <filesystem>

namespace carom::testing {

std::filesystem::path project_folder();

}  // namespace carom::testing
