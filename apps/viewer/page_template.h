// The page without runs; made from apps/viewer/web at build time.
#pragma once

#include <string_view>

namespace carom::viewer {

std::string_view page_template();

}  // namespace carom::viewer
