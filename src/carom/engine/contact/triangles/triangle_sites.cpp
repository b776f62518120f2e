#include "carom/engine/contact/triangles/triangle_sites.h"
#include "carom/engine/results/result_lines.h"

#include <algorithm>
#include <numbers>
#include <tuple>

#include "carom/base/index.h"
#include "carom/engine/contact/triangles/live_elements.h"
#include "carom/proximity/triangles/carried_patches.h"

namespace carom {
namespace {

bool is_before(const TrianglePieces& p, const ContactPair& pair) {
  return std::tie(p.piece_a, p.piece_b) < std::tie(pair.piece_a, pair.piece_b);
}

TrianglePieces& entry_of(TriangleScratch& scratch, const ContactPair& pair) {
  auto at = std::lower_bound(scratch.pieces.begin(), scratch.pieces.end(), pair, is_before);
  if (at == scratch.pieces.end() || at->piece_a != pair.piece_a || at->piece_b != pair.piece_b) {
    at = scratch.pieces.insert(at, TrianglePieces{});
    at->piece_a = pair.piece_a, at->piece_b = pair.piece_b;
  }
  return *at;
}

bool lists_sites(const Workspace& w, const TrianglePieces& p) {
  const std::vector<ContactPair>& pairs = w.modes.contacts.pairs;
  return std::ranges::all_of(p.sites, [&](std::size_t i) {
    return pairs[i].piece_a == p.piece_a && pairs[i].piece_b == p.piece_b;
  });
}

/// Pieces that are near no more are forgotten when there are many of them.
void list_sites(const Workspace& w, TriangleScratch& scratch) {
  const std::vector<ContactPair>& pairs = w.modes.contacts.pairs;
  for (TrianglePieces& p : scratch.pieces) p.sites.clear();
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const ShapePiece& piece = w.model->contact.pieces[pairs[i].piece_a];
    if (piece.finder == &finder_triangles) entry_of(scratch, pairs[i]).sites.push_back(i);
  }
  if (scratch.pieces.size() > 2 * pairs.size() + 64) {
    std::erase_if(scratch.pieces, [](const TrianglePieces& p) { return p.sites.empty(); });
  }
  scratch.pair_count = pairs.size();
}

/// Of each patch the place of its site in p.sites; -1: it is left over.
const std::vector<int>& find_owners(const Workspace& w, TrianglePieces& p) {
  TriangleScratch& scratch = *w.contacts.triangles;
  scratch.site_homes.clear();
  for (const std::size_t i : p.sites) {
    const ContactPair& s = w.modes.contacts.pairs[i];
    scratch.site_homes.push_back({s.mode != ContactMode::apart, s.home});
  }
  return p.owners.find(p.state.patches, p.X_WA, scratch.site_homes);
}

/// With its depth by memory, where it is not measured.
const triangles::PatchLoad* remembered(const TrianglePieces& p, const ContactPair& pair,
                                       const triangles::PatchLoad* found,
                                       TriangleScratch& scratch) {
  if (!found || !found->is_at_rim || pair.mode == ContactMode::apart) return found;
  scratch.at_rim = *found;
  // Which side of a sheet the body is on, it was at the last step.
  const Vec3 n_W = p.X_WA.R * pair.warm.n_A;
  if (dot(scratch.at_rim.normal, n_W) < 0.0) scratch.at_rim.normal = -scratch.at_rim.normal;
  const Vec3 way = p.X_WB * pair.home_b - p.X_WA * pair.home;
  const double had = found->has_ends ? pair.depth : pair.volume / found->area;
  triangles::remember_depth(had - dot(scratch.at_rim.normal, way), scratch.at_rim);
  return &scratch.at_rim;
}

/// What is known beside of two pieces in just these places; null: nothing.
const TrianglePieces* find_known(const TriangleScratch& scratch, const ContactPair& pair,
                                 const Pose& X_WA, const Pose& X_WB) {
  const std::shared_ptr<const TriangleScratch> beside = scratch.beside.lock();
  if (!beside) return nullptr;
  const std::vector<TrianglePieces>& all = beside->pieces;
  const auto p = std::lower_bound(all.begin(), all.end(), pair, is_before);
  if (p == all.end() || p->piece_a != pair.piece_a || p->piece_b != pair.piece_b) return nullptr;
  const bool is_known = p->is_current && !p->is_carried && p->X_WA == X_WA && p->X_WB == X_WB;
  return is_known ? &*p : nullptr;
}

/// Patches of the two pieces where they are, by the surfaces themselves.
void detect(const Workspace& w, const ContactPair& pair, const PairState& s,
            TriangleScratch& scratch, TrianglePieces& p) {
  p.is_carried = false;
  if (const TrianglePieces* known = find_known(scratch, pair, s.X_WA, s.X_WB)) {
    p.state = known->state;
    if (s.law.elements.is_on) p.segments = known->segments;
    return;
  }
  const triangles::PieceSurfaces surfaces = triangles::place_surfaces(place_a(s), place_b(s));
  triangles::find_state(surfaces, watched_gap(w, pair), scratch.intersection, p.state, &p.near);
  ++scratch.detections;
  if (s.law.elements.is_on) {
    triangles::list_segments(surfaces, scratch.intersection, p.state, p.segments);
  }
}

/// The same by what was found where the step began.
void carry(const PairState& s, TrianglePieces& p) {
  const KeptPatches& kept = p.kept;
  const triangles::Motions since{s.X_WA * inverse(kept.X_WA), s.X_WB * inverse(kept.X_WB)};
  triangles::carry(kept.state, since, p.state);
  if (s.law.elements.is_on) triangles::carry(kept.segments, kept.state, since, p.segments);
  p.is_carried = true;
}

/// Whoever asks first after a step asks where the next begins.
void keep(const PairState& s, TrianglePieces& p) {
  KeptPatches& kept = p.kept;
  kept.is_held = true;
  kept.X_WA = p.X_WA, kept.X_WB = p.X_WB;
  kept.state = p.state;
  if (s.law.elements.is_on) kept.segments = p.segments;
}

/// Of a pair, at the kinematics last evaluated.
TrianglePieces& current_pieces(const Workspace& w, const ContactPair& pair) {
  TriangleScratch& scratch = *w.contacts.triangles;
  if (scratch.pair_count != w.modes.contacts.pairs.size()) list_sites(w, scratch);
  TrianglePieces* p = &entry_of(scratch, pair);
  if (!lists_sites(w, *p)) list_sites(w, scratch), p = &entry_of(scratch, pair);
  const PairState s = pair_state(w, pair);
  const bool keeps = s.law.detects_per_step && w.step.keeps_patches;
  if (!(p->is_current && p->X_WA == s.X_WA && p->X_WB == s.X_WB)) {
    p->X_WA = s.X_WA, p->X_WB = s.X_WB;
    p->is_current = true;
    p->owners.forget();
    if (keeps && p->kept.is_held) {
      carry(s, *p);
    } else {
      detect(w, pair, s, scratch, *p);
    }
  }
  if (keeps && !p->kept.is_held) keep(s, *p);
  return *p;
}

}  // namespace

