// Which channels and rows of a result go into a page, so that it stays small.
//
// Rows: evenly over the run, and in addition those next to events and those at which a
// column has its least or greatest value, so that thinning hides no peak. Channels: all
// as long as the page can hold 600 rows of them; beyond that poses, contacts and
// energies first, the rest in their order as far as there is room.
#pragma once

#include "carom/record/result_file.h"

namespace carom::viewer {

struct PageBudget {
  std::size_t values = 2'400'000;     ///< numbers in a page: 1 to 2 bytes each when packed
  std::size_t peak_values = 100'000;  ///< numbers of peaks between rows
  std::size_t map_points = 150'000;   ///< of maps of contacts, 20 bytes each before packing
  std::size_t least_rows = 600;       ///< channels give way before rows become fewer than this
};

struct Thinned {
  Recording recording;
  std::size_t rows_before = 0;
  std::vector<std::string> left_out;  ///< channels
  std::size_t peaks_left_out = 0;
  std::size_t map_stride = 1;  ///< rows between two with maps of contacts
};

Thinned thin(const ResultFile& file, const PageBudget& budget = {});
Thinned thin(Recording recording, const PageBudget& budget = {});

}  // namespace carom::viewer
