// Pages without what they show, embedded at build time: that of runs, made from apps/viewer/web,
// and that of studies, apps/viewer/sweep.
#pragma once

#include <string_view>

namespace carom::viewer {

std::string_view page_template();
std::string_view sweep_template();

}  // namespace carom::viewer
