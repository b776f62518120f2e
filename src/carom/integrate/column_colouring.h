// Columns of a sparse matrix that share no row can be differenced together.
//
// Curtis, Powell & Reid, "On the estimation of sparse Jacobian matrices", J. Inst.
// Math. Appl. 13 (1974) 117-119: give every column the smallest colour that no
// column with a common row has; one evaluation per colour then yields all columns.
#pragma once

#include <vector>

#include "carom/integrate/system.h"

namespace carom {

/// The pattern with every diagonal entry present and rows ascending in each column.
SparsePattern with_diagonal(const SparsePattern& pattern);

struct ColumnColouring {
  std::vector<int> start;    ///< of each colour in `columns`; one more at the end
  std::vector<int> columns;  ///< ordered by colour
  int count() const { return static_cast<int>(start.size()) - 1; }
};

ColumnColouring colour_columns(const SparsePattern& pattern);

}  // namespace carom
