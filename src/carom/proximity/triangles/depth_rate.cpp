#include "carom/proximity/triangles/depth_rate.h"

#include <algorithm>
#include <cmath>

namespace carom::triangles {

double EdgeMotion::flatness(const Segment& s) const {
  constexpr double kMost = 1e9;  // of faces in one plane
  const Vec3 n_a = a_.planes[s.a].n, n_b = R_AB_ * b_.planes[s.b].n;
  const double along = std::abs(dot(n_a, n_) * dot(n_b, n_)), across = norm(cross(n_a, n_b));
  return along < kMost * across ? along / across : along > 0.0 ? kMost : 0.0;
}

void EdgeMotion::add(const Segment& s, const Vec3& p, double depth_p, const Vec3& q,
                     double depth_q) {
  const Vec3 m = 0.5 * (p + q);
  const double dp = std::max(0.0, depth_p), dq = std::max(0.0, depth_q);
  const double dm = std::max(0.0, 0.5 * (depth_p + depth_q));
  const double scale = flatness(s) * norm(q - p) / 6.0;  // a cubic by Simpson's rule
  moment_ += scale * (dp * outer(p) + 4.0 * dm * outer(m) + dq * outer(q));
}

Vec3 FieldRate::arm(const Vec3& of_field) const {
  constexpr double kFlicker = 1.0 / 3.0, kFace = 2.0 / 3.0;
  if (area_.is_line()) return of_field;
  const Vec3 turned = edge_ * area_.solve(dot(t_.e1, of_field), dot(t_.e2, of_field), t_);
  const Vec3 out = of_field - dot(t_.e1, turned) * t_.e1 - dot(t_.e2, turned) * t_.e2;
  const double was = norm(of_field), is = norm(out);
  if (!(is > kFlicker * was)) return {};
  const double u = std::min(1.0, (is / was - kFlicker) / (kFace - kFlicker));
  return u * u * (3.0 - 2.0 * u) * std::min(1.0, was / is) * out;
}

}  // namespace carom::triangles
