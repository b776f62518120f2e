#include "carom/scene/validate/rules.h"

#include <algorithm>
#include <cmath>

#include "carom/base/text.h"

namespace carom {

std::string limits_problem(const DofSpec& dof) {
  const bool good = !dof.lower || !dof.upper || *dof.lower < *dof.upper;
  return good ? "" : ": lower is not below upper";
}

std::string friction_problem(const DofSpec& dof) {
  const bool good = dof.stiction < 0.0 || dof.stiction >= dof.coulomb;
  return good ? "" : ": static friction is below coulomb friction";
}

std::string active_problem(const JointSpec& joint) {
  return joint.active_from < joint.active_until ? "" : " ends before it begins";
}

std::string table_problem(const SignalSpec& signal) {
  if (signal.times.size() != signal.values.size()) {
    return " has " + std::to_string(signal.times.size()) + " times and " +
           std::to_string(signal.values.size()) + " values";
  }
  for (std::size_t i = 1; i < signal.times.size(); ++i) {
    if (signal.times[i] > signal.times[i - 1]) continue;
    return " has the time " + number_text(signal.times[i]) + " after " +
           number_text(signal.times[i - 1]) + "; times must increase";
  }
  return {};
}

std::string row_problem(const Restitution& r) {
  const std::size_t n = r.table.size();
  if (n > 0 && r.table[n - 1].second > 1.0) return ": a restitution is at most 1";
  if (n > 1 && !(r.table[n - 1].first > r.table[n - 2].first)) {
    return ": speeds must grow from row to row";
  }
  return {};
}

std::string rotation_problem(const Mat3& R) {
  const Mat3 RtR = transpose(R) * R;
  double off = std::abs(determinant(R) - 1.0);
  for (std::size_t i = 0; i < 9; ++i) off = std::max(off, std::abs(RtR.m[i] - Mat3{}.m[i]));
  return off <= 1e-9 ? "" : " is no rotation matrix: it is off by " + number_text(off);
}

const char* massless_part(const BodySpec& body) {
  if (body.mass) return nullptr;
  return body.com ? "com" : body.inertia ? "inertia" : nullptr;
}

const char* fixed_velocity(const BodySpec& body) {
  if (!body.fixed) return nullptr;
  return body.velocity ? "velocity" : body.angular_velocity ? "angular_velocity" : nullptr;
}

}  // namespace carom
