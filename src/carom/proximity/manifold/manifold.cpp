#include "carom/proximity/manifold/manifold.h"

#include <cmath>

#include "carom/proximity/manifold/manifold_builder.h"

namespace carom {
namespace {

/// Faces are faded out between this and twice this many tilts. Polygons late, because two
/// edges that meet at a sharp angle are within reach of a tilt long after their face is;
/// round faces early, because their rim is not drawn exactly where it meets something.
constexpr double kPolygonFade = 16.0, kRoundFade = 2.0;

double face_share(const SupportFace& face, double tilt) {
  if (face.kind == SupportFace::none) return 0.0;
  const double fade = face.kind == SupportFace::disc || !face.exact ? kRoundFade : kPolygonFade;
  return 1.0 - smooth_step(face.slope / (fade * tilt) - 1.0);
}

}  // namespace

void ManifoldBuilder::add(const Vec2& s, double z_a, double z_b, double weight,
                          std::uint32_t feature) {
  if (!(weight > kNoWeight)) return;
  const Vec3 p = frame_.origin + s.x * frame_.u + s.y * frame_.v + 0.5 * (z_a + z_b) * frame_.n;
  const int at = std::min(out_.count, kMaxManifoldPoints - 1);
  ManifoldPoint& point = out_.points[static_cast<std::size_t>(at)];
  if (at < out_.count) {
    point.weight += weight;
    return;
  }
  point = {p, z_b - z_a, weight, feature};
  ++out_.count;
}

/// Normalises the weights, and finds length and width from the spread of the points.
void ManifoldBuilder::finish() {
  double total = 0.0;
  for (int i = 0; i < out_.count; ++i) total += out_.points[static_cast<std::size_t>(i)].weight;
  Vec2 mean{};
  double xx = 0.0, xy = 0.0, yy = 0.0;
  for (int i = 0; i < out_.count; ++i) {
    ManifoldPoint& p = out_.points[static_cast<std::size_t>(i)];
    p.weight /= total;
    mean = mean + p.weight * frame_.plane(p.p_WC);
  }
  for (int i = 0; i < out_.count; ++i) {
    const ManifoldPoint& p = out_.points[static_cast<std::size_t>(i)];
    const Vec2 d = frame_.plane(p.p_WC) - mean;
    xx += p.weight * d.x * d.x, xy += p.weight * d.x * d.y, yy += p.weight * d.y * d.y;
  }
  const double half_trace = 0.5 * (xx + yy), apart = std::hypot(0.5 * (xx - yy), xy);
  const double direction = 0.5 * std::atan2(2.0 * xy, xx - yy);
  out_.length = 2.0 * std::sqrt(half_trace + apart);
  out_.width = 2.0 * std::sqrt(std::max(0.0, half_trace - apart));
  out_.length_direction_W = std::cos(direction) * frame_.u + std::sin(direction) * frame_.v;
}

void find_manifold(const Core& A, const Pose& X_WA, const Core& B, const Pose& X_WB,
                   const Contact& contact, double tilt, Manifold& out) {
  out.count = 0;
  out.has_normals = false;
  out.springs = 1.0;
  if (contact.status != Status::ok) return;
  SupportFeature a, b;
  find_support_feature(A, X_WA, contact.n_AB_W, a);
  find_support_feature(B, X_WB, -contact.n_AB_W, b);
  const double face_a = face_share(a.face, tilt), face_b = face_share(b.face, tilt);
  ManifoldBuilder builder(A, B, contact, tilt, out);
  const double faces = face_a * face_b, lines = (1.0 - face_a) * (1.0 - face_b);
  if (faces > 0.0) builder.add_faces(a.face, b.face, faces);
  const auto line_on_face = [&](const SupportLine& line, const SupportFace& face, bool line_is_a,
                                double share) {
    if (share > 0.0 && line.exists) builder.add_line_on_face(line, face, line_is_a, share);
    if (share > 0.0 && !line.exists) builder.add_point(share);
  };
  line_on_face(b.line, a.face, false, face_a * (1.0 - face_b));
  line_on_face(a.line, b.face, true, face_b * (1.0 - face_a));
  const bool two_lines = a.line.exists && b.line.exists;
  if (lines > 0.0 && two_lines) builder.add_lines(a.line, b.line, lines);
  if (lines > 0.0 && !two_lines) builder.add_point(lines);
  builder.finish();
}

RegimeShares regime_shares(const Manifold& manifold, double half_width) {
  // Exactly 0 and 1 beyond a factor of 8, so that a patch that is clearly a line or a face
  // does not feel the curvature beside it, which jumps where a face is left.
  constexpr double kFactor = 8.0;
  const auto large = [&](double side) {
    const double half = 0.5 * side;
    if (half >= kFactor * half_width) return half > 0.0 ? 1.0 : 0.0;
    if (half <= half_width / kFactor) return 0.0;
    return smooth_step(0.5 + 0.5 * std::log(half / half_width) / std::log(kFactor));
  };
  const double longish = large(manifold.length), wide = large(manifold.width);
  return {1.0 - longish, longish * (1.0 - wide), longish * wide};
}

}  // namespace carom
