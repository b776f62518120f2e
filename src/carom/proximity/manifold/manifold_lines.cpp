// Lines on faces and lines on lines: two lumps each.
#include "carom/proximity/manifold/manifold_builder.h"
#include "carom/proximity/manifold/tilt_window.h"

namespace carom {
namespace {

/// A line whose projection is shorter than this touches with its end, the contact point.
constexpr double kSteep = 0.7;
/// An edge passes through the contact point if it is this near, in its own length.
constexpr double kNearBorder = 1e-8;

/// A line seen from the crossing point: unit direction in the plane, reach along it both
/// ways, and how it rises.
struct Ruling {
  Vec2 direction{};
  double from = 0.0, to = 0.0, rise = 0.0;
};

bool ruling(const SupportLine& line, const ContactFrame& frame, Ruling& out) {
  const Vec2 p = frame.plane(line.p), q = frame.plane(line.q);
  const double length = norm(q - p);
  if (length < kSteep * norm(line.q - line.p)) return false;
  out.direction = (1.0 / length) * (q - p);
  out.from = dot(out.direction, p), out.to = dot(out.direction, q);
  out.rise = (frame.height(line.q) - frame.height(line.p)) / length;
  return true;
}

}  // namespace

/// The edges of a face that pass through the contact point: two at a corner.
ManifoldBuilder::Borders ManifoldBuilder::borders(const SupportFace& face) const {
  Borders out;
  for (int i = 0; i < face.count && out.count < 2; ++i) {
    const Vec3 p = face.corner(i), q = face.corner(i + 1 < face.count ? i + 1 : 0);
    const Vec2 from = frame_.plane(p), edge = frame_.plane(q) - from;
    const double length2 = dot(edge, edge);
    if (!(length2 > 0.0)) continue;
    const double t = std::clamp(-dot(from, edge) / length2, 0.0, 1.0);
    if (norm(from + t * edge) > kNearBorder * std::sqrt(length2)) continue;
    out.line[static_cast<std::size_t>(out.count++)] = {true, p, q, 0.0};
  }
  return out;
}

/// Faces that just miss each other touch along their borders: of the pairs at hand the most
/// parallel one carries the contact.
void ManifoldBuilder::add_borders(const Borders& a, const Borders& b, double share) {
  double best = -1.0;
  const SupportLine *line_a = nullptr, *line_b = nullptr;
  for (int i = 0; i < a.count; ++i) {
    for (int j = 0; j < b.count; ++j) {
      const SupportLine &p = a.line[static_cast<std::size_t>(i)],
                        &q = b.line[static_cast<std::size_t>(j)];
      const double parallel = std::abs(dot(normalized(p.q - p.p), normalized(q.q - q.p)));
      if (parallel > best) best = parallel, line_a = &p, line_b = &q;
    }
  }
  if (!line_a) return add_point(share);
  add_lines(*line_a, *line_b, share);
}

void ManifoldBuilder::add_line_on_face(const SupportLine& line, const SupportFace& face,
                                       bool line_is_a, double share) {
  const Vec2 p = frame_.plane(line.p), q = frame_.plane(line.q);
  const double length = norm(q - p), full_length = norm(line.q - line.p);
  const double tolerance = 1e-13 * full_length;
  double t0 = 0.0, t1 = 1.0;
  bool meets = length >= kSteep * full_length;
  using Kind = SupportFace::Kind;
  if (face.kind == Kind::polygon) {
    PatchPolygon region;
    project(face, region);
    meets &= clip_segment(p, q, region, tolerance, t0, t1);
  }
  if (face.kind == Kind::disc) meets &= clip_segment(p, q, disc(face), tolerance, t0, t1);
  if (!meets || !(t1 > t0)) {
    const Borders border = borders(face), self{1, {line}};
    return line_is_a ? add_borders(self, border, share) : add_borders(border, self, share);
  }
  const Slant under = slant(face, frame_);
  const double z_p = frame_.height(line.p), z_q = frame_.height(line.q);
  const double rise = (z_q - z_p - dot(under.slope, q - p)) / length;
  const LineLumps lumps =
      line_lumps(t0 * length, t1 * length, line_is_a ? -rise : rise, 0.0, tilt_);
  for (int k = 0; k < 2; ++k) {
    const double t = lumps.x[k] / length;
    const Vec2 s = p + t * (q - p);
    const double z_line = z_p + t * (z_q - z_p), z_face = under(s);
    const double z_a = (line_is_a ? z_line : z_face) + rounding_a_;
    const double z_b = (line_is_a ? z_face : z_line) - rounding_b_;
    add(s, z_a, z_b, share * lumps.weight[k], kLineFeature + static_cast<std::uint32_t>(k));
  }
}

void ManifoldBuilder::add_lines(const SupportLine& a, const SupportLine& b, double share) {
  Ruling ra, rb;
  if (!ruling(a, frame_, ra) || !ruling(b, frame_, rb)) return add_point(share);
  if (dot(ra.direction, rb.direction) < 0.0) {
    rb = {-rb.direction, -rb.to, -rb.from, -rb.rise};
  }
  const double x0 = std::max(ra.from, rb.from), x1 = std::min(ra.to, rb.to), length = x1 - x0;
  if (!(length > 0.0)) return add_point(share);
  // Sharp edges have no radius: tilt times length stands in for it, so that they blend
  // over an angle of about `tilt`.
  const double radii = rounding_a_ + rounding_b_ + a.radius + b.radius + tilt_ * length;
  const double sine = cross(ra.direction, rb.direction);
  const double curvature = sine * sine / radii, slope = rb.rise - ra.rise;
  // Well crossed lines touch at their crossing, not at points about it.
  const double spread = tilt_ / std::max(curvature * length, 1e-300);
  const double stretch = smooth_step((spread - 0.01) / 0.09);
  const LineLumps lumps = line_lumps(x0, x1, slope, curvature, tilt_);
  const Vec2 sum = ra.direction + rb.direction;
  const Vec2 along = (1.0 / norm(sum)) * sum;
  for (int k = 0; k < 2; ++k) {
    const double x = stretch * lumps.x[k], bend = 0.25 * curvature * x * x;
    add(x * along, -0.5 * contact_.phi + ra.rise * x - bend,
        0.5 * contact_.phi + rb.rise * x + bend, share * lumps.weight[k],
        kLinesFeature + static_cast<std::uint32_t>(k));
  }
}

}  // namespace carom
