// Pages of a study and of its runs.
#pragma once

#include <atomic>
#include <string>

#include "carom/sweep/sweep.h"

namespace carom::cli {

/// The page of the study beside its file; says where it is.
void write_sweep_page(const sweep::Workplace& place, const std::string& study_file);

/// The page of one run, made again: `which` is the number of a point, or the beginning of a key.
/// Returns the exit code.
int open_run(const sweep::Workplace& place, const std::string& study_file,
             const std::string& which);

/// Serves the study's page until a signal; runs' pages are made when asked for.
int view_study(const sweep::Workplace& place, int port, const std::atomic<bool>& ended);

/// Statistics and indices as text, or as one JSON document.
void print_analysis(const sweep::Workplace& place, bool json);

}  // namespace carom::cli
