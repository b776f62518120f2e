#include "carom/integrate/sundials/group_vector.h"

#include <nvector/nvector_serial.h>

#include <cstdlib>

#include "carom/integrate/sundials/vector_sums.h"

namespace carom {
namespace {

/// Begins like the content of a serial vector, so that all its operations work on it.
/// Allocated by malloc, because the serial vector's destructor frees it.
struct GroupContent {
  _N_VectorContent_Serial serial;
  const GroupNorm* norm;
};

GroupContent* content(N_Vector v) { return static_cast<GroupContent*>(v->content); }

double group_wrms_norm(N_Vector x, N_Vector w) {
  return (*content(x)->norm)(NV_DATA_S(x), NV_DATA_S(w));
}

bool give_content(N_Vector v, sunindextype length, bool with_data, const GroupNorm* norm) {
  auto* fresh = static_cast<GroupContent*>(std::malloc(sizeof(GroupContent)));
  if (fresh == nullptr) return false;
  v->content = fresh;
  fresh->serial = {length, SUNFALSE, nullptr};
  fresh->norm = norm;
  if (!with_data || length == 0) return true;
  const std::size_t bytes = static_cast<std::size_t>(length) * sizeof(double);
  fresh->serial.data = static_cast<double*>(std::malloc(bytes));
  fresh->serial.own_data = SUNTRUE;
  return fresh->serial.data != nullptr;
}

N_Vector clone(N_Vector v, bool with_data) {
  N_Vector copy = N_VNewEmpty(v->sunctx);
  if (copy == nullptr) return nullptr;
  N_VCopyOps(v, copy);
  if (give_content(copy, NV_LENGTH_S(v), with_data, content(v)->norm)) return copy;
  N_VDestroy(copy);
  return nullptr;
}

N_Vector clone_full(N_Vector v) { return clone(v, true); }
N_Vector clone_empty(N_Vector v) { return clone(v, false); }

}  // namespace

VectorHandle make_group_vector(std::size_t size, const GroupNorm& norm, SUNContext context) {
  const VectorHandle serial(N_VNewEmpty_Serial(static_cast<sunindextype>(size), context));
  VectorHandle v(N_VNewEmpty(context));
  N_VCopyOps(serial.get(), v.get());
  v->ops->nvclone = clone_full;
  v->ops->nvcloneempty = clone_empty;
  v->ops->nvwrmsnorm = group_wrms_norm;
  v->ops->nvlinearsum = sum_two;
  v->ops->nvlinearcombination = sum_many;
  v->ops->nvscaleaddmulti = add_to_many;
  give_content(v.get(), static_cast<sunindextype>(size), true, &norm);
  return v;
}

std::span<double> values(N_Vector v) {
  return {NV_DATA_S(v), static_cast<std::size_t>(NV_LENGTH_S(v))};
}

}  // namespace carom