void share_patches(const Workspace& w, const Workspace& observer) {
  const std::shared_ptr<TriangleScratch>&a = w.contacts.triangles, &b = observer.contacts.triangles;
  if (!a || !b || a == b || a->beside.lock() == b) return;
  a->beside = b, b->beside = a;
}

TrianglePieces& known_pieces(TriangleScratch& scratch, const ContactPair& pair) {
  return entry_of(scratch, pair);
}

void release_patches(Workspace& w) {
  if (!w.contacts.triangles) return;
  for (TrianglePieces& p : w.contacts.triangles->pieces) {
    if (!p.kept.is_held) continue;
    p.kept.is_held = false;
    if (p.is_carried) p.is_current = false;
  }
}

std::int64_t count_detections(const Workspace& w) {
  return w.contacts.triangles ? w.contacts.triangles->detections : 0;
}

void list_triangle_sites(Workspace& w) {
  if (!w.contacts.triangles) w.contacts.triangles = std::make_shared<TriangleScratch>();
  list_sites(w, *w.contacts.triangles);
}

double pressure_factor(const PairLaw& law) {
  constexpr double kLr = 8.0 * std::numbers::sqrt2 / (3.0 * std::numbers::pi);
  return 0.25 * kLr * law.material.modulus;
}

double watched_gap(const Workspace& w, const ContactPair& pair) {
  return 0.25 * smaller_reach(w.model->contact, pair);
}

const TrianglePieces& find_pieces(const Workspace& w, const ContactPair& pair) {
  return current_pieces(w, pair);
}

const triangles::PatchLoad* find_patch(const Workspace& w, const ContactPair& pair) {
  TrianglePieces& p = current_pieces(w, pair);
  if (p.state.patches.empty()) return nullptr;
  const std::vector<ContactPair>& pairs = w.modes.contacts.pairs;
  const std::vector<int>& owners = find_owners(w, p);
  const triangles::PatchLoad* found = nullptr;
  if (pair.mode != ContactMode::apart) {
    for (std::size_t j = 0; j < owners.size(); ++j) {
      if (owners[j] < 0) continue;
      const ContactPair& owner = pairs[p.sites[at(owners[j])]];
      if (owner.branch == pair.branch) found = &p.state.patches[j];
    }
    return remembered(p, pair, found, *w.contacts.triangles);
  }
  for (const std::size_t i : p.sites) {
    if (pairs[i].mode == ContactMode::apart && pairs[i].branch < pair.branch) return nullptr;
  }
  for (std::size_t j = 0; j < owners.size(); ++j) {
    const triangles::PatchLoad& patch = p.state.patches[j];
    if (owners[j] < 0 && (!found || patch.depth > found->depth)) found = &patch;
  }
  return found;
}

ContactPair* find_owner(Workspace& w, const ContactPair& pair, const Vec3& p_W) {
  TrianglePieces& p = current_pieces(w, pair);
  if (p.state.patches.empty()) return nullptr;
  const std::vector<int>& owners = find_owners(w, p);
  int owner = -1;
  double nearest = kInf;
  for (std::size_t j = 0; j < owners.size(); ++j) {
    const double d = norm2(p.state.patches[j].centre - p_W);
    if (d < nearest) nearest = d, owner = owners[j];
  }
  return owner < 0 ? nullptr : &w.modes.contacts.pairs[p.sites[at(owner)]];
}

}  // namespace carom
