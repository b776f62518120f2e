#include "carom/engine/implicit/triangle_rows.h"

#include <algorithm>
#include <cmath>

#include "carom/engine/contact/triangles/triangle_sites.h"

namespace carom {
namespace {

using triangles::PatchLoad;

/// The patch nearest to a point where B is moved by `way` against the normal; null: none. At a rim
/// it is deeper by that.
const PatchLoad* patch_at(const PairState& s, const Contact& contact, double way,
                          const Vec3& near) {
  Pose X_WB = s.X_WB;
  X_WB.p -= way * contact.n_AB_W;
  TriangleScratch& scratch = *s.triangles;
  TrianglePieces& known = known_pieces(scratch, s.pair);
  if (known.is_current && known.X_WA == s.X_WA && known.X_WB == X_WB) {
    scratch.probe.patches = known.state.patches;
  } else {
    triangles::find_state(triangles::place_surfaces(place_a(s), {s.PB, X_WB}), 0.0,
                          scratch.intersection, scratch.probe, &known.near);
  }
  PatchLoad* found = nullptr;
  for (PatchLoad& p : scratch.probe.patches) {
    if (!(p.pressed > 0.0 || p.is_at_rim)) continue;
    if (!found || norm2(p.centre - near) < norm2(found->centre - near)) found = &p;
  }
  if (found && found->is_at_rim) triangles::remember_depth(way - contact.phi, *found);
  return found && found->pressed > 0.0 ? found : nullptr;
}

/// Four springs k/4 on a patch that press with F0 at its centre of pressure; `depth` of a patch
/// that does not touch yet is a gap.
void put_springs(const PatchLoad& patch, double F0, double k, double depth, PatchSprings& out) {
  out.normal = patch.normal;
  out.stiffness = 0.25 * k;
  // F0 (p - c) = 2 m1 a1 + 2 m2 a2 over the two arms, which are not parallel where there is an
  // area.
  const Vec3 &a = patch.spread[0], &b = patch.spread[1];
  const double aa = norm2(a), ab = dot(a, b), bb = norm2(b), det = aa * bb - ab * ab;
  const Vec3 off = patch.pressure_centre - patch.length_centre;
  std::array<double, 2> m{};
  if (det > 1e-12 * aa * bb && F0 > 0.0) {
    const double u = 0.5 * F0 * dot(a, off), v = 0.5 * F0 * dot(b, off);
    m = {(bb * u - ab * v) / det, (aa * v - ab * u) / det};
  }
  // Springs act where the bodies' own motion is the rate of the depth field, about where F0 is then
  // at the centre of pressure.
  Vec3 middle = patch.length_centre;
  if (F0 > 0.0) {
    middle = patch.pressure_centre;
    for (std::size_t j = 0; j < 2; ++j) middle -= 2.0 * m[j] / F0 * patch.turning_spread[j];
  }
  for (std::size_t i = 0; i < 4; ++i) {
    const double sign = i % 2 == 0 ? 1.0 : -1.0;
    out.points[i] = middle + sign * patch.turning_spread[i / 2];
    out.depths[i] = depth + sign * m[i / 2] / out.stiffness;
  }
  out.centre = F0 > 0.0 ? patch.pressure_centre : patch.length_centre;
  out.radius = 0.5 * (norm(patch.arm[0]) + norm(patch.arm[1]));
}

/// The factor of (2), from the patch and what it is a little farther on.
double energy_over_springs(const PatchLoad& here, const PatchLoad& there, double way, double k,
                           double F0) {
  constexpr double kSteepest = 0.75;  // s A' / A (a + 1)^-1 of what is sharper than a cone
  const double growth = (there.area - here.area) / way * here.depth / here.area;  // a / (a + 1)
  const double s = here.depth / (1.0 - std::clamp(growth, 0.0, kSteepest));
  const double p = std::clamp(k * s / F0, 1.0, 2.0);
  return 2.0 * p / (p + 1.0);
}

}  // namespace

bool find_patch_springs(const PairState& s, const Contact& contact, double reach,
                        PatchSprings& out) {
  constexpr double kLeastShare = 0.02;  // of the depth, over which a chord is taken at rest
  constexpr int kHalvings = 12;
  // (2) from one place to the next goes up and down with the facets, and what a bank has once lost
  // it does not get back: 3 % of a bounce of two balls of 1,000 triangles.
  constexpr double kSpare = 1.1;
  const double K = pressure_factor(s.law), phi = contact.phi;
  const Vec3 middle = 0.5 * (contact.p_WCa + contact.p_WCb);
  const double way = -s.triangles->step * dot(contact.n_AB_W, relative_velocity(s, middle));
  if (phi >= 0.0) {
    double come = way > phi ? way : phi + std::max(reach, 1e-9 * std::min(s.PA.reach, s.PB.reach));
    const PatchLoad* patch = patch_at(s, contact, come, middle);
    // A way longer than the body leads to where it is wholly inside.
    for (int i = 0; i < kHalvings && !patch; ++i) {
      come = 0.5 * (phi + come);
      patch = patch_at(s, contact, come, middle);
    }
    if (!patch) return false;
    put_springs(*patch, 0.0, K * patch->pressed / (come - phi), -phi, out);
    return true;
  }
  const PatchLoad* here = patch_at(s, contact, 0.0, middle);
  if (!here) return false;
  const PatchLoad own = *here;
  const double F0 = K * own.pressed, least = kLeastShare * own.depth;
  double step = std::abs(way) > least ? std::max(way, -0.5 * own.depth) : least;
  const PatchLoad* there = patch_at(s, contact, step, middle);
  if (!there) step = least, there = patch_at(s, contact, step, middle);
  const double flat = K * own.length;  // of a face, which gains no circumference
  const double k = there ? (K * there->pressed - F0) / step : flat;
  const double kept = std::clamp(k, 0.1 * flat, 10.0 * flat);
  put_springs(own, F0, kept, F0 / kept, out);
  if (there) out.energy = kSpare * energy_over_springs(own, *there, step, kept, F0);
  return true;
}

}  // namespace carom
