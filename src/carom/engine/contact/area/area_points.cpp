#include "carom/engine/contact/area/area_points.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "carom/base/index.h"
#include "carom/engine/contact/contact_forces.h"
#include "carom/proximity/area/mesh_on_surface.h"
#include "carom/proximity/area/ring_pair.h"
#include "carom/proximity/finder.h"
#include "carom/proximity/thin_out.h"

namespace carom {
namespace {

/// The two closer to each other by `way` along the normal.
Contact moved_together(Contact contact, double way) {
  contact.phi -= way;
  contact.p_WCb -= way * contact.n_AB_W;
  return contact;
}

/// Other contacts of the same two surfaces, that press now.
std::size_t find_rivals(const Workspace& w, const PairState& s,
                        std::array<AreaRival, kMostMinima>& out) {
  std::size_t count = 0;
  if (!s.PA.smooth && !s.PB.smooth) return count;
  for (const ContactPair& p : w.modes.contacts.pairs) {
    if (p.piece_a != s.pair.piece_a || p.piece_b != s.pair.piece_b) continue;
    if (p.branch == s.pair.branch || p.mode == ContactMode::apart || count == out.size()) continue;
    const Contact other = find_contact(pair_state(w, p));
    if (!(other.phi < 0.0) || other.status != Status::ok) continue;
    out[count++] = rival_of(other, std::min(s.PA.reach, s.PB.reach));
  }
  return count;
}

void find_mesh_area(const PairState& s, const Contact& contact, double way, AreaPatch& patch) {
  Pose X_WB = s.X_WB;
  X_WB.p -= way * contact.n_AB_W;
  const bool is_first = s.PA.triangles != nullptr;
  const AreaMesh mesh{is_first ? *s.PA.triangles : *s.PB.triangles, is_first ? s.X_WA : X_WB};
  const ShapePiece& other = is_first ? s.PB : s.PA;
  const AreaBody body{other.core, is_first ? X_WB : s.X_WA, other.centre, other.reach,
                      other.smooth};
  if (!other.smooth) return find_mesh_area(mesh, body, is_first, patch);
  find_mesh_area_on_surface(mesh, body, way - contact.phi, is_first, patch);
}

bool is_ring(const PairState& s) {
  return s.PA.finder == &finder_ring || s.PB.finder == &finder_ring;
}

void find_ring_area(const PairState& s, const Contact& contact, double way, AreaPatch& patch) {
  Pose X_WB = s.X_WB;
  X_WB.p -= way * contact.n_AB_W;
  if (s.PA.finder == &finder_ring && s.PB.finder == &finder_ring) {
    return find_ring_pair_area({s.PA.ring_radius, s.PA.tube_radius, s.X_WA},
                               {s.PB.ring_radius, s.PB.tube_radius, X_WB}, patch);
  }
  if (s.PA.finder == &finder_ring) {
    return find_ring_area({s.PA.ring_radius, s.PA.tube_radius, s.X_WA}, X_WB, true, patch);
  }
  find_ring_area({s.PB.ring_radius, s.PB.tube_radius, X_WB}, s.X_WA, false, patch);
}

}  // namespace

void find_area(const Workspace& w, const PairState& s, const Contact& contact, double way,
               AreaPatch& patch) {
  if (s.PA.triangles || s.PB.triangles) return find_mesh_area(s, contact, way, patch);
  if (is_ring(s)) return find_ring_area(s, contact, way, patch);
  std::array<AreaRival, kMostMinima> rivals;
  const std::size_t count = way == 0.0 ? find_rivals(w, s, rivals) : 0;
  Pose X_WB = s.X_WB;
  X_WB.p -= way * contact.n_AB_W;
  find_area({s.PA.core, s.X_WA, s.PA.centre, s.PA.reach, s.PA.smooth},
            {s.PB.core, X_WB, s.PB.centre, s.PB.reach, s.PB.smooth}, moved_together(contact, way),
            s.law.area.order, patch, {rivals.data(), count});
}

void put_area(const AreaPatch& patch, const Contact& contact, PairState& s, Manifold& m) {
  m.count = patch.count;
  m.has_normals = patch.has_normals;
  m.points.make_room(at(patch.count));
  m.springs = 1.0;
  m.n_AB_W = contact.n_AB_W;
  m.length_direction_W = {};
  m.area = patch.area, m.length = m.width = 0.0;
  for (std::size_t i = 0; i < at(patch.count); ++i) {
    const AreaPoint& p = patch.points[i];
    m.points[i] = {p.p_W, -p.u, p.area / patch.area, static_cast<std::uint32_t>(i), p.n_W};
  }
  s.stiffness = ContactStiffness{s.pair.foundation * patch.area, 0.0};
  s.has_points = true;
}

void turn_to_mean_normal(const AreaPatch& patch, Contact& contact) {
  if (!patch.has_normals) return;
  Vec3 sum;
  for (std::size_t i = 0; i < at(patch.count); ++i) {
    sum += patch.points[i].area * patch.points[i].u * patch.points[i].n_W;
  }
  const double length = norm(sum);
  if (length > 0.0) contact.n_AB_W = sum / length;
}

Vec3 middle_of(const AreaPatch& patch) {
  Vec3 sum;
  for (std::size_t i = 0; i < at(patch.count); ++i) {
    sum += patch.points[i].area / patch.area * patch.points[i].p_W;
  }
  return sum;
}

double area_energy(const AreaPatch& patch, double foundation) {
  double sum = 0.0;
  for (std::size_t i = 0; i < at(patch.count); ++i) {
    sum += patch.points[i].area * patch.points[i].u * patch.points[i].u;
  }
  return 0.5 * foundation * sum;
}

double area_depth(const Workspace& w, const PairState& s, const Contact& contact) {
  constexpr int kHalvings = 24;  // of a logarithm: to 1e-6 of the depth
  const double mass = lighter_mass(w, s.pair);
  const double weight = mass * norm(w.parameters.gravity.uniform);
  const double kinetic = 0.5 * mass * s.pair.start.speed * s.pair.start.speed;
  if (!(std::isfinite(mass) && (weight > 0.0 || kinetic > 0.0))) return kInf;
  double low = 1e-15, high = std::min(s.PA.reach, s.PB.reach);
  AreaPatch patch;
  for (int i = 0; i < kHalvings; ++i) {
    const double d = std::sqrt(low * high);
    find_area(w, s, contact, d + contact.phi, patch);
    const bool holds = area_energy(patch, s.pair.foundation) > kinetic &&
                       s.pair.foundation * patch.volume > weight;
    (holds ? high : low) = d;
  }
  return high;
}

namespace {

/// Force of an elastic half space on a patch of area A and volume V, d deep:
///
///   F = c E* (A/pi)^1/2 d,   c = 2 for a flat punch, V = A d,                            (1)
///                            c = 4/(3 2^1/2) for a ball, A = 2 pi R d, V = A d/2
///
/// and between the two by how full the patch is.
double punch_force(const PairState& s, const AreaPatch& patch, double d) {
  constexpr double kBall = 0.9428090415820634, kPunch = 2.0;
  if (!(patch.volume > 0.0)) return 0.0;
  const double full = std::clamp(2.0 * patch.volume / (patch.area * d) - 1.0, 0.0, 1.0);
  return (kBall + full * (kPunch - kBall)) * s.law.material.modulus *
         std::sqrt(patch.area / std::numbers::pi) * d;
}

/// A mesh has no curvature that Hertz's force could be taken from, and a ring along a circle no
/// length.
double fitting_foundation_of_mesh(const Workspace& w, const PairState& s, const Contact& contact) {
  constexpr int kHalvings = 20;
  constexpr double kOfSize = 1e-3, kEnergy = 0.4;  // of force times way, as for balls
  const double mass = lighter_mass(w, s.pair), size = std::min(s.PA.reach, s.PB.reach);
  const double weight = mass * norm(w.parameters.gravity.uniform);
  const double kinetic = 0.5 * mass * s.pair.start.speed * s.pair.start.speed;
  const bool is_known = std::isfinite(mass) && (weight > 0.0 || kinetic > 0.0);
  double low = 1e-12 * size, high = is_known ? 0.5 * size : kOfSize * size;
  AreaPatch patch;
  for (int i = 0; i < kHalvings && is_known; ++i) {
    const double d = std::sqrt(low * high);
    find_area(w, s, contact, d + contact.phi, patch);
    const double force = punch_force(s, patch, d);
    (kEnergy * force * d > kinetic && force > weight ? high : low) = d;
  }
  find_area(w, s, contact, high + contact.phi, patch);
  return patch.volume > 0.0 ? punch_force(s, patch, high) / patch.volume : 0.0;
}

}  // namespace

double fitting_foundation(Workspace& w, const PairState& s, const Contact& contact) {
  if (s.PA.triangles || s.PB.triangles || is_ring(s))
    return fitting_foundation_of_mesh(w, s, contact);
  constexpr double kOfSize = 1e-3;  // where nothing says how deep
  double depth = expected_depth(w, s, contact);
  if (!std::isfinite(depth)) depth = kOfSize * std::min(s.PA.reach, s.PB.reach);
  Manifold& m = w.contacts.scratch.manifold;
  find_points(s, contact, m);
  const ContactStiffness k = unit_stiffness(s, contact, m, depth);
  AreaPatch patch;
  find_area(w, s, contact, depth + contact.phi, patch);
  return patch.volume > 0.0 ? depth * (k.linear + k.hertz * std::sqrt(depth)) / patch.volume : 0.0;
}

}  // namespace carom
