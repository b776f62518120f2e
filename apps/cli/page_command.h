// What `run` and `demo` share with `page`.
#pragma once

#include <memory>
#include <string>

#include "carom/engine/model.h"
#include "viewer/thinning.h"

namespace carom::cli {

/// Throws std::invalid_argument if `output` is one of the inputs.
void refuse_overwriting(const std::string& output, const std::vector<std::string>& inputs);

/// Writes the page of a run and says where it is.
void write_run_page(const viewer::Thinned& run, const std::shared_ptr<const Model>& model,
                    const std::string& path);

}  // namespace carom::cli
