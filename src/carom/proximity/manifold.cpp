#include "carom/proximity/manifold.h"

#include <algorithm>
#include <numbers>

#include "carom/proximity/patch.h"
#include "carom/proximity/support_feature.h"
#include "carom/proximity/tilt_window.h"

namespace carom {
namespace {

constexpr double kPi = std::numbers::pi;
/// Faces are faded out between this and twice this many tilts. Polygons late, because two
/// edges that meet at a sharp angle are within reach of a tilt long after their face is;
/// discs early, because their rim is drawn as a circle where it meets something.
constexpr double kPolygonFade = 16.0, kDiscFade = 2.0;
/// A line whose projection is shorter than this touches with its end, the contact point.
constexpr double kSteep = 0.7;
/// An edge passes through the contact point if it is this near, in its own length.
constexpr double kNearBorder = 1e-8;
/// Lighter points are left out: their force is below the rounding of the others.
constexpr double kNoWeight = 1e-14;

double smooth_step(double x) {
  const double t = std::clamp(x, 0.0, 1.0);
  return t * t * (3.0 - 2.0 * t);
}

/// Axes of the contact plane about the midpoint of the witness points; z along the normal.
struct ContactFrame {
  Vec3 origin, u, v, n;
  Vec2 plane(const Vec3& p) const { return {dot(u, p - origin), dot(v, p - origin)}; }
  double height(const Vec3& p) const { return dot(n, p - origin); }
};

/// Height of a face over the contact plane: at + slope.s
struct Slant {
  double at = 0.0;
  Vec2 slope;
  double operator()(const Vec2& s) const { return at + dot(slope, s); }
};

Slant slant(const SupportFace& face, const ContactFrame& frame) {
  const double c = 1.0 / dot(face.normal, frame.n);
  Slant out;
  out.slope = {-c * dot(face.normal, frame.u), -c * dot(face.normal, frame.v)};
  out.at = frame.height(face.point) - dot(out.slope, frame.plane(face.point));
  return out;
}

class Builder {
 public:
  Builder(const Core& A, const Core& B, const Contact& contact, double tilt, Manifold& out)
      : contact_(contact),
        tilt_(tilt),
        rounding_a_(A.rounding),
        rounding_b_(B.rounding),
        out_(out) {
    frame_.origin = 0.5 * (contact.p_WCa + contact.p_WCb);
    frame_.n = contact.n_AB_W;
    frame_.u = any_perpendicular(frame_.n);
    frame_.v = cross(frame_.n, frame_.u);
    out_.count = 0;
    out_.area = 0.0;
    out_.n_AB_W = contact.n_AB_W;
  }

  void add_point(double share) {
    add({}, -0.5 * contact_.phi, 0.5 * contact_.phi, share, kPointFeature);
  }
  void add_faces(const SupportFace& a, const SupportFace& b, double share);
  void add_line_on_face(const SupportLine& line, const SupportFace& face, bool line_is_a,
                        double share);
  void add_lines(const SupportLine& a, const SupportLine& b, double share);
  void finish();

 private:
  static constexpr std::uint32_t kPointFeature = 1u << 20, kLineFeature = 2u << 20,
                                 kLinesFeature = 3u << 20;

  struct Borders {
    int count = 0;
    std::array<SupportLine, 2> line;
  };
  Borders borders(const SupportFace& face) const;
  void add_borders(const Borders& a, const Borders& b, double share);
  /// z_a, z_b: heights of the two surfaces, rounding included.
  void add(const Vec2& s, double z_a, double z_b, double weight, std::uint32_t feature);
  void add_patch(const Slant& a, const Slant& b, double share);
  bool find_patch(const SupportFace& a, const SupportFace& b);
  PatchPolygon polygon(const SupportFace& face) const;
  PatchDisc disc(const SupportFace& face) const;

