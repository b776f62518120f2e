// The summary as JSON. Programs rely on its keys: they only ever grow.
#include <cmath>

#include "carom/base/text.h"
#include "carom/simulation/run.h"

namespace carom {
namespace {

std::string list(std::span<const double> values) {
  std::string out = "[";
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i > 0) out += ",";
    out += json_number(values[i]);
  }
  return out + "]";
}

std::string list(const Vec3& v) { return list(std::span<const double>(&v.x, 3)); }
std::string list(const Quat& q) { return list(std::span<const double>(&q.w, 4)); }

std::string field(const char* name, double value) {
  return json_quote(name) + ": " + json_number(value);
}

std::string bodies(const RunResult& r) {
  std::string out;
  for (const BodyState& b : r.bodies) {
    if (!out.empty()) out += ",\n    ";
    out += json_quote(b.name) + ": {\"position\": " + list(b.position) +
           ", \"orientation\": " + list(b.orientation) + ", \"velocity\": " + list(b.velocity) +
           ", \"angular_velocity\": " + list(b.angular_velocity) + "}";
  }
  return out;
}

std::string joints(const RunResult& r) {
  std::string out;
  for (const JointState& j : r.joints) {
    if (!out.empty()) out += ",\n    ";
    out += json_quote(j.name) + ": {\"q\": " + list(j.q) + ", \"v\": " + list(j.v) + "}";
  }
  return out;
}

std::string events(const RunResult& r) {
  std::string out;
  for (const EngineEvent& e : r.events) {
    if (!out.empty()) out += ",\n  ";
    out += "{" + field("time", e.time) + ", \"kind\": " + json_quote(e.kind) +
           ", \"subject\": " + json_quote(e.subject) + ", " + field("value", e.value);
    if (!e.other.empty()) {
      out += ", \"pair\": [" + json_quote(e.subject) + ", " + json_quote(e.other) + "]";
      if (e.kind == "contact_begin") out += ", " + field("approach_speed", e.value);
    }
    if (std::isfinite(e.duration)) {
      out += ", " + field("impulse", e.impulse) + ", " + field("peak_force", e.peak_force) + ", " +
             field("peak_depth", e.peak_depth) + ", " + field("duration", e.duration) + ", " +
             field("slip", e.slip) + ", " + field("energy_lost", e.energy_lost);
    }
    out += "}";
  }
  return out;
}

/// Of connected surfaces: the shape of the area, and every point.
std::string surface_points(const ContactLine& c) {
  if (c.points.empty()) return {};
  std::string out;
  for (const SurfacePoints::Point& p : c.points) {
    out += (out.empty() ? "" : ", ") + ("{\"point\": " + list(p.position)) +
           ", \"force\": " + list(p.force) + ", " + field("phi", p.phi) + ", " +
           field("weight", p.weight) + "}";
  }
  return ", \"area\": " + json_quote(area_name(c.reading.area)) + ", \"points\": [" + out + "]";
}

std::string contacts(const RunResult& r) {
  std::string out;
  for (const ContactLine& c : r.contacts) {
    if (!out.empty()) out += ",\n  ";
    out += "{\"pair\": [" + json_quote(c.first) + ", " + json_quote(c.second) +
           "], \"point\": " + list(c.reading.point) + ", \"normal\": " + list(c.reading.normal) +
           ", " + field("phi", c.reading.phi) + ", \"force\": " + list(c.reading.force) +
           ", \"torque\": " + list(c.reading.torque) + ", " +
           field("slip_speed", c.reading.slip_speed) + ", \"state\": " + json_quote(c.state) +
           surface_points(c) + "}";
  }
  return out;
}

/// One line per pair of shapes that touched.
std::string contact_pairs(const RunResult& r) {
  std::string out;
  for (const ContactSummary& c : r.contact_pairs) {
    if (!out.empty()) out += ",\n  ";
    out += "{\"pair\": [" + json_quote(c.first) + ", " + json_quote(c.second) +
           "], \"count\": " + std::to_string(c.count) + ", " + field("duration", c.duration) +
           ", " + field("impulse", c.impulse) + ", " + field("peak_force", c.peak_force) + ", " +
           field("peak_time", c.peak_time) + ", " + field("peak_depth", c.peak_depth) + ", " +
           field("slip", c.slip) + ", " + field("energy_lost", c.energy_lost) + "}";
  }
  return out;
}

