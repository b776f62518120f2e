#include "contact_report.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <set>

#include "carom/base/index.h"
#include "carom/contact/contact_radius.h"
#include "carom/contact/impact_estimate.h"
#include "carom/contact/law_impact.h"
#include "carom/engine/contact/triangles/triangle_sites.h"
#include "carom/engine/evaluate.h"
#include "carom/geometry/flat_faces.h"
#include "talk.h"

namespace carom::cli {
namespace {

constexpr std::size_t kMostSteps = 12;  // pairs that are told

struct ContactStep {
  std::string first, second;
  double speed = 0.0, frequency = 0.0, largest = 0.0;  ///< [m/s], [Hz], [s]
};

/// A shape as the ball around it, or as a half space.
struct MovingBall {
  Vec3 centre, normal, velocity;
  double reach;
};

MovingBall ball_of(const Workspace& w, const Collider& c) {
  const ShapePiece& piece = w.model->contact.pieces[c.first];
  const LinkState& link = w.tree.links[at(c.link)];
  const Pose X_WS = Pose{link.R_WL, link.p_WL} * c.X_LS;
  const Vec3 centre = X_WS * piece.centre;
  return {centre, X_WS.R * Vec3{0.0, 0.0, 1.0}, link.V.v + cross(link.V.w, centre - link.p_WL),
          piece.reach};
}

/// As fast as they move, and as a fall over the gap between them makes them.
double meeting_speed(const Workspace& w, const Collider& A, const Collider& B) {
  constexpr double kLeast = 1e-2;  // [m/s]
  const MovingBall a = ball_of(w, A), b = ball_of(w, B);
  const Vec3 between = b.centre - a.centre;
  double gap = norm(between) - a.reach - b.reach;
  if (!std::isfinite(a.reach)) gap = dot(a.normal, between) - b.reach;
  if (!std::isfinite(b.reach)) gap = -dot(b.normal, between) - a.reach;
  const double fall = 2.0 * norm(w.parameters.gravity.uniform) * std::max(0.0, gap);
  return std::max(kLeast, std::sqrt(norm2(b.velocity - a.velocity) + fall));
}

double inverse_mass(const Model& model, const Collider& c) {
  const double mass = model.bodies[at(c.body)].mass.mass;
  return c.link != 0 && mass > 0.0 ? 1.0 / mass : 0.0;
}

/// Triangle surfaces press as the bodies that they go around, however fine they are; where meshes
/// are plates of their triangles, an edge is what touches.
ContactRadius radius_of(const ContactModel& contact, const PairLaw& law, const Collider& c) {
  ContactRadius out = c.contact_radius;
  const TriangleSurface* surface = contact.pieces[c.first].triangles;
  if (law.method != find_contact_method("triangles") || !surface || !surface->is_closed) return out;
  const Vec3& half = surface->tree.half;
  out.radius = std::max(out.radius, std::min({half.x, half.y, half.z}));
  return out;
}

/// The border along which two triangle surfaces may lie flat on each other [m]; infinite: none of
/// them has one.
double flat_border(const ContactModel& contact, const Collider& A, const Collider& B) {
  double least = kInf;
  for (const Collider* c : {&A, &B}) {
    const TriangleSurface* surface = contact.pieces[c->first].triangles;
    if (surface) least = std::min(least, longest_face_border(*surface));
  }
  return least;
}

/// Balls touch as in (4/3) E* √R d^(3/2), which the frequency is that of; triangle surfaces may
/// also land on a face, which is stiffer from the first touch on.
void find_step(const ContactModel& contact, const PairLaw& law, const Collider& A,
               const Collider& B, double mass, ContactStep& out) {
  const double radius = combined_radius(radius_of(contact, law, A), radius_of(contact, law, B));
  const auto step_of = [&](const ImpactSpring& spring) {
    const LawImpact impact = law_impact(law, spring, mass, out.speed);
    return largest_explicit_step(law, spring, mass, out.speed, impact);
  };
  out.frequency = 0.5 / estimate_impact(law.material.modulus, radius, mass, out.speed).duration;
  out.largest = step_of(spring_of_balls(law, radius));
  const double border = flat_border(contact, A, B);
  if (law.method != find_contact_method("triangles") || !std::isfinite(border)) return;
  const ImpactSpring face{.linear = pressure_factor(law) * border, .radius = radius};
  out.frequency = std::max(out.frequency, std::sqrt(face.linear / mass) / (2.0 * std::numbers::pi));
  out.largest = std::min(out.largest, step_of(face));
}

/// One line per pair of bodies, of its first pair of shapes; rigid ones have no frequency.
std::vector<ContactStep> contact_steps(Simulation& start) {
  std::vector<ContactStep> out;
  Workspace& w = start.workspace();
  const Model& model = start.model();
  const ContactModel& contact = model.contact;
  evaluate_kinematics(w, start.time(), start.state());
  std::set<std::pair<int, int>> told;
  const auto n = static_cast<std::uint32_t>(contact.colliders.size());
  for (std::uint32_t i = 0; i < n; ++i) {
    for (std::uint32_t j = i + 1; j < n && out.size() < kMostSteps; ++j) {
      const Collider &A = contact.colliders[i], &B = contact.colliders[j];
      if (A.count == 0 || B.count == 0 || A.surface >= 0 || B.surface >= 0) continue;
      const int index = contact.law_of(i, j);
      if (index < 0 || !may_touch(contact.filter(), A.first, B.first)) continue;
      const PairLaw& law = contact.laws[at(index)];
      const double inverse = inverse_mass(model, A) + inverse_mass(model, B);
      if (law.method == find_contact_method(kRigidContactMethod) || !(inverse > 0.0)) continue;
      if (!(law.material.modulus > 0.0) || !told.insert({A.body, B.body}).second) continue;
      ContactStep& step = out.emplace_back();
      step.first = model.bodies[at(A.body)].name, step.second = model.bodies[at(B.body)].name;
      step.speed = meeting_speed(w, A, B);
      find_step(contact, law, A, B, 1.0 / inverse, step);
    }
  }
  return out;
}

}  // namespace

void print_contact_steps(Simulation& start) {
  const std::vector<ContactStep> steps = contact_steps(start);
  if (steps.empty()) return;
  say("\n{:<16} {:<16} {:>12} {:>16} {:>26}\n", "contact of", "and", "at [m/s]", "frequency [Hz]",
      "largest explicit step [s]");
  for (const ContactStep& s : steps) {
    say("{:<16} {:<16} {:>12.4g} {:>16.4g} {:>26.2g}\n", s.first, s.second, s.speed, s.frequency,
        s.largest);
  }
}

JsonObject contact_steps_json(Simulation& start) {
  const auto line = [](const ContactStep& s) {
    JsonObject out;
    out.put("pair", json_texts(std::array{s.first, s.second})).number("speed", s.speed);
    return out.number("frequency", s.frequency).number("largest_step", s.largest).str();
  };
  JsonObject out;
  out.put("contact_steps", json_list(contact_steps(start), line, ",\n  "));
  return out;
}

}  // namespace carom::cli