  const Contact& contact_;
  double tilt_, rounding_a_, rounding_b_;
  double tolerance_ = 0.0;
  Manifold& out_;
  ContactFrame frame_;
  Patch patch_;
};

void Builder::add(const Vec2& s, double z_a, double z_b, double weight, std::uint32_t feature) {
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

PatchPolygon Builder::polygon(const SupportFace& face) const {
  // Counter-clockwise from outside is clockwise in the contact plane for the upper body.
  const bool reversed = dot(face.normal, frame_.n) < 0.0;
  PatchPolygon p;
  p.count = face.count;
  for (int i = 0; i < face.count; ++i) {
    const int k = reversed ? face.count - 1 - i : i;
    p.corner[static_cast<std::size_t>(i)] = frame_.plane(face.corner[static_cast<std::size_t>(k)]);
  }
  return p;
}

PatchDisc Builder::disc(const SupportFace& face) const {
  const double mark = std::atan2(dot(face.mark, frame_.v), dot(face.mark, frame_.u));
  return {frame_.plane(face.point), face.radius, slant(face, frame_).slope, mark};
}

bool Builder::find_patch(const SupportFace& a, const SupportFace& b) {
  using Kind = SupportFace::Kind;
  patch_.count = 0;
  if (a.kind == Kind::plane || b.kind == Kind::plane) {
    const SupportFace& bounded = a.kind == Kind::plane ? b : a;
    if (bounded.kind == Kind::polygon) whole(polygon(bounded), tolerance_, patch_);
    if (bounded.kind == Kind::disc) whole(disc(bounded), patch_);
  } else if (a.kind == Kind::polygon && b.kind == Kind::polygon) {
    intersect(polygon(a), polygon(b), tolerance_, patch_);
  } else if (a.kind == Kind::disc && b.kind == Kind::disc) {
    intersect(disc(a), disc(b), tolerance_, patch_);
  } else {
    const bool a_is_disc = a.kind == Kind::disc;
    intersect(disc(a_is_disc ? a : b), polygon(a_is_disc ? b : a), tolerance_, patch_);
  }
  return patch_.count > 0;
}

/// One eighth of a rim, however it is cut.
struct RimLump {
  const PatchPiece* arc = nullptr;
  double area = 0.0;
  Vec2 moment;
};

void Builder::add_patch(const Slant& a, const Slant& b, double share) {
  const Vec2 apex = (1.0 / tilt_) * (b.slope - a.slope);
  std::array<RimLump, 2 * kRimParts> lumps{};
  const auto put = [&](const Vec2& s, double area, std::uint32_t label) {
    add(s, a(s) + rounding_a_, b(s) - rounding_b_, share * area / kPi, label);
  };
  for (int i = 0; i < patch_.count; ++i) {
    const PatchPiece& piece = patch_.piece[static_cast<std::size_t>(i)];
    const DiscPart part = part_in_wedge(apex, piece.normal_from, piece.normal_to, piece.turn);
    if (piece.radius == 0.0) {
      put(piece.centre, part.area, piece.label);
    } else {
      RimLump& lump = lumps[piece.rim_part];
      lump.arc = &piece;
      lump.area += part.area;
      lump.moment = lump.moment + part.moment - part.area * apex;
    }
  }
  for (const RimLump& lump : lumps) {
    const double length = norm(lump.moment);
    if (!lump.arc || !(length > 0.0)) continue;
    const Vec2 e = (1.0 / length) * lump.moment;
    const double lift = dot(lump.arc->slope, e);
    const double reach = lump.arc->radius / std::sqrt(1.0 + lift * lift);
    put(lump.arc->centre + reach * e, lump.area, lump.arc->label);
  }
  const double flat = std::max(0.0, 1.0 - dot(apex, apex));
  out_.area += share * patch_.area * flat * flat;
}

void Builder::add_faces(const SupportFace& a, const SupportFace& b, double share) {
  tolerance_ = 0.0;
  for (const SupportFace* f : {&a, &b}) {
    for (int i = 0; i < f->count; ++i) {
      tolerance_ = std::max(tolerance_, norm(f->corner[static_cast<std::size_t>(i)] - f->point));
    }
    if (f->kind == SupportFace::disc) tolerance_ = std::max(tolerance_, f->radius);
  }
  // Rounding of the faces themselves and of their places in the world.
  tolerance_ = 1e-13 * tolerance_ + 1e-15 * norm(frame_.origin);
  if (!find_patch(a, b)) return add_borders(borders(a), borders(b), share);
  add_patch(slant(a, frame_), slant(b, frame_), share);
}

/// The edges of a face that pass through the contact point: two at a corner.
Builder::Borders Builder::borders(const SupportFace& face) const {
  Borders out;
  for (int i = 0; i < face.count && out.count < 2; ++i) {
    const Vec3& p = face.corner[static_cast<std::size_t>(i)];
    const Vec3& q = face.corner[static_cast<std::size_t>(i + 1 < face.count ? i + 1 : 0)];
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
void Builder::add_borders(const Borders& a, const Borders& b, double share) {
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

void Builder::add_line_on_face(const SupportLine& line, const SupportFace& face, bool line_is_a,
                               double share) {
  const Vec2 p = frame_.plane(line.p), q = frame_.plane(line.q);
  const double length = norm(q - p), full_length = norm(line.q - line.p);
  const double tolerance = 1e-13 * full_length;
  double t0 = 0.0, t1 = 1.0;
  bool meets = length >= kSteep * full_length;
  using Kind = SupportFace::Kind;
  if (face.kind == Kind::polygon) meets &= clip_segment(p, q, polygon(face), tolerance, t0, t1);
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

/// A line seen from the crossing point: unit direction in the plane, reach along it both
/// ways, and how it rises.
struct Ruling {
  Vec2 direction;
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

void Builder::add_lines(const SupportLine& a, const SupportLine& b, double share) {
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

/// Normalises the weights, and finds length and width from the spread of the points.
void Builder::finish() {
  double total = 0.0;
  for (int i = 0; i < out_.count; ++i) total += out_.points[static_cast<std::size_t>(i)].weight;
  Vec2 mean;
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

double face_share(const SupportFace& face, double tilt) {
  if (face.kind == SupportFace::none) return 0.0;
  const double fade = face.kind == SupportFace::disc ? kDiscFade : kPolygonFade;
  return 1.0 - smooth_step(face.slope / (fade * tilt) - 1.0);
}

}  // namespace

void find_manifold(const Core& A, const Pose& X_WA, const Core& B, const Pose& X_WB,
                   const Contact& contact, double tilt, Manifold& out) {
  SupportFeature a, b;
  find_support_feature(A, X_WA, contact.n_AB_W, a);
  find_support_feature(B, X_WB, -contact.n_AB_W, b);
  const double face_a = face_share(a.face, tilt), face_b = face_share(b.face, tilt);
  Builder builder(A, B, contact, tilt, out);
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
  const auto large = [&](double side) {
    const double half = 0.5 * side;
    return half * half / (half * half + half_width * half_width);
  };
  if (!(half_width > 0.0)) half_width = std::numeric_limits<double>::min();
  const double longish = large(manifold.length), wide = large(manifold.width);
  return {1.0 - longish, longish * (1.0 - wide), longish * wide};
}

}  // namespace carom
