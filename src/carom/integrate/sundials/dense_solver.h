// Factors dense matrices as SUNDIALS does, to the last bit, but in a third of the time where they
// are large, and gives up between columns where nobody waits for it any more (base/patience.h): a
// chain of 1500 links has a matrix of 3000 rows, whose factorisation takes seconds.
#pragma once

#include "carom/integrate/sundials/handles.h"

namespace carom {

/// For matrices of this size.
LinearSolverHandle make_dense_solver(sunindextype size, SUNContext context);

}  // namespace carom