/// The largest of each contact force, drive and reaction.
std::string peaks(const RunResult& r) {
  std::string out;
  for (const PeakRecord& p : r.peaks) {
    if (!out.empty()) out += ",\n  ";
    out += "{\"object\": " + json_quote(p.object) + ", \"quantity\": " + json_quote(p.quantity) +
           ", \"unit\": " + json_quote(p.unit) + ", " + field("time", p.time) + ", " +
           field("value", p.value) + "}";
  }
  return out;
}

std::string energy(const RunResult& r) {
  const Ledger& e = r.energy;
  return field("kinetic", e.kinetic) + ", " + field("potential", e.potential) + ", " +
         field("elastic", e.elastic) + ", " + field("dissipated_normal", e.dissipated_normal) +
         ", " + field("dissipated_friction", e.dissipated_friction) + ", " +
         field("dissipated_damping", e.dissipated_damping) + ", " +
         field("drive_work", e.drive_work) + ", " + field("model_work", e.model_work) + ", " +
         field("model_work_of_publications", e.published) + ", " +
         field("bristle_work", e.bristle_work) + ", " + field("residual", e.residual) + ", " +
         field("largest_residual", r.largest_residual) + ", " +
         field("turned_over", r.energy_scale) + ", " + field("supplied", r.turned_over);
}

std::string statistics(const RunResult& r) {
  const RunStatistics& s = r.statistics;
  const auto count = [](const char* name, std::int64_t n) {
    return json_quote(name) + ": " + std::to_string(n);
  };
  return "\"integrator\": " + json_quote(s.integrator) + ", " + count("steps", s.counts.steps) +
         ", " + count("rejected_steps", s.counts.rejected_steps) + ", " +
         count("rhs_evaluations", s.counts.rhs_evaluations) + ", " +
         count("jacobian_evaluations", s.counts.jacobian_evaluations) + ", " +
         count("restarts", s.counts.restarts) + ", " +
         count("newton_iterations", s.counts.newton_iterations) + ", " +
         count("linear_iterations", s.counts.linear_iterations) + ", " +
         count("unconverged_steps", s.counts.unconverged_steps) + ", " +
         count("bank_actions", s.counts.bank_actions) + ", " + count("events", s.events) + ", " +
         field("cpu_seconds", s.cpu_seconds) + ", " +
         field("real_time_factor", s.real_time_factor) + ", " +
         field("constraint_error", s.constraint_error) + ", " +
         count("redundant_constraints", static_cast<std::int64_t>(s.redundant_constraints)) + ", " +
         count("surface_tests", s.surface_tests) + ", " + count("surface_skips", s.surface_skips) +
         ", " + count("held_steps", s.held_steps);
}

std::string error(const ErrorEstimate& e) {
  return field("position", e.position) + ", " + field("orientation", e.orientation) + ", " +
         field("velocity", e.velocity) + ", " + field("angular_velocity", e.angular_velocity) +
         ", " + field("reaction_force", e.reaction_force) + ", " +
         field("reaction_torque", e.reaction_torque) + ", " + field("peak_force", e.peak_force) +
         ", " + field("peak_torque", e.peak_torque) + ", " +
         field("reference_tolerance", e.tolerance);
}

}  // namespace

std::string verdict_json(const Verdict& v) {
  std::string reasons;
  for (const Finding& f : v.reasons) {
    reasons += (reasons.empty() ? "" : ",\n  ") + ("{\"name\": " + json_quote(f.name)) + ", " +
               field("value", f.value) + ", " + field("limit", f.limit) +
               ", \"subject\": " + json_quote(f.subject) + ", \"text\": " + json_quote(f.text) +
               "}";
  }
  return "{\"grade\": " + json_quote(to_string(v.grade())) + ", \"reasons\": [" + reasons + "]}";
}

std::string summary_json(const RunResult& r) {
  std::string warnings;
  for (const std::string& w : r.warnings)
    warnings += (warnings.empty() ? "" : ", ") + json_quote(w);
  return "{\"status\": " + json_quote(to_string(r.status)) +
         ", \"reason\": " + json_quote(r.reason) + ", " + field("time", r.time) +
         ",\n \"verdict\": " + verdict_json(r.verdict) + ",\n \"final\": {\"bodies\": {" +
         bodies(r) + "},\n  \"joints\": {" + joints(r) + "}},\n \"events\": [" + events(r) +
         "],\n \"contacts\": [" + contacts(r) + "],\n \"contact_pairs\": [" + contact_pairs(r) +
         "],\n \"peaks\": [" + peaks(r) + "],\n \"energy\": {" + energy(r) +
         "},\n \"statistics\": {" + statistics(r) + "},\n" +
         (r.error ? " \"error\": {" + error(*r.error) + "},\n" : "") + " \"warnings\": [" +
         warnings + "]}\n";
}

}  // namespace carom
