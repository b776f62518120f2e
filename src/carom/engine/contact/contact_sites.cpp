#include "carom/engine/contact/contact_sites.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "carom/base/index.h"
#include "carom/engine/contact/contact_points.h"
#include "carom/geometry/core_kinds.h"
#include "carom/proximity/smooth/smooth_search.h"

namespace carom {
namespace {

/// Of the smaller piece: how far around it minima are sites at least. Points have no size.
constexpr double kMarginOfSize = 0.25, kMarginOfLarger = 1e-3;
/// Of two surfaces, whose minima are dearer to look for the farther around that is done.
constexpr double kMarginOfTwo = 0.05;
/// As of contact_search.cpp.
constexpr double kSpeedReserve = 1.5;

double site_margin(const ContactModel& model, const ContactPair& pair) {
  const ShapePiece &A = model.pieces[pair.piece_a], &B = model.pieces[pair.piece_b];
  const double a = A.reach, b = B.reach;
  const double larger = std::isfinite(std::max(a, b)) ? std::max(a, b) : std::min(a, b);
  const double share = A.smooth && B.smooth ? kMarginOfTwo : kMarginOfSize;
  return std::max(share * std::min(a, b), kMarginOfLarger * larger);
}

const ContactFinder& finder_for(const ContactModel& model, const ContactPair& pair) {
  return finder_of(model.pieces[pair.piece_a], model.pieces[pair.piece_b]);
}

bool is_of(const ContactPair& p, const ContactPair& q) {
  return p.piece_a == q.piece_a && p.piece_b == q.piece_b;
}

/// Where the surface is touched or nearest.
Vec3 place_of(const Contact& c) { return 0.5 * (c.p_WCa + c.p_WCb); }

/// A number that no site of `of` has, be it among `pairs` or among those known before.
std::uint32_t free_branch(const ContactPair& of, std::span<const ContactPair> pairs,
                          std::span<const ContactPair> before = {}) {
  std::uint32_t branch = 0;
  const auto is_taken = [&](const ContactPair& p) { return is_of(p, of) && p.branch == branch; };
  while (std::ranges::any_of(pairs, is_taken) || std::ranges::any_of(before, is_taken)) ++branch;
  return branch;
}

/// The sites of one pair of pieces in the present kinematics.
struct FoundSites {
  std::vector<ContactPair> pairs;
  std::vector<Vec3> places;
  double farthest = 0.0;
  double free = kInf;  ///< how far points may go before a minimum can have become two [m]
  /// The bodies touch along a line: any points of it stand for all.
  bool is_line = false;
};

/// A minimum with the smaller principal curvature k2 stays the only one of its surroundings, those
/// in which the gap is less than d above it, as long as T (2 d / k2)^(1/2) < k2 / 2 with the third
/// derivative T of the gap, of which the square of the largest curvature there is the measure.
/// Whatever touches after points have gone by d lies in such surroundings of one that was known.
double free_way(const Contact& c) {
  double largest = c.k1;
  for (const SurfaceCurvature& own : {c.own_a, c.own_b}) {
    largest = std::max(
        {largest, std::abs(own.xx) + std::abs(own.xy), std::abs(own.yy) + std::abs(own.xy)});
  }
  if (!(c.k2 > 0.0) || !std::isfinite(largest)) return 0.0;
  return c.k2 * c.k2 * c.k2 / (8.0 * std::pow(largest, 4));
}

Pose relative_pose(const Workspace& w, const ContactPair& pair) {
  const PairState s = pair_state(w, pair);
  return inverse(s.X_WA) * s.X_WB;
}

std::span<const DistanceCache> find_minima_of(Workspace& w, const ContactPair& pair,
                                              double margin) {
  std::vector<SiteMemory>& all = w.contacts.search.site_memory;
  const auto is_its = [&](const SiteMemory& m) {
    return m.a == pair.piece_a && m.b == pair.piece_b;
  };
  const auto found = std::ranges::find_if(all, is_its);
  SiteMemory& memory = found == all.end() ? all.emplace_back() : *found;
  const Pose X_AB = relative_pose(w, pair);
  const bool is_known = memory.margin == margin && std::ranges::equal(memory.X_AB.R.m, X_AB.R.m) &&
                        norm2(memory.X_AB.p - X_AB.p) == 0.0;
  if (is_known) return memory.minima;
  memory = {pair.piece_a, pair.piece_b, margin, X_AB, std::move(memory.minima)};
  memory.minima.clear();
  const PairState s = pair_state(w, pair);
  finder_for(w.model->contact, pair).find_sites(place_a(s), place_b(s), margin, memory.minima);
  return memory.minima;
}

FoundSites find_sites_of(Workspace& w, const ContactPair& pair, double margin) {
  const ContactModel& model = w.model->contact;
  FoundSites found;
  for (const DistanceCache& memory : find_minima_of(w, pair, margin)) {
    ContactPair site = pair;
    site.warm = memory;
    const Contact contact = find_contact(pair_state(w, site));
    found.farthest = std::max(found.farthest, contact.phi);
    found.free = std::min(found.free, free_way(contact));
    found.places.push_back(place_of(contact));
    found.pairs.push_back(site);
  }
  found.is_line = found.pairs.size() >= kMostMinima;
  // Along a line of contact one area stands for all: those of its points are the same one.
  if (found.is_line && model.pieces[pair.piece_a].has_area) {
    found.pairs.resize(1), found.places.resize(1);
  }
  return found;
}

/// Gap of the boxes at the last accepted state: no points of the pieces are nearer.
double box_gap(const Workspace& w, const ContactPair& pair) {
  const std::vector<BoundingBox>& boxes = w.contacts.search.boxes;
  const BoundingBox &a = boxes[pair.piece_a], &b = boxes[pair.piece_b];
  double gap2 = 0.0;
  for (std::size_t i = 0; i < 3; ++i) {
    const double gap = std::max({0.0, a.lower[i] - b.upper[i], b.lower[i] - a.upper[i]});
    gap2 += gap * gap;
  }
  return std::sqrt(gap2);
}

/// How far points of the smaller piece have gone, seen from the other, at most.
double way_since(const Workspace& w, const ContactPair& pair, const SiteReach& reach) {
  const ContactModel& model = w.model->contact;
  const ShapePiece &A = model.pieces[pair.piece_a], &B = model.pieces[pair.piece_b];
  const bool is_b = B.reach <= A.reach;
  const ShapePiece& piece = is_b ? B : A;
  const Pose X_AB = relative_pose(w, pair);
  const Pose now = is_b ? X_AB : inverse(X_AB), then = is_b ? reach.X_AB : inverse(reach.X_AB);
  double turned2 = 0.0;
  for (std::size_t i = 0; i < 9; ++i) {
    const double d = now.R.m[i] - then.R.m[i];
    turned2 += d * d;
  }
  return norm(now * piece.centre - then * piece.centre) + std::sqrt(0.5 * turned2) * piece.reach;
}

const SiteReach* find_reach(std::span<const SiteReach> all, const ContactPair& pair) {
  const auto is_its = [&](const SiteReach& r) {
    return r.a == pair.piece_a && r.b == pair.piece_b;
  };
  const auto found = std::ranges::find_if(all, is_its);
  return found == all.end() ? nullptr : &*found;
}

/// As far around as there is something, so that free flights take long steps.
FoundSites find_sites_around(Workspace& w, const ContactPair& pair) {
  constexpr double kGrowth = 4.0;
  const ContactModel& model = w.model->contact;
  const double least = site_margin(model, pair);
  const double sizes = model.pieces[pair.piece_a].reach + model.pieces[pair.piece_b].reach;
  const double most = kGrowth * (std::isfinite(sizes) ? sizes : 100.0 * least);
  FoundSites found;
  SiteReach reach{pair.piece_a, pair.piece_b, least, least, relative_pose(w, pair), 0.0};
  // Boxes that are apart say enough of what is far; to look for its minima is a hundred times
  // dearer.
  if (!(box_gap(w, pair) > least)) {
    double& margin = reach.searched;
    for (;; margin *= kGrowth) {
      found = find_sites_of(w, pair, margin);
      if (!found.pairs.empty() || !(margin < most)) break;
    }
    if (found.pairs.empty()) {
      // Of bodies that fit each other nothing is found, either: there is no one point.
      if (box_gap(w, pair) > 0.0) reach.free = margin - least;
    } else if (found.is_line) {  // of too many only the nearest are told
      margin = std::max(least, found.farthest);
    } else {
      reach.free = std::min(found.free, 0.25 * margin);
    }
    reach.margin = margin;
  }
  w.contacts.search.site_reach.push_back(reach);
  return found;
}

/// Whether every site of the pair is where it was followed to. One that was lost may have gone on
/// from another place: of a capsule that comes down on its other end, all at once.
bool are_there(const Workspace& w, const ContactPair& pair, std::span<const ContactPair> known) {
  return std::ranges::none_of(known, [&](const ContactPair& site) {
    return is_of(site, pair) && find_contact(pair_state(w, site)).end != Contact::End::none;
  });
}

/// Whether the minima that are known are all there are.
bool is_free(const Workspace& w, const ContactPair& pair, const SiteReach* last,
             std::span<const ContactPair> known) {
  return last && way_since(w, pair, *last) < last->free && are_there(w, pair, known);
}

/// Drops from `found` what `known` is, and tells whether there was such a one.
bool take_match(const Workspace& w, const ContactPair& known, FoundSites& found) {
  constexpr double kSame = 4e-6;
  const Contact contact = find_contact(pair_state(w, known));
  if (contact.end != Contact::End::none) return false;
  const double same = kSame * site_margin(w.model->contact, known);
  for (std::size_t i = 0; i < found.pairs.size(); ++i) {
    if (norm(found.places[i] - place_of(contact)) > same) continue;
    found.pairs.erase(found.pairs.begin() + static_cast<std::ptrdiff_t>(i));
    found.places.erase(found.places.begin() + static_cast<std::ptrdiff_t>(i));
    return true;
  }
  return false;
}

/// Where no other minimum can have appeared.
void keep_known_sites(Workspace& w, const ContactPair& pair, const SiteReach& last,
                      std::span<const ContactPair> old, std::vector<ContactPair>& out) {
  for (const ContactPair& known : old) {
    if (is_of(known, pair)) out.push_back(known);
  }
  w.contacts.search.site_reach.push_back(last);
  w.contacts.search.site_reach.back().margin = last.searched - way_since(w, pair, last);
}

/// All minima there are: those that are known keep their number, and no other one takes it.
void renew_sites(Workspace& w, const ContactPair& pair, std::span<const ContactPair> old,
                 std::vector<ContactPair>& out) {
  FoundSites found = find_sites_around(w, pair);
  const bool is_line = found.is_line;
  const std::size_t first = out.size();
  for (const ContactPair& known : old) {
    if (!is_of(known, pair)) continue;
    if (take_match(w, known, found) || known.mode != ContactMode::apart) out.push_back(known);
  }
  if (is_line && out.size() > first) return;
  for (ContactPair& site : found.pairs) {
    site.branch = free_branch(pair, out, old);
    out.push_back(site);
  }
}

double sound_way(const Workspace& w, const ContactPair& pair) {
  const SiteReach* reach = find_reach(w.contacts.search.site_reach, pair);
  return std::max(reach ? reach->margin : site_margin(w.model->contact, pair), box_gap(w, pair));
}

}  // namespace

bool has_sites(const ContactModel& model, PieceId piece_a, PieceId piece_b) {
  return finder_of(model.pieces[piece_a], model.pieces[piece_b]).find_sites != nullptr;
}

void expand_sites(Workspace& w, std::span<const ContactPair> old, std::vector<ContactPair>& pairs) {
  std::vector<ContactPair> out;
  const std::vector<SiteReach> before = std::exchange(w.contacts.search.site_reach, {});
  for (const ContactPair& pair : pairs) {
    if (pair.own >= 0 || !has_sites(w.model->contact, pair.piece_a, pair.piece_b)) {
      out.push_back(pair);
      continue;
    }
    const auto first = static_cast<std::ptrdiff_t>(out.size());
    const SiteReach* last = find_reach(before, pair);
    if (is_free(w, pair, last, old)) {
      keep_known_sites(w, pair, *last, old, out);
    } else {
      renew_sites(w, pair, old, out);
    }
    // What appeared within a step came last, whatever its number: unsorted, a site that is still
    // there would be taken for one that is missing, and press twice.
    std::ranges::sort(out.begin() + first, out.end(), {}, &ContactPair::branch);
  }
  pairs = std::move(out);
}

void append_new_sites(Workspace& w, std::span<const ContactPair> pairs,
                      std::vector<ContactPair>& known) {
  for (const ContactPair& pair : pairs) {
    if (is_free(w, pair, find_reach(w.contacts.search.site_reach, pair), known)) continue;
    FoundSites found = find_sites_of(w, pair, site_margin(w.model->contact, pair));
    const bool is_line = found.is_line;
    const auto is_known = [&](const ContactPair& k) { return is_of(k, pair); };
    if (is_line && std::ranges::any_of(known, is_known)) continue;
    for (const ContactPair& k : known) {
      if (is_of(k, pair)) take_match(w, k, found);
    }
    for (ContactPair& site : found.pairs) {
      site.branch = free_branch(pair, known);
      known.push_back(site);
    }
  }
}

bool passes_sites(const Workspace& w, const ContactPair& pair, double way) {
  return way > sound_way(w, pair);
}

double longest_step_of_sites(const Workspace& w) {
  const ContactModel& model = w.model->contact;
  double longest = kInf;
  if (!model.has_sites) return longest;
  const ContactSearch& s = w.contacts.search;
  for (const ShapePair& p : s.list.pairs) {
    const ShapePiece &PA = model.pieces[p.a], &PB = model.pieces[p.b];
    if (!has_sites(model, p.a, p.b) || model.law_of(PA.collider, PB.collider) < 0) continue;
    const auto turning = [&](const ShapePiece& piece) {
      const double spin = s.spin[piece.collider];
      return spin > 0.0 ? spin * piece.radius : 0.0;
    };
    const double speed =
        norm(s.velocity[PB.collider] - s.velocity[PA.collider]) + turning(PA) + turning(PB);
    ContactPair pair;
    pair.piece_a = p.a, pair.piece_b = p.b;
    if (speed > 0.0) longest = std::min(longest, sound_way(w, pair) / (kSpeedReserve * speed));
  }
  return longest;
}

std::vector<HollowPair> find_hollow_pairs(const ContactModel& model) {
  constexpr double kFits = 0.9;  // hollows are seen at the middles of cells only
  std::vector<HollowPair> found;
  if (!model.has_sites) return found;
  const auto n = static_cast<std::uint32_t>(model.colliders.size());
  for (std::uint32_t i = 0; i < n; ++i) {
    for (std::uint32_t j = i + 1; j < n; ++j) {
      const Collider &A = model.colliders[i], &B = model.colliders[j];
      if (A.count == 0 || B.count == 0 || model.law_of(i, j) < 0) continue;
      const ShapePiece &PA = model.pieces[A.first], &PB = model.pieces[B.first];
      if (!has_sites(model, A.first, B.first) || (PA.smooth && PB.smooth)) continue;
      if (!model.may_meet(i, j)) continue;
      const double conformity =
          PA.smooth ? calc_conformity(*PA.smooth, PB.core) : calc_conformity(*PB.smooth, PA.core);
      if (conformity > kFits) found.push_back({i, j, conformity});
    }
  }
  return found;
}

std::vector<SwallowedPair> find_swallowed_pairs(const Workspace& w) {
  const ContactModel& model = w.model->contact;
  std::vector<SwallowedPair> found;
  if (!model.has_sites) return found;
  for (const ShapePair& p : w.contacts.search.list.pairs) {
    const ShapePiece &PA = model.pieces[p.a], &PB = model.pieces[p.b];
    ContactPair pair;
    pair.piece_a = p.a, pair.piece_b = p.b, pair.a = PA.collider, pair.b = PB.collider;
    pair.law = model.law_of(pair.a, pair.b);
    if (pair.law < 0 || !has_sites(model, p.a, p.b) || (PA.smooth && PB.smooth)) continue;
    const auto is_known = [&](const ContactPair& known) { return is_of(known, pair); };
    if (std::ranges::any_of(w.modes.contacts.pairs, is_known)) continue;
    const PairState s = pair_state(w, pair);
    const bool is_first = PA.smooth != nullptr;
    const ShapePiece& body = is_first ? PB : PA;
    if (!std::isfinite(body.reach)) continue;
    const Pose X_AB = is_first ? inverse(s.X_WA) * s.X_WB : inverse(s.X_WB) * s.X_WA;
    const SmoothSurface& surface = is_first ? *PA.smooth : *PB.smooth;
    const Core middle = make_point_core(body.centre, 0.0);
    std::vector<SmoothMinimum> feet;
    find_minima(surface, {middle, X_AB}, 0.0, feet, surface.size());
    if (feet.empty()) continue;
    const SmoothMinimum& foot = *std::ranges::max_element(feet, {}, &SmoothMinimum::phi);
    const Vec3 down = transpose_times(X_AB.R, -foot.at.n);
    found.push_back({pair.a, pair.b, extent(body.core, down) - dot(down, body.centre) - foot.phi});
  }
  return found;
}

}  // namespace carom
