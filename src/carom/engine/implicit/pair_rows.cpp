#include "carom/engine/implicit/pair_rows.h"

#include <algorithm>
#include <cmath>

#include "carom/base/index.h"
#include "carom/contact/bristle.h"
#include "carom/engine/contact/contact_forces.h"
#include "carom/engine/contact/elastic/spring_contact.h"
#include "carom/engine/implicit/triangle_rows.h"
#include "carom/proximity/finder.h"

namespace carom {
namespace {

/// What a law answers to one point.
NormalOutput ask(const PairState& s, NormalInput in, double depth, double rate) {
  NormalOutput out;
  in.depth = depth, in.depth_rate = rate;
  s.law.normal->evaluate({&in, 1}, s.law.material, s.law.normal_params, s.pair.constants,
                         {&out, 1});
  return out;
}

/// Laws of the material have its force; of others a power of the depth is asked for. Damping that
/// grows with the elastic force is a factor of it, any other acts as at the depth `d`.
NormalRow row_of(const PairState& s, const NormalInput& in, double depth, double d) {
  NormalRow row;
  row.depth = depth;
  const NormalOutput one = ask(s, in, d, 0.0), two = ask(s, in, 2.0 * d, 0.0);
  if (s.law.normal->of_material) {
    row.linear = in.linear, row.hertz = in.hertz;
  } else if (one.elastic > 0.0) {
    NormalInput here = in;
    here.depth = d, here.depth_rate = 0.0;
    const double slope =
        elastic_slope(*s.law.normal, here, s.law.material, s.law.normal_params, s.pair.constants);
    row.exponent = std::clamp(d * slope / one.elastic, 1.0, 10.0);
    row.power = one.elastic / std::pow(d, row.exponent);
    if (row.exponent < 1.0 + 1e-9) row.linear = one.elastic / d, row.power = 0.0;
  }
  const double loss = ask(s, in, d, 1.0).force - one.elastic;
  const double loss_at_two = ask(s, in, 2.0 * d, 1.0).force - two.elastic;
  if (!(loss > 0.0)) return row;
  const double factor = loss / one.elastic, factor_at_two = loss_at_two / two.elastic;
  if (std::abs(factor - factor_at_two) <= 1e-6 * factor) {
    row.damping = factor;
  } else {
    row.viscous = loss;
  }
  return row;
}

/// Force of the springs moved together by `way`, over that of the points c.springs, which were
/// found with more: what they have there is stiffer.
double share_of_force(const PairState& s, const ContactSprings& points, double sunk, double way,
                      bool is_ball) {
  constexpr double kLeast = 1e-3;
  ContactSprings here;
  find_springs(s, s.pair.base, way, here);
  double force = 0.0, of_points = 0.0;
  for (int i = 0; i < here.count; ++i) force += here.points[at(i)].force;
  for (int i = 0; i < points.count; ++i) {
    const SpringPoint& p = points.points[at(i)];
    const double depth = p.depth - sunk + way;
    if (!(depth > 0.0)) continue;
    const double share = depth / p.depth;
    of_points += p.force * (is_ball ? share * std::sqrt(share) : share);
  }
  if (!(force > 0.0 && of_points > 0.0)) return 1.0;
  return std::clamp(force / of_points, kLeast, 1.0 / kLeast);
}

/// The points at which a rim presses are those of a quadrature, and are spread the wider the deeper
/// it is: the deepest of them lies higher than the body. All are lowered by that, or rows would
/// know of less overlap than there is.
void lower_to_depth(const PairState& s, double sunk, ContactSprings& springs) {
  const SpringBase& base = s.pair.base;
  if (base.kind == SpringBase::point || base.is_bounded) return;
  if ((base.kind == SpringBase::a_on_b ? s.springs_a : s.springs_b)->rims.empty()) return;
  const std::span points(springs.points.data(), at(springs.count));
  double deepest = -kInf;
  for (const SpringPoint& p : points) deepest = std::max(deepest, p.depth);
  const double lacking = depth_below_face(s, base) + sunk - deepest;
  if (!(lacking > 0.0)) return;
  for (SpringPoint& p : points) p.depth += lacking;
}

void find_spring_rows(const PairState& s, double sunk, double way, ContactScratch& c,
                      PairRows& out) {
  find_springs(s, s.pair.base, sunk, c.springs);
  lower_to_depth(s, sunk, c.springs);
  const SpringBase::Kind kind = s.pair.base.kind;
  out.normal = kind == SpringBase::a_on_b ? -c.springs.n_W : c.springs.n_W;
  const bool is_ball = kind == SpringBase::point ||
                       (kind == SpringBase::a_on_b ? s.springs_a : s.springs_b)->is_smooth;
  double deepest = 0.0, sum = 0.0;
  for (int i = 0; i < c.springs.count; ++i) {
    deepest = std::max(deepest, c.springs.points[at(i)].depth),
    sum += c.springs.points[at(i)].force;
  }
  const double share = share_of_force(s, c.springs, sunk, way, is_ball);
  // Springs press half-way between the surfaces, which have been moved; friction there would turn
  // a ball that rolls by as much less.
  const Vec3 back = kind == SpringBase::point ? Vec3{} : 0.5 * sunk * c.springs.n_W;
  for (int i = 0; i < c.springs.count; ++i) {
    const SpringPoint& p = c.springs.points[at(i)];
    const double depth = std::max(p.depth, 1e-3 * deepest);
    const double force = p.depth - sunk + way > 0.0 ? share * p.force : p.force;
    NormalInput in;
    (is_ball ? in.hertz : in.linear) = force / (is_ball ? depth * std::sqrt(depth) : depth);
    in.weight = p.force / sum;
    in.has_sphere = has_sphere(s);
    add_row(s, p.p_W - back, in, p.depth - sunk, out);
  }
}

bool find_surface_rows(const PairState& s, const Contact& contact, double reach, PairRows& out) {
  PatchSprings springs;
  if (!find_patch_springs(s, contact, reach, springs)) return false;
  out.normal = springs.normal;
  NormalInput in;
  in.linear = springs.stiffness, in.weight = 0.25;
  in.radius = combined_radius(s.A.contact_radius, s.B.contact_radius);
  in.has_sphere = has_sphere(s);
  for (std::size_t i = 0; i < springs.points.size(); ++i) {
    add_row(s, springs.points[i], in, springs.depths[i], out);
  }
  out.centre = springs.centre, out.radius = springs.radius, out.energy = springs.energy;
  return true;
}

void find_point_rows(const PairState& s, const Contact& contact, double sunk, ContactScratch& c,
                     PairRows& out) {
  find_points(s, contact, c.manifold);
  const Manifold& m = c.manifold;
  out.normal = m.n_AB_W;
  // What is sharp has no stiffness but at a depth; a ball is one up to half of its radius.
  const double ball = contact.k1 > 0.0 && std::isfinite(contact.k1) ? 0.5 / contact.k1 : kInf;
  const double depth = std::max(0.0, -contact.phi);
  ContactStiffness k = unit_stiffness(s, contact, m, std::max(depth, std::min(depth + sunk, ball)));
  k.linear *= s.pair.base.scale, k.hertz *= s.pair.base.scale;
  for (std::size_t i = 0; i < at(m.count); ++i) {
    const ManifoldPoint& p = m.points[i];
    NormalInput in;
    in.linear = p.weight * k.linear, in.hertz = p.weight * k.hertz, in.weight = p.weight;
    in.radius = combined_radius(s.A.contact_radius, s.B.contact_radius);
    in.has_sphere = has_sphere(s);
    add_row(s, p.p_WC, in, -p.phi, out);
  }
}

/// By the forces that the points would have a little deeper than they are.
void find_centre(double sunk, PairRows& out) {
  double sum = 0.0;
  out.centre = {};
  const auto force = [&](const PointRow& p) {
    return elastic_force(p.row, p.row.depth + sunk) + 1e-300;
  };
  for (const PointRow& p : out.points) sum += force(p), out.centre += force(p) * p.p;
  out.centre = out.centre / sum;
  out.radius = 0.0;
  for (const PointRow& p : out.points) out.radius += force(p) / sum * norm(p.p - out.centre);
}

/// What a law without memory answers to a slip, over the normal force.
double rub_at(const PairState& s, double speed) {
  FrictionInput in;
  FrictionOutput out;
  in.normal_force = 1.0;
  in.slip = {speed, 0.0, 0.0};
  s.law.friction->evaluate(in, s.law.friction_params, out);
  return norm(out.force);
}

double lever_at(const PairState& s, const Vec3& axis, const Vec3& normal, double speed) {
  const ResistanceInput in{1.0, speed * axis, normal,
                           combined_radius(s.A.contact_radius, s.B.contact_radius), has_sphere(s)};
  return norm(s.law.resistance->evaluate(in, s.law.resistance_params));
}

}  // namespace

void add_row(const PairState& s, const Vec3& p, const NormalInput& in, double depth,
             PairRows& out) {
  out.points.push_back({p, row_of(s, in, depth, out.probe)});
}

double PairRows::deepest() const {
  double deepest = 0.0;
  for (const PointRow& point : points) deepest = std::max(deepest, point.row.depth);
  return deepest;
}

bool find_rows(const PairState& s, const Contact& contact, const StepReach& look,
               ContactScratch& scratch, PairRows& out) {
  const double reach = look.reach;
  out.points.clear();
  out.energy = 1.0;
  const double sunk = std::max(0.0, contact.phi) + reach;
  out.probe = std::max({-contact.phi, reach, 1e-12});
  if (s.PA.finder == &finder_triangles) return find_surface_rows(s, contact, reach, out);
  if (s.pair.base.kind != SpringBase::points) {
    find_spring_rows(s, sunk, std::clamp(look.way, 0.0, sunk), scratch, out);
  } else {
    find_point_rows(s, contact, reach, scratch, out);
  }
  if (out.points.empty()) return false;
  find_centre(sunk, out);
  return true;
}

RubTerms find_rub(const PairState& s, const PairRows& rows, double h, double slip,
                  const Vec3& turn) {
  RubTerms out;
  const FrictionLaw& law = *s.law.friction;
  const std::span<const double> p = s.law.friction_params;
  const double small = std::max(s.law.material.v_small, 1e-9);
  if (law.remembers_force) {
    enum { kMu, kRatio };
    out.has_memory = true;
    out.mu = p[kMu];
    for (const PointRow& point : rows.points) {
      out.patch += p[kRatio] * elastic_slope(point.row, std::max(rows.probe, point.row.depth));
    }
  } else if (law.has_bristle && bristles_add_up(law, p)) {
    out.has_memory = true;
    out.mu = Bristle::steady_coefficient(p, slip);
    out.patch = out.patch_unit = p[Bristle::kStiffness];
    out.lag = Bristle::damping(p, slip, out.mu * s.pair.load) / out.patch;
    out.viscous = p[Bristle::kViscous];
  } else if (law.has_bristle) {
    out.has_memory = true;
    out.mu = Bristle::steady_coefficient(p, slip);
    out.law_stiffness = p[Bristle::kStiffness];
    out.stiffness = std::min(out.law_stiffness, out.mu / (h * kSlowSlip));
    if (out.stiffness > 0.0) out.lag = Bristle::damping(p, slip, out.mu) / out.stiffness;
    out.viscous = p[Bristle::kViscous];
  } else {
    // Where it creeps, the chord to the slip that there is: the slope at rest would bear the full
    // friction at a third of the speed at which the law does.
    const double creep = std::clamp(slip, 1e-6 * small, small);
    out.mu = rub_at(s, std::max(slip, small));
    out.stiffness = rub_at(s, creep) / (creep * h);
  }
  const double little = std::max(s.law.material.w_small, 1e-9);
  const Vec3& n = rows.normal;
  const Vec3 across = any_perpendicular(n);
  const auto chord = [&](const Vec3& axis, double speed) {
    const double slow = std::clamp(speed, 1e-6 * little, little);
    return lever_at(s, axis, n, slow) / slow;
  };
  const double most = std::max(norm(turn), little), spin = dot(turn, n);
  out.rolling = lever_at(s, across, n, most);
  out.rolling_slope = chord(across, norm(turn - spin * n));
  out.spinning = lever_at(s, n, n, most);
  out.spinning_slope = chord(n, std::abs(spin));
  return out;
}

}  // namespace carom
