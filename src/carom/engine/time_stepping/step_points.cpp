#include "carom/engine/time_stepping/step_points.h"

#include <algorithm>
#include <cmath>

#include "carom/base/index.h"
#include "carom/engine/contact/rigid/rigid_sites.h"
#include "carom/geometry/core_kinds.h"
#include "carom/proximity/finder.h"

namespace carom {
namespace {

/// Slopes up to which the corners of a face are points of their own: at least what elastic contact
/// takes, at most what leaves an edge an edge.
constexpr double kLeastTilt = 0.005, kMostTilt = 0.02;

bool is_plane(const ShapePiece& p) { return p.core.kind == &core_half_space; }

/// Whether corners over a plane are known: then each is exact, however the body is tilted.
bool has_corners(const ShapePiece& p) {
  return p.finder == &finder_convex && (p.core.kind == &core_box || p.core.kind == &core_simplex ||
                                        p.core.kind == &core_polytope);
}

void add_manifold(const Manifold& m, const Contact& contact, double reach,
                  std::vector<FoundPoint>& out) {
  double least = reach;
  for (std::size_t i = 0; i < at(m.count); ++i) {
    const ManifoldPoint& p = m.points[i];
    if (p.phi > reach) continue;
    out.push_back({p.feature, p.p_WC, m.normal_at(i), p.phi});
    least = std::min(least, p.phi);
  }
  // Corners of a patch may lie higher than where the bodies are nearest.
  constexpr double kHigher = 1e-3;
  constexpr std::uint32_t kNearest = 0xffffffffU;
  if (out.empty() || least > contact.phi + kHigher * std::abs(reach)) {
    out.push_back({kNearest, 0.5 * (contact.p_WCa + contact.p_WCb), contact.n_AB_W, contact.phi});
  }
}

}  // namespace

double find_step_points(Workspace& w, const ContactPair& pair, double reach,
                        std::vector<FoundPoint>& out) {
  out.clear();
  const PairState s = pair_state(w, pair);
  double least = kInf;
  if ((is_plane(s.PA) && has_corners(s.PB)) || (is_plane(s.PB) && has_corners(s.PA))) {
    std::vector<RigidSite>& sites = w.contacts.rigid.sites;
    find_sites(w, pair, sites);
    for (const RigidSite& site : sites) {
      if (site.phi > reach) continue;
      out.push_back({static_cast<std::uint32_t>(site.feature), site.p, site.n, site.phi});
      least = std::min(least, site.phi);
    }
    return least;
  }
  const Contact contact = find_contact(s);
  if (contact.status != Status::ok || contact.end != Contact::End::none) return kInf;
  if (!(contact.phi <= reach)) return kInf;
  Manifold& m = w.contacts.scratch.manifold;
  const bool is_convex = s.PA.finder == &finder_convex && s.PB.finder == &finder_convex;
  if (is_convex && !s.PA.is_round && !s.PB.is_round) {
    const double size = rigid_size(w, pair);
    const double tilt = std::clamp(reach / size, kLeastTilt, kMostTilt);
    find_manifold(s.PA.core, s.X_WA, s.PB.core, s.X_WB, contact, tilt, m);
  } else {
    find_points(s, contact, m);
  }
  add_manifold(m, contact, reach, out);
  return contact.phi;
}

}  // namespace carom
