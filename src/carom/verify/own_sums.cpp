#include "carom/verify/own_sums.h"

#include <cmath>

#include "carom/verify/own_track.h"

namespace carom::verify {
namespace {

double potential(const GravitySpec& g, double mass, const Vec3& p) {  // (2)
  if (g.kind == GravitySpec::Kind::uniform) return -mass * dot(g.uniform, p);
  return -g.mu * mass / norm(p - g.center);
}

double component(const Vec3& v, char axis) { return axis == 'x' ? v.x : axis == 'y' ? v.y : v.z; }

double share(const std::string& what, const GravitySpec& gravity, double mass, const Moment& m) {
  if (what == "kinetic") return 0.5 * mass * dot(m.v, m.v) + 0.5 * dot(m.w, m.spin);  // (1)
  if (what == "potential") return potential(gravity, mass, m.p);
  if (what.starts_with("momentum.")) return component(mass * m.v, what.back());
  return component(cross(m.p, mass * m.v) + m.spin, what.back());  // (3)
}

void add_rotors(const Model& model, const Recording& rows, std::vector<double>& sum) {
  for (const JointSpec& joint : model.scene.joints) {
    for (std::size_t k = 0; k < joint.dofs.size(); ++k) {
      const DofSpec& dof = joint.dofs[k];
      const std::string column =
          joint.name + ".v" + (joint.dofs.size() > 1 ? "." + std::to_string(k) : "");
      if (dof.rotor_inertia == 0.0 || !has_column(rows, column)) continue;
      const std::vector<double> v = rows.column(column);
      const double J = dof.rotor_ratio * dof.rotor_ratio * dof.rotor_inertia;
      for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += 0.5 * J * v[i] * v[i];
    }
  }
}

std::vector<double> total(const Model& model, const Recording& rows, const std::string& what) {
  std::vector<double> sum(rows.rows(), 0.0);
  for (const BodyInfo& body : model.bodies) {
    if (body.link == 0) continue;
    Track track;
    if (!read_track(rows, body.name, track)) return {};
    for (std::size_t i = 0; i < sum.size(); ++i) {
      sum[i] += share(what, model.scene.gravity, body.mass.mass, moment_at(track, body.mass, i));
    }
  }
  if (what == "kinetic") add_rotors(model, rows, sum);
  return sum;
}

/// Derivative of the recorded position of a body's frame.
std::vector<double> velocity_of(const Recording& rows, const std::string& body, char axis) {
  Track track;
  if (!read_track(rows, body, track)) return {};
  return derivative(rows.time, track.p[axis - 'x']);
}

std::vector<double> force_on(const Model& model, const Recording& rows, const std::string& name,
                             char axis) {
  for (const BodyInfo& body : model.bodies) {
    Track track;
    if (body.name != name || !read_track(rows, name, track)) continue;
    std::vector<double> speed(rows.rows());
    for (std::size_t i = 0; i < speed.size(); ++i) {
      speed[i] = component(moment_at(track, body.mass, i).v, axis);
    }
    std::vector<double> force = derivative(rows.time, speed);
    const double g = component(model.scene.gravity.uniform, axis);
    for (double& f : force) f = body.mass.mass * (f - g);  // (4)
    return force;
  }
  return {};
}

}  // namespace

std::vector<double> derivative(const std::vector<double>& t, const std::vector<double>& y) {
  const std::size_t n = t.size();
  std::vector<double> d(n, 0.0);
  if (n < 3) return d;
  const auto even = [&](std::size_t i) {  // five samples around i at equal distances
    if (i < 2 || i + 2 >= n) return false;
    const double h = t[i] - t[i - 1];
    return std::abs(t[i + 1] - t[i] - h) < 1e-6 * h &&
           std::abs(t[i + 2] - t[i] - 2 * h) < 1e-6 * h &&
           std::abs(t[i] - t[i - 2] - 2 * h) < 1e-6 * h;
  };
  for (std::size_t i = 0; i < n; ++i) {
    if (even(i)) {
      d[i] = (8.0 * (y[i + 1] - y[i - 1]) - (y[i + 2] - y[i - 2])) / (6.0 * (t[i + 1] - t[i - 1]));
    } else {
      const std::size_t a = i == 0 ? 0 : i - 1, b = i + 1 == n ? i : i + 1;
      d[i] = (y[b] - y[a]) / (t[b] - t[a]);
    }
  }
  return d;
}

std::vector<double> own_column(const Model& model, const Recording& rows, const std::string& name) {
  if (name.starts_with("own.")) {
    const std::string what = name.substr(4);
    const bool known = what == "kinetic" || what == "potential" || what.starts_with("momentum.") ||
                       what.starts_with("spin.");
    return known ? total(model, rows, what) : std::vector<double>{};
  }
  const std::size_t force = name.find(".own_force."), velocity = name.find(".own_velocity.");
  if (name.back() < 'x' || name.back() > 'z') return {};
  if (force != std::string::npos) return force_on(model, rows, name.substr(0, force), name.back());
  if (velocity == std::string::npos) return {};
  return velocity_of(rows, name.substr(0, velocity), name.back());
}

}  // namespace carom::verify
