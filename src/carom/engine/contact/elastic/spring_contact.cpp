#include "carom/engine/contact/elastic/spring_contact.h"

#include <algorithm>
#include <cmath>

#include "carom/base/index.h"
#include "carom/contact/spring_terms.h"
#include "carom/geometry/core_kinds.h"

namespace carom {
namespace {

bool is_half_space(const ShapePiece& c) { return c.core.kind == &core_half_space; }

/// Of the body that lends the face: its plane, with the rounding.
struct FacePlane {
  Vec3 n_W, p_W;
};
FacePlane plane_of(const ShapePiece& c, const SpringBody& body, const Pose& X, std::int32_t face) {
  const double q = c.core.rounding;
  if (face < 0) {
    const Vec3 n = X.R.col(2);
    return {n, X.p + q * n};
  }
  const SpringFace& f = body.faces[at(face)];
  const Vec3 n = X.R * f.normal;
  return {n, X.p + (f.offset + q) * n};
}

/// A body and its place.
struct Side {
  const ShapePiece& piece;
  const SpringBody& body;
  const Pose& X;
};
Side side_a(const PairState& s) { return {s.PA, *s.springs_a, s.X_WA}; }
Side side_b(const PairState& s) { return {s.PB, *s.springs_b, s.X_WB}; }

/// The face of a body that looks most along d, and the cosine of the angle between.
struct Facing {
  std::int32_t face = -1;
  double cosine = -1.0, area = 0.0;
};
Facing facing(const Side& side, const Vec3& d_W) {
  Facing best;
  const Vec3 d = transpose_times(side.X.R, d_W);
  for (std::size_t i = 0; i < side.body.faces.size(); ++i) {
    const SpringFace& f = side.body.faces[i];
    const double c = dot(f.normal, d);
    if (c > best.cosine) best = {static_cast<std::int32_t>(i), c, f.area};
  }
  return best;
}

/// The rim that bounds a face, if that is a whole disc.
const SpringRim* disc_of(const SpringBody& body, std::int32_t face) {
  for (const SpringRim& r : body.rims) {
    if (r.face == face && !r.is_half) return &r;
  }
  return nullptr;
}

/// Whether a point lies over a face, rounding of its border included.
bool is_over(const Side& lender, std::int32_t face, const Vec3& p_W) {
  const SpringFace& f = lender.body.faces[at(face)];
  const Vec3 p = transpose_times(lender.X.R, p_W - lender.X.p);
  const double margin = lender.body.rounding + 1e-9 * lender.piece.reach;
  if (const SpringRim* rim = disc_of(lender.body, face)) {
    const Vec3 r = p - rim->centre;
    return std::hypot(dot(r, rim->u), dot(r, rim->v)) <= rim->radius + margin;
  }
  for (std::uint32_t i = 0; i < f.count; ++i) {
    const Vec3 &a = lender.body.corners[lender.body.loop[f.first + i]].p,
               &b = lender.body.corners[lender.body.loop[f.first + (i + 1) % f.count]].p;
    const Vec3 outward = normalized(cross(b - a, f.normal));
    if (dot(outward, p - a) > margin) return false;
  }
  return f.count > 0;
}

/// Whether all that presses, and would press a little deeper, lies over the face.
bool stays_inside(const PairState& s, const SpringBase& base) {
  const Side lender = base.kind == SpringBase::a_on_b ? side_b(s) : side_a(s);
  ContactSprings springs;
  find_springs(s, base, 1e-5 * std::min(s.PA.reach, s.PB.reach), springs);
  for (int i = 0; i < springs.count; ++i) {
    const SpringPoint& p = springs.points[at(i)];
    if (p.depth > 0.0 && !is_over(lender, base.face, p.p_W)) return false;
  }
  return springs.count > 0;
}

/// Of flat faces, as far as there are such.
const SpringBody& facets_of(const SpringBody& body) {
  return body.facets.empty() ? body : body.facets.front();
}

/// Whether springs over the border of a face are known: of bodies of flat faces in any pose, of
/// those with round ends where a flat end lies nearly on the face. Turned further, the corners that
/// stand for a rim would be felt.
bool reaches_over(const Side& own, const Side& lender, const SpringBase& base) {
  constexpr double kTurned = 0.1, kStillFlat = 0.2;
  if (!facets_of(own.body).is_faceted() || !facets_of(lender.body).is_faceted()) return false;
  if (own.body.is_faceted()) return true;
  const Vec3 n = lender.X.R * lender.body.faces[at(base.face)].normal;
  const double turned = base.is_bounded ? kStillFlat : kTurned;
  return facing(own, -n).cosine > 1.0 - 0.5 * turned * turned;
}

/// The springs of `own` on a face of `lender`; `points` where that is not known.
SpringBase on_face(const PairState& s, const Side& own, const Side& lender, SpringBase base,
                   bool is_face_contact) {
  const bool both_flat = own.body.is_faceted() && lender.body.is_faceted();
  if (!both_flat && !is_face_contact) return {};
  const bool is_known = both_flat || reaches_over(own, lender, base);
  if (base.is_bounded && is_known) return base;
  base.is_bounded = false;
  if (stays_inside(s, base)) return base;
  base.is_bounded = true;
  return is_known ? base : SpringBase{};
}

bool presses(const PairState& s, const SpringBase& base) {
  ContactSprings springs;
  find_springs(s, base, 0.0, springs);
  return springs.energy > 0.0;
}

/// Whether bodies of flat faces touch with the roundings of two edges or corners, where no face
/// looks along the normal. The plane of a face is met there before the bodies are, by
/// rounding (1 - cos): its springs would hold energy that nobody has put in.
bool meets_at_edges(const Side& A, const Side& B, double cosine) {
  constexpr double kFelt = 1e-6;
  if (!A.body.is_faceted() || !B.body.is_faceted()) return false;
  const double early = (A.body.rounding + B.body.rounding) * (1.0 - cosine);
  return early > kFelt * std::min(A.piece.reach, B.piece.reach);
}

/// Curved bodies that meet in a point, away from flat faces: springs of the two would move over
/// both. One ball where they are deepest, of the radius that Hertz gives the contact where it
/// begins, is an energy of the distance alone, and is kept; `points` where they touch along a line
/// or a patch.
SpringBase at_point(const PairState& s, const Contact& contact, const SpringBase* keep) {
  constexpr double kLine = 0.02, kPlainlyALine = 0.2, kBlunt = 1e-3;
  if (keep && keep->kind == SpringBase::points) return {};
  const double size = std::min(s.PA.reach, s.PB.reach);
  Manifold manifold;
  find_points(s, contact, manifold);
  const bool was_point = keep && keep->kind == SpringBase::point;
  if (manifold.length > (was_point ? kPlainlyALine : kLine) * size) return {};
  if (was_point) return *keep;
  manifold.length = manifold.width = manifold.area = 0.0;
  // Sharp edges count as blunt as bodies sink in at most, for all depths alike.
  const double k = unit_stiffness(s, contact, manifold, kBlunt * size).hertz;
  const double root = k / (4.0 / 3.0 * s.law.material.modulus);
  if (!(root > 0.0)) return {};
  return {SpringBase::point, -1, false, root * root};
}

void spring_at_point(const PairState& s, const SpringBase& base, double sunk, ContactSprings& out) {
  const Contact contact = find_contact(s);
  const double depth = sunk - contact.phi, modulus = s.law.material.modulus;
  out.clear(0.0);
  out.n_W = contact.n_AB_W;
  if (!(depth > 0.0) || contact.status != Status::ok) return;
  if (is_blunt(base.radius, depth)) out.note(true);
  const double force = modulus * ball_force(base.radius, depth);
  const Vec3 p = 0.5 * (contact.p_WCa + contact.p_WCb);
  out.energy = modulus * ball_energy(base.radius, Dual<1>(depth)).v;
  out.force_W = force * out.n_W;
  out.torque_W = cross(p - s.X_WB.p, out.force_W);
  out.add(p, depth, force);
}

/// Between the face that lends and the normal of the contact.
double cosine_of(const PairState& s, const SpringBase& base, const Contact& contact) {
  const bool b_lends = base.kind == SpringBase::a_on_b;
  const Side lender = b_lends ? side_b(s) : side_a(s);
  const Vec3 n = lender.X.R * lender.body.faces[at(base.face)].normal;
  return dot(n, b_lends ? -contact.n_AB_W : contact.n_AB_W);
}

}  // namespace

bool looks_aside(const PairState& s, const Contact& contact, const SpringBase& base) {
  // 0.03 rad: half as much again as a face may be turned that counts as lying on another (kLying),
  // so that faces which lie flat are not exchanged for each other.
  constexpr double kAside = 5e-4;
  // Of the bodies' size: stiff bodies are nowhere as deep, and of soft ones that are an exchange
  // would jump by more energy than their bank holds.
  constexpr double kDeep = 0.05;
  const bool has_face = base.kind == SpringBase::a_on_b || base.kind == SpringBase::b_on_a;
  if (!has_face || base.face < 0 || !(contact.phi < 0.0)) return false;
  if (!s.springs_a->is_faceted() || !s.springs_b->is_faceted()) return false;
  if (-contact.phi > kDeep * std::min(s.PA.reach, s.PB.reach)) return false;
  return cosine_of(s, base, contact) < 1.0 - kAside;
}

double depth_below_face(const PairState& s, const SpringBase& base) {
  const bool b_lends = base.kind == SpringBase::a_on_b;
  const Side own = b_lends ? side_a(s) : side_b(s), lender = b_lends ? side_b(s) : side_a(s);
  const FacePlane plane = plane_of(lender.piece, lender.body, lender.X, base.face);
  const double lowest = extent(own.piece.core, -transpose_times(own.X.R, plane.n_W));
  return dot(plane.n_W, plane.p_W - own.X.p) + lowest;
}

SpringBase choose_base(const PairState& s, const Contact& contact, const SpringBase* keep) {
  if (!s.law.normal->of_material) return {};
  if (is_half_space(s.PB) && s.springs_a->is_known()) return {SpringBase::a_on_b, -1};
  if (is_half_space(s.PA) && s.springs_b->is_known()) return {SpringBase::b_on_a, -1};
  const Side A = side_a(s), B = side_b(s);
  const auto is_ball = [](const SpringBody& b) {
    return b.is_smooth && !(norm2(b.half_axes) > 0.0);
  };
  if (!A.body.is_known() || !B.body.is_known()) return {};
  if (is_ball(A.body) && is_ball(B.body)) return {};  // exact as it is
  // A ball is softer on an edge than on a face. With one stiffness for both, two plates that meet
  // at a seam would carry it twice, and throw it up by a tenth of its depth.
  const auto is_ball_on_flat = [&](const SpringBody& ball, const SpringBody& other) {
    return is_ball(ball) && other.is_faceted();
  };
  if (is_ball_on_flat(A.body, B.body) || is_ball_on_flat(B.body, A.body)) return {};
  if (is_ball(A.body) || is_ball(B.body)) return at_point(s, contact, keep);
  const Facing of_a = facing(A, contact.n_AB_W), of_b = facing(B, -contact.n_AB_W);
  const bool at_edges = meets_at_edges(A, B, std::max(of_a.cosine, of_b.cosine));
  // A face that is kept may be turned further than the best one, so that a body that rocks does
  // not change it all the time; of two that lie on each other the larger one lends.
  constexpr double kKeep = 0.1, kParallel = 1e-3, kFlat = 1e-8, kStillFlat = 0.02;
  const bool had_face =
      keep && (keep->kind == SpringBase::a_on_b || keep->kind == SpringBase::b_on_a);
  if (had_face) {
    const bool b_lends = keep->kind == SpringBase::a_on_b;
    const Side &own = b_lends ? A : B, &lender = b_lends ? B : A;
    const double cosine = cosine_of(s, *keep, contact);
    if (cosine > std::max(of_a.cosine, of_b.cosine) - kKeep) {
      const SpringBase base = on_face(s, own, lender, *keep, cosine > 1.0 - kStillFlat);
      const bool carries = !at_edges || !(contact.phi < 0.0) || presses(s, base);
      if (base.kind != SpringBase::points && carries) return base;
    }
  }
  if (at_edges) return at_point(s, contact, had_face ? nullptr : keep);
  const bool b_first = std::abs(of_a.cosine - of_b.cosine) < kParallel ? of_b.area >= of_a.area
                                                                       : of_b.cosine > of_a.cosine;
  for (const bool b_lends : {b_first, !b_first}) {
    const Facing& f = b_lends ? of_b : of_a;
    if (f.face < 0) continue;
    const SpringBase base = on_face(s, b_lends ? A : B, b_lends ? B : A,
                                    {b_lends ? SpringBase::a_on_b : SpringBase::b_on_a, f.face},
                                    f.cosine > 1.0 - kFlat);
    if (base.kind != SpringBase::points) return base;
  }
  return at_point(s, contact, keep);
}

namespace {

void find_unscaled(const PairState& s, const SpringBase& base, double sunk, ContactSprings& out) {
  if (base.kind == SpringBase::point) return spring_at_point(s, base, sunk, out);
  const bool a_presses = base.kind == SpringBase::a_on_b;
  const Side own = a_presses ? side_a(s) : side_b(s), lender = a_presses ? side_b(s) : side_a(s);
  const double modulus = s.law.material.modulus;
  FacePlane plane = plane_of(lender.piece, lender.body, lender.X, base.face);
  if (base.is_bounded) {
    const Pose moved{lender.X.R, lender.X.p + sunk * plane.n_W};
    springs_on_face(facets_of(own.body), own.X, facets_of(lender.body), moved, base.face, modulus,
                    out);
    return;
  }
  plane.p_W += sunk * plane.n_W;
  springs_on_plane(own.body, own.X, plane.n_W, plane.p_W, modulus, out);
}

}  // namespace

void find_springs(const PairState& s, const SpringBase& base, double sunk, ContactSprings& out) {
  find_unscaled(s, base, sunk, out);
  if (base.scale == 1.0) return;
  out.energy *= base.scale, out.force_W *= base.scale, out.torque_W *= base.scale;
  for (int i = 0; i < out.count; ++i) out.points[at(i)].force *= base.scale;
}

void list_springs(const PairState&, const SpringBase& base, const ContactSprings& springs,
                  Manifold& m) {
  m.count = springs.count;
  m.n_AB_W = base.kind == SpringBase::a_on_b ? -springs.n_W : springs.n_W;
  m.length_direction_W = any_perpendicular(m.n_AB_W);
  m.area = m.length = m.width = 0.0;
  m.has_normals = false, m.springs = 1.0;
  double sum = 0.0;
  for (int i = 0; i < springs.count; ++i) sum += springs.points[at(i)].force;
  for (int i = 0; i < springs.count; ++i) {
    const SpringPoint& p = springs.points[at(i)];
    m.points[at(i)] = {p.p_W, -p.depth, p.force / sum, static_cast<std::uint32_t>(i)};
  }
}

double expected_depth_of_springs(const PairState& s, double depth, double weight, double kinetic,
                                 ContactSprings& springs) {
  double low = 1e-15, high = std::min(s.PA.reach, s.PB.reach);
  for (int i = 0; i < 50; ++i) {  // bisection of the logarithm
    const double d = std::sqrt(low * high);
    find_springs(s, s.pair.base, d - depth, springs);
    const bool holds = springs.energy > kinetic && norm(springs.force_W) > weight;
    (holds ? high : low) = d;
  }
  return high;
}

void calc_spring_forces(const PairState& s, double normal_state, ContactScratch& scratch) {
  find_springs(s, s.pair.base, 0.0, scratch.springs);
  scratch.sides = 31 * scratch.sides + scratch.springs.sides;
  list_springs(s, s.pair.base, scratch.springs, scratch.manifold);
  const Manifold& m = scratch.manifold;
  const SpringBase::Kind kind = s.pair.base.kind;
  const bool is_ball = kind == SpringBase::point ||
                       (kind == SpringBase::a_on_b ? s.springs_a : s.springs_b)->is_smooth;
  constexpr double kNoDepth = 1e-40;
  double deepest = 0.0;
  for (int i = 0; i < m.count; ++i) deepest = std::max(deepest, -m.points[at(i)].phi);
  for (int i = 0; i < m.count; ++i) {
    const ManifoldPoint& p = m.points[at(i)];
    const double force = scratch.springs.points[at(i)].force;
    // Ends of a line may be above the plane, and yet carry a part of what its middle does. Where
    // all depths are lost in rounding, any will do: the law gets the force back.
    const double depth = std::max({-p.phi, 1e-3 * deepest, kNoDepth});
    scratch.velocity[at(i)] = relative_velocity(s, p.p_WC);
    NormalInput& in = scratch.normal_in[at(i)];
    in = {};
    in.depth = depth, in.depth_rate = -dot(m.n_AB_W, scratch.velocity[at(i)]);
    (is_ball ? in.hertz : in.linear) = force / (is_ball ? depth * std::sqrt(depth) : depth);
    in.weight = p.weight, in.state = normal_state;
    in.has_sphere = has_sphere(s);
  }
  const auto count = at(m.count);
  s.law.normal->evaluate({scratch.normal_in.data(), count}, s.law.material, s.law.normal_params,
                         s.pair.constants, {scratch.normal_out.data(), count});
}

Wrench spring_wrench(const PairState& s, const SpringBase& base, const ContactSprings& springs,
                     const Vec3& p) {
  const bool a_presses = base.kind == SpringBase::a_on_b;
  const Vec3& origin = a_presses ? s.X_WA.p : s.X_WB.p;
  const double sign = a_presses ? -1.0 : 1.0;
  return {sign * (springs.torque_W + cross(origin - p, springs.force_W)), sign * springs.force_W};
}

}  // namespace carom
