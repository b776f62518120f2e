// The summary as JSON. Programs rely on its keys: they only ever grow.
#include <array>

#include "carom/base/json.h"
#include "carom/simulation/run.h"

namespace carom {
namespace {

/// Items of a list on lines of their own.
constexpr std::string_view kLine = ",\n  ";

std::string list(const Vec3& v) { return json_numbers(std::span<const double>(&v.x, 3)); }
std::string list(const Quat& q) { return json_numbers(std::span<const double>(&q.w, 4)); }
std::string pair(const std::string& first, const std::string& second) {
  return json_texts(std::array{first, second});
}

std::string bodies(const RunResult& r) {
  JsonObject all;
  for (const BodyState& b : r.bodies) {
    if (&b != &r.bodies.front()) all.line(4);
    all.put(b.name, JsonObject()
                        .put("position", list(b.position))
                        .put("orientation", list(b.orientation))
                        .put("velocity", list(b.velocity))
                        .put("angular_velocity", list(b.angular_velocity))
                        .str());
  }
  return all.str();
}

std::string joints(const RunResult& r) {
  JsonObject all;
  for (const JointState& j : r.joints) {
    if (&j != &r.joints.front()) all.line(4);
    all.put(j.name, JsonObject().put("q", json_numbers(j.q)).put("v", json_numbers(j.v)).str());
  }
  return all.str();
}

std::string event(const EngineEvent& e) {
  JsonObject out;
  out.number("time", e.time).text("kind", e.kind).text("subject", e.subject);
  out.number("value", e.value);
  if (!e.other.empty()) out.put("pair", pair(e.subject, e.other));
  const EventKind* kind = find_event_kind(e.kind);
  if (kind && kind->alias) out.number(kind->alias, e.value);
  if (has_impact_columns(e)) {
    out.number("impulse", e.impulse).number("energy_lost", e.energy_lost);
    for (const EndColumn& c : impact_columns()) out.number(c.name, e.*c.value);
  }
  if (!has_end_columns(e)) return out.str();
  for (const EndColumn& c : contact_end_columns()) out.number(c.name, e.*c.value);
  return out.str();
}

/// Of connected surfaces also the shape of the area, and every point.
std::string contact(const ContactLine& c) {
  JsonObject out;
  out.put("pair", pair(c.first, c.second)).put("point", list(c.reading.point));
  out.put("normal", list(c.reading.normal)).number("phi", c.reading.phi);
  out.put("force", list(c.reading.force)).put("torque", list(c.reading.torque));
  out.number("slip_speed", c.reading.slip_speed).text("state", c.state);
  if (c.reading.contact_area > 0.0) {
    out.number("contact_area", c.reading.contact_area);
    if (c.reading.circumference > 0.0) out.number("circumference", c.reading.circumference);
    if (c.reading.peak_pressure > 0.0) {
      out.number("peak_pressure", c.reading.peak_pressure);
      out.put("rolling_torque", list(c.reading.rolling_torque));
    }
    out.number("mean_pressure", c.reading.mean_pressure());
    out.number("drilling_torque", dot(c.reading.torque, c.reading.normal));
  }
  if (c.points.empty()) return out.str();
  out.text("area", area_name(c.reading.area));
  const auto point = [](const SurfacePoints::Point& p) {
    return JsonObject()
        .put("point", list(p.position))
        .put("force", list(p.force))
        .number("phi", p.phi)
        .number("weight", p.weight)
        .str();
  };
  return out.put("points", json_list(c.points, point)).str();
}

/// One line per pair of shapes that touched.
std::string contact_pair(const ContactSummary& c) {
  return JsonObject()
      .put("pair", pair(c.first, c.second))
      .count("count", c.count)
      .number("duration", c.duration)
      .number("impulse", c.impulse)
      .number("peak_force", c.peak_force)
      .number("peak_time", c.peak_time)
      .number("peak_depth", c.peak_depth)
      .number("slip", c.slip)
      .number("energy_lost", c.energy_lost)
      .str();
}

/// The largest of a contact force, drive or reaction.
std::string peak(const PeakRecord& p) {
  return JsonObject()
      .text("object", p.object)
      .text("quantity", p.quantity)
      .text("unit", p.unit)
      .number("time", p.time)
      .number("value", p.value)
      .str();
}

std::string energy(const RunResult& r) {
  JsonObject out;
  for (const LedgerRow& row : ledger_rows()) out.number(row.name, r.energy.*row.value);
  return out.number("largest_residual", r.largest_residual)
      .number("turned_over", r.energy_scale)
      .number("supplied", r.turned_over)
      .str();
}

std::string statistics(const RunResult& r) {
  const RunStatistics& s = r.statistics;
  return JsonObject()
      .text("integrator", s.integrator)
      .count("steps", s.counts.steps)
      .count("rejected_steps", s.counts.rejected_steps)
      .count("rhs_evaluations", s.counts.rhs_evaluations)
      .count("jacobian_evaluations", s.counts.jacobian_evaluations)
      .count("restarts", s.counts.restarts)
      .count("newton_iterations", s.counts.newton_iterations)
      .count("linear_iterations", s.counts.linear_iterations)
      .count("unconverged_steps", s.counts.unconverged_steps)
      .count("bank_actions", s.counts.bank_actions)
      .count("events", s.events)
      .number("cpu_seconds", s.cpu_seconds)
      .number("real_time_factor", s.real_time_factor)
      .number("constraint_error", s.constraint_error)
      .count("redundant_constraints", s.redundant_constraints)
      .count("surface_tests", s.surface_tests)
      .count("surface_skips", s.surface_skips)
      .count("mesh_detections", s.mesh_detections)
      .count("held_steps", s.held_steps)
      .count("frozen_bodies", s.frozen.bodies)
      .count("frozen_islands", s.frozen.islands)
      .str();
}

std::string error(const ErrorEstimate& e) {
  return JsonObject()
      .number("position", e.position)
      .number("orientation", e.orientation)
      .number("velocity", e.velocity)
      .number("angular_velocity", e.angular_velocity)
      .number("reaction_force", e.reaction_force)
      .number("reaction_torque", e.reaction_torque)
      .number("peak_force", e.peak_force)
      .number("peak_torque", e.peak_torque)
      .number("reference_tolerance", e.tolerance)
      .str();
}

std::string deadlines(const DeadlineReport& d) {
  return JsonObject()
      .number("period", d.period)
      .count("periods", d.periods)
      .count("missed", d.missed)
      .number("worst", d.worst)
      .number("most", d.most)
      .str();
}

std::string finding(const Finding& f) {
  return JsonObject()
      .text("name", f.name)
      .number("value", f.value)
      .number("limit", f.limit)
      .text("subject", f.subject)
      .text("text", f.text)
      .str();
}

}  // namespace

std::string verdict_json(const Verdict& v) {
  return JsonObject()
      .text("grade", to_string(v.grade()))
      .put("reasons", json_list(v.reasons, finding, kLine))
      .str();
}

std::string summary_json(const RunResult& r) {
  JsonObject out;
  out.text("status", to_string(r.status)).text("reason", r.reason).number("time", r.time);
  out.line(1).put("verdict", verdict_json(r.verdict));
  out.line(1).put("final",
                  JsonObject().put("bodies", bodies(r)).line(2).put("joints", joints(r)).str());
  out.line(1).put("events", json_list(r.events, event, kLine));
  out.line(1).put("contacts", json_list(r.contacts, contact, kLine));
  out.line(1).put("contact_pairs", json_list(r.contact_pairs, contact_pair, kLine));
  out.line(1).put("peaks", json_list(r.peaks, peak, kLine));
  out.line(1).put("energy", energy(r));
  out.line(1).put("statistics", statistics(r));
  if (r.error) out.line(1).put("error", error(*r.error));
  if (r.deadlines) out.line(1).put("real_time", deadlines(*r.deadlines));
  out.line(1).put("warnings", json_texts(r.warnings));
  return out.str() + "\n";
}

}  // namespace carom
