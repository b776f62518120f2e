#include "carom/proximity/pair_kernel.h"

namespace carom {

const PairKernel* find_kernel(const Minkowski& M) {
  for (const PairKernel* k : pair_catalogue()) {
    if (k->first == M.A->kind && k->second == M.B->kind) return k;
    if (k->first == M.B->kind && k->second == M.A->kind) return k;
  }
  return nullptr;
}

void set_active(ActiveSet& s, bool swapped, std::uint32_t first, const Vec3& x,
                std::uint32_t second, const Vec3& y, double weight) {
  ActivePiece& p = s.piece[s.count++];
  p.a = swapped ? y : x, p.b = swapped ? x : y, p.w = p.b - p.a;
  p.piece_a = swapped ? second : first, p.piece_b = swapped ? first : second;
  p.value = 0.0;
  p.weight = weight;
  p.moves_a = p.moves_b = false;
}

bool set_direction(bool swapped, const Vec3& x, const Vec3& y, Optimum& out) {
  const Vec3 w = swapped ? x - y : y - x;
  const double length = norm(w);
  // Below the smallest square that is exact the direction is not known.
  if (!(length > 1e-150)) return false;
  out.n = w / length;
  out.phi = length;
  out.face_a = out.face_b = false;
  return true;
}

}  // namespace carom
