#include "carom/proximity/piece_contacts.h"

#include "carom/geometry/core_kinds.h"
#include "carom/proximity/finder.h"
#include "carom/proximity/flat_face.h"
#include "carom/proximity/piece_pairs.h"

namespace carom {
namespace {

// Witness points this part of the size away from a piece count as on it.
constexpr double kOnPiece = 1e-9;

/// Is the point of a contact on this piece of the same shape, without rounding?
bool touches(const Core& piece, const Pose& X_WS, const Vec3& p_W) {
  const Core point = make_point_core({}, 0.0);
  Core bare = piece;
  bare.rounding = 0.0;
  const Contact c = distance(point, {{}, p_W}, bare, X_WS);
  return c.phi <= kOnPiece * bounding_radius(bare);
}

/// A set of pieces on one side of the contacts.
struct Side {
  std::span<const Core> cores;
  const Pose& X_WS;
  bool is_a;

  std::uint32_t piece(const PieceContact& c) const { return is_a ? c.piece_a : c.piece_b; }
  std::uint32_t other(const PieceContact& c) const { return is_a ? c.piece_b : c.piece_a; }
  /// The point of the core, below the rounding.
  Vec3 witness(const PieceContact& c) const {
    const double q = cores[piece(c)].rounding;
    return is_a ? c.contact.p_WCa - q * c.contact.n_AB_W : c.contact.p_WCb + q * c.contact.n_AB_W;
  }
};

/// Does a neighbour hold the point at which this contact touches, and is nearer there?
/// Of equal ones the first stays.
bool belongs_to_neighbour(const Side& side, const std::vector<PieceContact>& all, std::size_t at) {
  const PieceContact& c = all[at];
  const Vec3 p = side.witness(c);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const PieceContact& o = all[i];
    if (i == at || side.other(o) != side.other(c)) continue;
    const double equal = 1e-12 * (std::abs(c.contact.phi) + norm(p));
    const bool nearer =
        o.contact.phi < c.contact.phi - equal || (i < at && o.contact.phi <= c.contact.phi + equal);
    if (nearer && touches(side.cores[side.piece(o)], side.X_WS, p)) return true;
  }
  return false;
}

void remove_dropped(std::vector<PieceContact>& contacts) {
  std::erase_if(contacts, [](const PieceContact& c) { return c.dropped; });
}

void drop_seams(const Side& side, std::vector<PieceContact>& contacts) {
  if (side.cores.size() < 2) return;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    contacts[i].dropped = belongs_to_neighbour(side, contacts, i);
  }
  remove_dropped(contacts);
}

/// The same point, along the same normal?
bool coincide(const Contact& a, const Contact& b, double near) {
  return norm2(a.p_WCa - b.p_WCa) <= near * near && norm2(a.p_WCb - b.p_WCb) <= near * near &&
         norm2(a.n_AB_W - b.n_AB_W) <= kOnPiece * kOnPiece;
}

void merge_coincident(double near, std::vector<PieceContact>& contacts) {
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    for (std::size_t k = 0; k < i && !contacts[i].dropped; ++k) {
      contacts[i].dropped = coincide(contacts[k].contact, contacts[i].contact, near);
    }
  }
  remove_dropped(contacts);
}

}  // namespace

void find_contacts(const Shape& A, const Pose& X_WA, const Shape& B, const Pose& X_WB,
                   double margin, std::vector<PieceContact>& out) {
  out.clear();
  const auto cores_a = contact_cores(A), cores_b = contact_cores(B);
  visit_near(A, X_WA, B, X_WB, margin, [&](std::uint32_t i, std::uint32_t j, double&) {
    const Contact c = distance(cores_a[i], X_WA, cores_b[j], X_WB);
    if (c.status == Status::ok && c.phi <= margin) out.push_back({i, j, c});
  });
  std::sort(out.begin(), out.end(),
            [](const PieceContact& a, const PieceContact& b) { return a.key() < b.key(); });
  drop_seams({cores_a, X_WA, true}, out);
  drop_seams({cores_b, X_WB, false}, out);
  merge_coincident(kOnPiece * std::min(bounding_radius(A), bounding_radius(B)), out);
}

PieceContact nearest_contact(const Shape& A, const Pose& X_WA, const Shape& B, const Pose& X_WB) {
  const auto cores_a = contact_cores(A), cores_b = contact_cores(B);
  PieceContact best;
  if (A.surface || B.surface) {
    const auto piece = [](const Shape& s) {
      return s.surface ? make_piece(*s.surface, s.core) : make_piece(s.core, false);
    };
    ShapePiece a = piece(A), b = piece(B);
    prepare_for_smooth(a), prepare_for_smooth(b);
    best.contact.status = Status::recoverable;
    // Bodies with edges meet a flat surface by its face.
    Polytope prism;
    if (A.surface && has_edges(b)) prism = prism_below(*A.surface);
    if (B.surface && has_edges(a)) prism = prism_below(*B.surface);
    if (prism.dimension == 3) {
      Core face;
      face.kind = &core_polytope, face.data = &prism;
      best.contact = distance(A.surface ? face : a.core, X_WA, B.surface ? face : b.core, X_WB);
      return best;
    }
    if (!finder_smooth.handles(a, b)) return best;
    const Contact found = finder_smooth.find({a, X_WA}, {b, X_WB}, {}, nullptr);
    if (found.end == Contact::End::none) best.contact = found;
    return best;
  }
  best.contact = distance(cores_a[0], X_WA, cores_b[0], X_WB);
  if (best.contact.status != Status::ok) return best;
  const double first = best.contact.phi;
  visit_near(A, X_WA, B, X_WB, first, [&](std::uint32_t i, std::uint32_t j, double& limit) {
    const PieceContact c{i, j, distance(cores_a[i], X_WA, cores_b[j], X_WB)};
    const bool nearer = c.contact.phi < best.contact.phi ||
                        (c.contact.phi == best.contact.phi && c.key() < best.key());
    if (nearer) best = c, limit = best.contact.phi;
  });
  return best;
}

}  // namespace carom
