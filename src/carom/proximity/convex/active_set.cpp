#include "carom/proximity/convex/active_set.h"

#include <algorithm>

namespace carom {
namespace {

int least_of(const double* weight, int count) {
  int least = 0;
  for (int i = 1; i < count; ++i) {
    if (weight[i] < weight[least]) least = i;
  }
  return least;
}

void remove_piece(ActiveSet& s, int i) { s.piece[i] = s.piece[--s.count]; }

/// The piece below all others, if there is one: it has to stay, for a step without it
/// would go where it is violated.
int violated_piece(const ActiveSet& s, double rounding) {
  int low = 0;
  for (int i = 1; i < s.count; ++i) {
    if (s.piece[i].value < s.piece[low].value) low = i;
  }
  for (int i = 0; i < s.count; ++i) {
    if (i != low && s.piece[i].value <= s.piece[low].value + rounding) return -1;
  }
  return low;
}

/// Which piece to drop when the one that must stay is the one that pulls: the one
/// without which the others push most evenly.
int other_than(const Minkowski& M, const Tangent& at, const ActiveSet& s, int stays) {
  int best = stays == 0 ? 1 : 0;
  double best_weight = -1e300;
  for (int leaving = 0; leaving < s.count; ++leaving) {
    if (leaving == stays) continue;
    ActiveSet trial = s;
    remove_piece(trial, leaving);
    Step d;
    if (!solve_set(reduce(M, at, trial), trial.count, d)) continue;
    const double weight = d.weight[least_of(d.weight, trial.count)];
    if (weight > best_weight) best_weight = weight, best = leaving;
  }
  return best;
}

ActivePiece make_piece(const Minkowski& M, const MinkowskiPoint& p, const ActiveSet& s) {
  ActivePiece q;
  q.value = 0.0, q.weight = 1.0;
  q.a = p.a, q.b = p.b, q.w = p.w, q.piece_a = p.piece_a, q.piece_b = p.piece_b;
  q.moves_a = M.kind_a->curved && !s.freeze_a;
  q.moves_b = M.kind_b->curved && !s.freeze_b;
  return q;
}

bool same_piece(const Minkowski& M, const ActiveSet& s, const ActivePiece& q,
                const MinkowskiPoint& p) {
  if (p.piece_a != q.piece_a || p.piece_b != q.piece_b) return false;
  const bool frozen = (M.kind_a->curved && s.freeze_a) || (M.kind_b->curved && s.freeze_b);
  return !frozen || norm2(q.w - p.w) <= 1e-24 * norm2(q.w);
}

/// A new piece enters a full set: the one leaves without which all others push.
void exchange(const Minkowski& M, const Tangent& at, const ActivePiece& entering, ActiveSet& s) {
  ActiveSet best = s;
  double best_weight = -1e300;
  for (int leaving = 0; leaving < 3; ++leaving) {
    ActiveSet trial = s;
    trial.piece[leaving] = entering;
    for (ActivePiece& p : trial.piece) p.weight = std::max(p.weight, 1e-9);
    Step d;
    if (!solve_set(reduce(M, at, trial), 3, d)) continue;
    const double weight = d.weight[least_of(d.weight, 3)];
    if (weight <= best_weight) continue;
    best_weight = weight, best = trial;
    for (int i = 0; i < 3; ++i) best.piece[i].weight = d.weight[i];
  }
  s = best;
}

}  // namespace

void solve_step(const Minkowski& M, const Tangent& at, ActiveSet& s, Step& d) {
  for (;;) {
    const Reduced r = reduce(M, at, s);
    const bool solved = solve_set(r, s.count, d);
    if (!solved) {
      for (int i = 0; i < s.count; ++i) d.weight[i] = s.piece[i].weight;
    }
    const int least = least_of(d.weight, s.count);
    if (solved && d.weight[least] >= -1e-13) {
      for (int i = 0; i < s.count; ++i) s.piece[i].weight = d.weight[i];
      return;
    }
    const bool must_stay = s.count > 1 && least == violated_piece(s, r.rounding);
    remove_piece(s, must_stay ? other_than(M, at, s, least) : least);
    for (int i = 0; i < s.count; ++i) s.piece[i].weight = std::max(s.piece[i].weight, 1e-9);
  }
}

bool contains(const Minkowski& M, const ActiveSet& s, const MinkowskiPoint& p) {
  for (int i = 0; i < s.count; ++i) {
    if (same_piece(M, s, s.piece[i], p)) return true;
  }
  return false;
}

void enter(const Minkowski& M, const Tangent& at, const MinkowskiPoint& p, ActiveSet& s) {
  ActivePiece q = make_piece(M, p, s);
  evaluate(M, at, q);
  q.weight = 0.0;
  if (s.count == 3) return exchange(M, at, q, s);
  s.piece[s.count++] = q;
}

void add_piece(const Minkowski& M, const MinkowskiPoint& p, double weight, ActiveSet& s) {
  for (int i = 0; i < s.count; ++i) {
    if (same_piece(M, s, s.piece[i], p)) {
      s.piece[i].weight += weight;
      return;
    }
  }
  if (s.count == 3) return;
  s.piece[s.count] = make_piece(M, p, s);
  s.piece[s.count++].weight = weight;
}

}  // namespace carom
