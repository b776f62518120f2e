#include "carom/engine/contact/rigid/rigid_forms.h"

#include <algorithm>
#include <cmath>

namespace carom {
namespace {

RigidForm::Flat polygon_of(const RigidSolid& solid, const RigidSolid::Face& face) {
  RigidForm::Flat flat;
  flat.normal = face.normal, flat.origin = solid.vertices[face.loop[0]];
  for (const std::uint32_t i : face.loop) flat.from.push_back(solid.vertices[i]);
  flat.inward = face.inward;
  return flat;
}

RigidForm::Flat round_flat(const Vec3& origin, const Vec3& normal, const Vec3& half, double reach) {
  RigidForm::Flat flat;
  flat.normal = normal, flat.origin = origin, flat.half = half, flat.reach = reach;
  return flat;
}

RigidForm::Side side_of(const RigidDisc& first, const RigidDisc& last, const Vec3& half) {
  RigidForm::Side side;
  const Vec3 way = last.centre - first.centre;
  side.p = first.centre, side.length = norm(way), side.axis = way / side.length;
  side.e1 = first.e1, side.e2 = cross(side.axis, first.e1);
  side.r0 = first.radius, side.r1 = last.radius;
  side.slant = std::hypot(side.length, side.r0 - side.r1);
  side.sine = (side.r0 - side.r1) / side.slant, side.cosine = side.length / side.slant;
  side.half = half;
  return side;
}

RigidForm::Curve rim_of(const RigidDisc& disc, const Vec3& normal, const RigidForm::Side& side) {
  RigidForm::Curve curve;
  curve.is_rim = true;
  curve.disc = disc, curve.outward = normal, curve.half = side.half;
  curve.sine = side.sine, curve.cosine = side.cosine, curve.axis = side.axis;
  return curve;
}

/// A cylinder or a cone: two discs and what lies between them.
void add_frustum(RigidForm& form, const RigidDisc& first, const RigidDisc& last) {
  const RigidForm::Side side = side_of(first, last, {});
  for (const RigidDisc* disc : {&first, &last}) {
    const Vec3 normal = disc == &first ? -side.axis : side.axis;
    if (disc->radius == 0.0) {
      form.corners.push_back(disc->centre);
      continue;
    }
    form.flats.push_back(round_flat(disc->centre, normal, {}, disc->radius));
    form.curves.push_back(rim_of(*disc, normal, side));
  }
  form.sides.push_back(side);
}

/// Discs at the ends -x and x of both faces, those of the face -z first.
void add_beam(RigidForm& form, const std::vector<RigidDisc>& discs) {
  const double reach = discs[0].radius;
  const Vec3 to_x = 0.5 * (discs[1].centre - discs[0].centre);
  const Vec3 to_z = 0.5 * (discs[2].centre - discs[0].centre);
  const Vec3 x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};
  form.flats.push_back(round_flat(-to_z, -z, to_x, reach));
  form.flats.push_back(round_flat(to_z, z, to_x, reach));
  for (const double k : {-1.0, 1.0}) {
    const RigidForm::Side end = side_of(discs[k < 0.0 ? 0 : 1], discs[k < 0.0 ? 2 : 3], k * x);
    form.curves.push_back(rim_of(discs[k < 0.0 ? 0 : 1], -z, end));
    form.curves.push_back(rim_of(discs[k < 0.0 ? 2 : 3], z, end));
    form.sides.push_back(end);
    RigidForm::Flat flat;
    flat.normal = k * y, flat.origin = k * reach * y;
    flat.from = {flat.origin - to_x, flat.origin + to_x, flat.origin - to_z, flat.origin + to_z};
    flat.inward = {x, -x, z, -z};
    form.flats.push_back(flat);
    for (const double up : {-1.0, 1.0}) {
      RigidForm::Curve edge;
      edge.p = flat.origin - to_x + up * to_z, edge.d = x, edge.length = 2.0 * norm(to_x);
      edge.inward = {-k * y, -up * z}, edge.outward = k * y + up * z;
      if (edge.length > 0.0) form.curves.push_back(edge);
    }
  }
}

/// Gap along a unit vector from A to B.
double gap_along(const PairState& s, const RigidForm& A, const RigidForm& B, const Vec3& n) {
  return dot(n, s.X_WB.p - s.X_WA.p) - extent(A.core, transpose_times(s.X_WA.R, n)) -
         extent(B.core, transpose_times(s.X_WB.R, -n));
}

}  // namespace

RigidForm make_form(const RigidSolid& solid) {
  RigidForm form;
  form.radius = solid.radius, form.core = solid.core;
  form.corners = solid.vertices;
  for (const RigidSolid::Face& face : solid.faces) form.flats.push_back(polygon_of(solid, face));
  for (const RigidSolid::Edge& e : solid.edges) {
    RigidForm::Curve curve;
    curve.ends = e.ends, curve.p = solid.vertices[e.ends[0]];
    curve.d = e.direction, curve.length = e.length;
    for (std::size_t i = 0; i < 2; ++i) {
      if (e.faces[i] >= 0) curve.inward[i] = e.inward[i];
    }
    curve.outward = e.outward;
    form.curves.push_back(curve);
  }
  return form;
}

RigidForm make_form(const RigidRound& round) {
  RigidForm form;
  form.radius = round.rounding, form.core = round.core, form.is_round = true;
  if (round.discs.size() == 2) add_frustum(form, round.discs[0], round.discs[1]);
  if (round.discs.size() == 4) add_beam(form, round.discs);
  return form;
}

std::vector<std::shared_ptr<const RigidForm>> make_forms(
    const std::vector<std::shared_ptr<const RigidSolid>>& solids,
    const std::vector<std::shared_ptr<const RigidRound>>& rounds) {
  std::vector<std::shared_ptr<const RigidForm>> forms(rounds.size());
  if (std::ranges::all_of(rounds, [](const auto& r) { return r == nullptr; })) return forms;
  for (std::size_t i = 0; i < forms.size(); ++i) {
    if (rounds[i]) {
      forms[i] = std::make_shared<const RigidForm>(make_form(*rounds[i]));
    } else if (solids[i]) {
      forms[i] = std::make_shared<const RigidForm>(make_form(*solids[i]));
    }
  }
  return forms;
}

Contact form_distance(const PairState& s, const RigidForm& A, const RigidForm& B) {
  DistanceCache warm = s.pair.warm;  // the answer must not depend on the order of questions
  Contact c = distance(A.core, s.X_WA, B.core, s.X_WB, &warm);
  c.phi = gap_along(s, A, B, c.n_AB_W);
  const auto try_along = [&](const Vec3& n) {
    const double gap = gap_along(s, A, B, n);
    if (!(gap > c.phi)) return;
    c.phi = gap, c.n_AB_W = n;
    c.p_WCa = s.X_WA * surface_point(A.core, transpose_times(s.X_WA.R, n));
    c.p_WCb = c.p_WCa + gap * n;
  };
  for (const RigidForm::Flat& flat : A.flats) try_along(s.X_WA.R * flat.normal);
  for (const RigidForm::Flat& flat : B.flats) try_along(-(s.X_WB.R * flat.normal));
  return c;
}

}  // namespace carom
