#include "carom/verify/own_contacts.h"
#include "carom/base/contact_name.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "carom/verify/own_areas.h"
#include "carom/verify/own_forces.h"
#include "carom/verify/own_gaps.h"
#include "carom/verify/own_track.h"

namespace carom::verify {
namespace {

/// Two bodies that may touch, and their gap in every row.
struct PairTrack {
  std::size_t a = 0, b = 0;  ///< into Model::bodies, a < b
  const PairLaw* law = nullptr;
  bool is_point = false;     ///< ball on ball or plane: one point, whose depth is minus the gap
  bool is_on_plane = false;  ///< of these, ball on plane
  double radius = 0.0;       ///< of a point: r, or r1 r2/(r1 + r2) [m]
  std::vector<double> gap;
};

constexpr double kRounding = 1e-12;  ///< of a gap [m]

struct Scenery {
  const Model& model;
  const Recording& rows;
  std::vector<Track> tracks;
  std::vector<PairTrack> pairs;
  bool is_whole = true;  ///< every pair that may touch has a gap of its own
};

Pose pose_of(const Scenery& s, std::size_t body, std::size_t row) {
  const BodyInfo& info = s.model.bodies[body];
  return info.link == 0 ? info.X_LB : pose_at(s.tracks[body], row);
}

const PairLaw* law_between(const Model& model, std::size_t a, std::size_t b) {
  const ContactModel& contact = model.contact;
  for (std::uint32_t i = 0; i < contact.colliders.size(); ++i) {
    for (std::uint32_t k = i + 1; k < contact.colliders.size(); ++k) {
      const auto A = static_cast<std::size_t>(contact.colliders[i].body);
      const auto B = static_cast<std::size_t>(contact.colliders[k].body);
      if ((A != a || B != b) && (A != b || B != a)) continue;
      const int law = contact.law_of(i, k);
      if (law >= 0) return &contact.laws[static_cast<std::size_t>(law)];
    }
  }
  return nullptr;
}

bool is_rigid(const PairTrack& pair) {
  return pair.law->method && pair.law->method->name == std::string_view(kRigidContactMethod);
}

/// Rigid bodies need no material.
bool touches(const PairTrack& pair, const ShapeSpec& s, const BodySpec& body) {
  return s.contact && (is_rigid(pair) || !(s.material.empty() && body.material.empty()));
}

/// As a law sees it: areas have sharp edges.
Shape touched_shape(const PairTrack& pair, const Shape& shape) {
  Shape seen = shape;
  if (pair.law->area.is_on && shape.kind->rounding == Rounding::inward) seen.edge_radius = 0.0;
  return seen;
}

/// Least gap of the shapes of two bodies; not a number where one of them has no closed form.
double gap_at(const Scenery& s, const PairTrack& pair, std::size_t row) {
  const BodySpec &A = s.model.scene.bodies[pair.a], &B = s.model.scene.bodies[pair.b];
  const Pose X_WA = pose_of(s, pair.a, row), X_WB = pose_of(s, pair.b, row);
  double least = kInf;
  for (const ShapeSpec& a : A.shapes) {
    for (const ShapeSpec& b : B.shapes) {
      if (!touches(pair, a, A) || !touches(pair, b, B)) continue;
      const auto gap = own_gap(touched_shape(pair, a.shape), X_WA * a.X_BS,
                               touched_shape(pair, b.shape), X_WB * b.X_BS);
      if (!gap) return NAN;
      least = std::min(least, *gap);
    }
  }
  return least;
}

void describe_point(const BodySpec& A, const BodySpec& B, PairTrack& pair) {
  if (A.shapes.size() != 1 || B.shapes.size() != 1) return;
  const Shape &a = A.shapes.front().shape, &b = B.shapes.front().shape;
  const bool ball_a = std::string(a.kind->name) == "sphere";
  const bool ball_b = std::string(b.kind->name) == "sphere";
  const bool plane = std::string((ball_a ? b : a).kind->name) == "half_space";
  pair.is_point = (ball_a && ball_b) || ((ball_a || ball_b) && plane);
  pair.is_on_plane = pair.is_point && plane;
  if (!pair.is_point) return;
  const double r = ball_a ? a.params[0] : b.params[0];
  pair.radius = ball_a && ball_b ? r * b.params[0] / (r + b.params[0]) : r;
}

/// Reads poses and finds the pairs; false if a body was not recorded.
bool fill(Scenery& s) {
  const std::size_t bodies = s.model.bodies.size();
  s.tracks.resize(bodies);
  for (std::size_t i = 0; i < bodies; ++i) {
    if (s.model.bodies[i].link == 0) continue;
    if (!read_track(s.rows, s.model.bodies[i].name, s.tracks[i])) return false;
  }
  constexpr std::size_t kMost = 12;  // bodies; a heap would cost more than its run
  if (bodies > kMost || !s.model.scene.surface_contacts.empty()) return false;
  for (std::size_t a = 0; a < bodies; ++a) {
    for (std::size_t b = a + 1; b < bodies; ++b) {
      PairTrack pair;
      pair.a = a, pair.b = b;
      if (s.model.bodies[a].link == s.model.bodies[b].link) continue;
      pair.law = law_between(s.model, a, b);
      if (!pair.law) continue;
      for (std::size_t i = 0; i < s.rows.rows(); ++i) pair.gap.push_back(gap_at(s, pair, i));
      if (std::any_of(pair.gap.begin(), pair.gap.end(), [](double g) { return std::isnan(g); })) {
        s.is_whole = false;
        continue;
      }
      describe_point(s.model.scene.bodies[a], s.model.scene.bodies[b], pair);
      s.pairs.push_back(std::move(pair));
    }
  }
  return !s.pairs.empty();
}

const std::string& name_of(const Scenery& s, std::size_t body) { return s.model.bodies[body].name; }

std::string watched(const Scenery& s, const PairTrack& p) {
  const std::string direct = contact_name(name_of(s, p.a), name_of(s, p.b));
  if (has_column(s.rows, direct + ".phi")) return direct;
  const std::string turned = contact_name(name_of(s, p.b), name_of(s, p.a));
  return has_column(s.rows, turned + ".phi") ? turned : "";
}

void compare_gaps(const Scenery& s, std::vector<Recomputed>& out) {  // (1)
  Recomputed r{"gaps", "gap from poses, against the recorded one [m]", 0.0, 1e-11, 0};
  for (const PairTrack& p : s.pairs) {
    const std::string name = watched(s, p);
    if (name.empty()) continue;
    const std::vector<double> phi = s.rows.column(name + ".phi");
    for (std::size_t i = 0; i < phi.size(); ++i) {
      const double difference = std::abs(phi[i] - p.gap[i]);
      r.difference = difference <= r.difference ? r.difference : difference;
    }
    r.values += phi.size();
  }
  if (r.values > 0) out.push_back(r);
}

/// Events name the body, or "body.shape" where it has several.
bool names(const std::string& subject, const std::string& body) {
  return subject == body || subject.starts_with(body + ".");
}

bool is_of(const EngineEvent& e, const std::string& a, const std::string& b) {
  return (names(e.subject, a) && names(e.other, b)) || (names(e.subject, b) && names(e.other, a));
}

/// How far a row's gap contradicts the events of a pair.
struct Replay {
  double worst = 0.0;
  std::size_t begins = 0, ends = 0;
};

Replay replay(const Scenery& s, const PairTrack& p, std::span<const EngineEvent> events) {
  const std::string &a = name_of(s, p.a), &b = name_of(s, p.b);
  Replay out;
  // One that is there from the start has no event; nor has one of rigid bodies that touch there
  // without pressing.
  const std::string states = watched(s, p) + ".state";
  const bool presses = !has_column(s.rows, states) || s.rows.column(states).front() > 0.0;
  int open = p.gap.front() <= kRounding && presses ? 1 : 0;
  bool touched = open > 0, ended = false;
  std::size_t next = 0;
  for (std::size_t i = 0; i < p.gap.size(); ++i) {
    for (; next < events.size() && events[next].time <= s.rows.time[i]; ++next) {
      const EngineEvent& e = events[next];
      if (!is_of(e, a, b)) continue;
      if (e.kind == "contact_begin" || e.kind == "landing") {
        open = e.time <= s.rows.time.front() ? std::max(open, 1) : open + 1;
        touched = true, ended = false;
        ++out.begins;
      } else if (e.kind == "contact_end" || e.kind == "lift_off") {
        open = std::max(0, open - 1);
        ended = open == 0;
        ++out.ends;
      }
    }
    const bool lets_go = p.law->normal->lets_go;
    const double gap = p.gap[i];
    bool wrong = gap > 0.0 ? open > 0 : !touched || (ended && !lets_go);
    if (is_rigid(p)) wrong = open > 0 || gap < 0.0;  // closed to rounding, never deeper
    if (wrong) out.worst = std::max(out.worst, std::abs(gap));
    if (gap > 0.0 && open == 0) touched = false;
  }
  return out;
}

void compare_events(const Scenery& s, std::span<const EngineEvent> events,
                    std::vector<Recomputed>& out) {  // (2)
  // Instants are located to rounding, rows come from dense output of the run's tolerance.
  Recomputed r{"events", "gap of rows that contradict begin and end of contacts [m]", 0.0, 0.0, 0};
  r.tolerance = 1e-10 + s.model.scene.run.tolerance;
  for (const PairTrack& p : s.pairs) {
    const Replay replayed = replay(s, p, events);
    r.difference = std::max(r.difference, replayed.worst);
    r.values += replayed.begins + replayed.ends;
  }
  if (r.values > 0) out.push_back(r);
}

double field(const PairLaw& law, const std::string& name) {
  for (std::size_t i = 0; i < law.normal->fields.size(); ++i) {
    if (name == law.normal->fields[i].name) return law.normal_params[i];
  }
  return NAN;
}

/// Energy of a point at depth d; not a number for laws without a closed form.
double elastic_energy(const PairTrack& p, double d) {  // (3)
  if (p.law->area.is_on) {
    // Half of K times the integral of u² = (sqrt(R² - r²) - R + d)² over the circle u > 0.
    const double K = p.is_on_plane ? p.law->area.foundation : 0.0;
    return K > 0.0 ? std::numbers::pi * K * d * d * d * (p.radius / 3.0 - d / 12.0) : NAN;
  }
  const std::string law = p.law->normal->name;
  const double k = field(*p.law, "stiffness");
  if (law == "kelvin_voigt") return 0.5 * k * d * d;
  if (law == "otter") {
    const double k2 = field(*p.law, "stiffness_2");
    return 0.5 * (std::isnan(k2) ? 0.5 * k : k * k2 / (k + k2)) * d * d;
  }
  if (law == "power") {
    const double n = field(*p.law, "exponent");
    return k * std::pow(d, n + 1.0) / (n + 1.0);
  }
  if (law == "formula" || law == "otter_series") return NAN;
  return 0.4 * (4.0 / 3.0) * p.law->material.modulus * std::sqrt(p.radius) * std::pow(d, 2.5);
}

bool has_other_springs(const Model& model) {
  for (const JointSpec& joint : model.scene.joints) {
    for (const DofSpec& dof : joint.dofs) {
      if (dof.stiffness != 0.0 || dof.lower || dof.upper || dof.drive) return true;
    }
  }
  return !model.scene.forces.empty();
}

void compare_elastic(const Scenery& s, std::vector<Recomputed>& out) {
  if (!s.is_whole || has_other_springs(s.model) || !has_column(s.rows, "energy.elastic")) return;
  const std::vector<double> ledger = s.rows.column("energy.elastic");
  const std::vector<double> kinetic = s.rows.column("energy.kinetic");
  std::vector<double> own(ledger.size(), 0.0);
  double scale = 1e-12;
  bool lets_go = false;
  for (const PairTrack& p : s.pairs) {
    lets_go |= p.law->normal->lets_go;
    if (is_rigid(p)) continue;
    if (!p.is_point || p.law->friction->has_bristle) return;
    for (std::size_t i = 0; i < own.size(); ++i)
      own[i] += elastic_energy(p, std::max(0.0, -p.gap[i]));
  }
  Recomputed r{"energy", "elastic energy, recomputed from the gaps", 0.0, 1e-9, 0};
  // Areas are integrated by points.
  const auto has_area = [](const PairTrack& p) { return p.law->area.is_on; };
  if (std::ranges::any_of(s.pairs, has_area)) r.tolerance = 1e-4;
  for (std::size_t i = 0; i < own.size(); ++i) {
    if (std::isnan(own[i])) return;
    scale = std::max({scale, own[i], ledger[i], kinetic[i]});
  }
  for (std::size_t i = 0; i < own.size(); ++i) {
    if (own[i] == 0.0 && ledger[i] == 0.0) continue;
    if (ledger[i] == 0.0 && lets_go) continue;  // before the surfaces part
    r.difference = std::max(r.difference, std::abs(own[i] - ledger[i]) / scale);
    ++r.values;
  }
  if (r.values > 0) out.push_back(r);
}

}  // namespace

std::vector<Recomputed> recompute_contacts(const Model& model, const Recording& rows,
                                           std::span<const EngineEvent> events) {
  std::vector<Recomputed> out;
  Scenery s{model, rows, {}, {}, true};
  if (rows.rows() < 2 || model.contact.empty()) return out;
  if (fill(s)) {
    compare_gaps(s, out);
    compare_events(s, events, out);
    compare_elastic(s, out);
    compare_forces(model, rows, events, out);
  }
  compare_areas(model, rows, out);
  return out;
}

}  // namespace carom::verify
