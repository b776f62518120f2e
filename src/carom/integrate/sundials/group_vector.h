// A serial SUNDIALS vector whose weighted norm is that of group_norm.h.
#pragma once

#include "carom/integrate/group_norm.h"
#include "carom/integrate/sundials/handles.h"

namespace carom {

/// `norm` must outlive the vector and all its clones.
VectorHandle make_group_vector(std::size_t size, const GroupNorm& norm, SUNContext context);

std::span<double> values(N_Vector v);

}  // namespace carom
