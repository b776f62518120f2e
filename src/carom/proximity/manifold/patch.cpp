// Polygon by polygon: clipping by half planes (Sutherland and Hodgman 1974). Disc by
// polygon: the parts of the edges inside the disc, joined by arcs. Disc by disc: a lens.
//
// A corner's label is made of its two edges, an arc's of its number: edge i of the first
// region is i, of the second 64 + i, and arc k of a disc 128 + k or 192 + k.
#include "carom/proximity/manifold/patch.h"

#include <algorithm>
#include <numbers>

namespace carom {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr std::uint32_t kSecond = 64, kArc = 128;

struct Corner {
  Vec2 at;
  std::uint32_t edge;  ///< the one that starts here
};
struct Loop {
  int count = 0;
  std::array<Corner, 2 * kMaxFaceCorners + 2> corner;
  void push(const Vec2& at, std::uint32_t edge) {
    if (count < static_cast<int>(corner.size())) {
      corner[static_cast<std::size_t>(count++)] = {at, edge};
    }
  }
  const Corner& operator[](int i) const {
    return corner[static_cast<std::size_t>(i < count ? i : i - count)];
  }
};

Vec2 right_normal(const Vec2& from, const Vec2& to) {
  const Vec2 d = to - from;
  const double length = norm(d);
  return length > 0.0 ? Vec2{d.y / length, -d.x / length} : Vec2{};
}

/// Between two normals; a hair below zero or pi is rounding, not a turn to the other side.
double turn_between(const Vec2& from, const Vec2& to) {
  const double t = angle(from, to);
  return t < -0.5 * kPi ? t + 2.0 * kPi : std::max(t, 0.0);
}

void push(Patch& out, const PatchPiece& piece) {
  if (out.count < kMaxPatchPieces) out.piece[static_cast<std::size_t>(out.count++)] = piece;
}

void push_corner(Patch& out, const Vec2& at, const Vec2& from, const Vec2& to,
                 std::uint32_t label) {
  push(out, {at, 0.0, from, to, turn_between(from, to), {}, kNoPart, label});
}

/// An arc, cut at the disc's marks so that its pieces belong to fixed parts of the body.
void push_arc(Patch& out, const PatchDisc& disc, double from, double turn, std::uint32_t side) {
  const double step = 2.0 * kPi / kRimParts;
  double part = std::floor((from - disc.mark) / step + 1e-9);
  double at = from;
  const double end = from + turn;
  while (at < end - 1e-12) {
    const double next = std::min(disc.mark + (part + 1.0) * step, end);
    const auto number = static_cast<std::uint32_t>(static_cast<long>(part) & (kRimParts - 1));
    push(out, {disc.centre, disc.radius, unit(at), unit(next), next - at, disc.slope,
               number + (side > 0 ? kRimParts : 0), kArc + side + number});
    at = next;
    part += 1.0;
  }
}

void set_point(const Vec2& at, std::uint32_t label, Patch& out) {
  out.count = 0;
  out.area = 0.0;
  push(out, {at, 0.0, {1, 0}, {1, 0}, 2.0 * kPi, {}, kNoPart, label});
}

void close_loop(const Loop& loop, Patch& out) {
  out.count = 0;
  out.area = 0.0;
  if (loop.count == 1) set_point(loop[0].at, loop[0].edge, out);
  if (loop.count < 2) return;
  Vec2 from = right_normal(loop[loop.count - 1].at, loop[0].at);
  for (int i = 0; i < loop.count; ++i) {
    const Corner &before = loop[i + loop.count - 1], &here = loop[i], &after = loop[i + 1];
    const Vec2 to = right_normal(here.at, after.at);
    push_corner(out, here.at, from, to, before.edge << 8 | here.edge);
    out.area += 0.5 * cross(here.at - loop[0].at, after.at - loop[0].at);
    from = to;
  }
  if (loop.count == 2) out.piece[0].turn = out.piece[1].turn = kPi;
}

/// Without corners nearer than `tolerance` to the one before.
Loop distinct(const Loop& loop, double tolerance) {
  Loop out;
  for (int i = 0; i < loop.count; ++i) {
    if (out.count > 0 && norm(loop[i].at - out[out.count - 1].at) <= tolerance) {
      out.corner[static_cast<std::size_t>(out.count - 1)].edge = loop[i].edge;
    } else {
      out.push(loop[i].at, loop[i].edge);
    }
  }
  while (out.count > 1 && norm(out[out.count - 1].at - out[0].at) <= tolerance) --out.count;
  return out;
}

Loop to_loop(const PatchPolygon& p) {
  Loop loop;
  for (int i = 0; i < p.count; ++i) {
    loop.push(p.corner[static_cast<std::size_t>(i)], static_cast<std::uint32_t>(i));
  }
  return loop;
}

/// What is left of the line through `at` with outward normal `n`.
Loop clip(const Loop& loop, const Vec2& at, const Vec2& n, std::uint32_t edge, double tolerance) {
  Loop out;
  for (int i = 0; i < loop.count; ++i) {
    const Corner &p = loop[i], &q = loop[i + 1];
    const double dp = dot(n, p.at - at), dq = dot(n, q.at - at);
    const bool p_in = dp <= tolerance, q_in = dq <= tolerance;
    if (p_in) out.push(p.at, p.edge);
    if (p_in == q_in) continue;
    const double t = std::clamp(dp / (dp - dq), 0.0, 1.0);
    out.push(p.at + t * (q.at - p.at), p_in ? edge : p.edge);
  }
  return out;
}

bool inside(const Vec2& p, const PatchPolygon& region) {
  for (int i = 0; i < region.count; ++i) {
    const Vec2& a = region.corner[static_cast<std::size_t>(i)];
    const Vec2& b = region.corner[static_cast<std::size_t>((i + 1) % region.count)];
    if (dot(right_normal(a, b), p - a) > 0.0) return false;
  }
  return true;
}

double sector_area(const PatchDisc& d, double turn) { return 0.5 * d.radius * d.radius * turn; }

}  // namespace

void whole(const PatchPolygon& a, double tolerance, Patch& out) {
  close_loop(distinct(to_loop(a), tolerance), out);
}

void whole(const PatchDisc& a, Patch& out) {
  out.count = 0;
  push_arc(out, a, a.mark, 2.0 * kPi, 0);
  out.area = kPi * a.radius * a.radius;
}

void intersect(const PatchPolygon& a, const PatchPolygon& b, double tolerance, Patch& out) {
  Loop loop = distinct(to_loop(a), tolerance);
  const Loop other = distinct(to_loop(b), tolerance);
  for (int j = 0; j < other.count && loop.count > 0; ++j) {
    const Vec2 n = right_normal(other[j].at, other[j + 1].at);
    loop = clip(loop, other[j].at, n, kSecond + other[j].edge, tolerance);
  }
  close_loop(distinct(loop, tolerance), out);
}

void intersect(const PatchDisc& a, const PatchPolygon& b, double tolerance, Patch& out) {
  struct Part {
    Vec2 from, to, normal;
    std::uint32_t edge;
    bool starts_at_corner, ends_at_corner;
  };
  std::array<Part, kMaxFaceCorners> part;
  int parts = 0;
  for (int i = 0; i < b.count; ++i) {
    const Vec2& p = b.corner[static_cast<std::size_t>(i)];
    const Vec2& q = b.corner[static_cast<std::size_t>((i + 1) % b.count)];
    double t0 = 0.0, t1 = 1.0;
    if (!clip_segment(p, q, a, 0.0, t0, t1) || (t1 - t0) * norm(q - p) <= tolerance) continue;
    part[static_cast<std::size_t>(parts++)] = {
        p + t0 * (q - p),   p + t1 * (q - p),
        right_normal(p, q), kSecond + static_cast<std::uint32_t>(i),
        t0 == 0.0,          t1 == 1.0};
  }
  out.count = 0;
  out.area = 0.0;
  if (parts == 0) {
    if (inside(a.centre, b)) whole(a, out);
    return;
  }
  for (int k = 0; k < parts; ++k) {
    const Part& here = part[static_cast<std::size_t>(k)];
    const Part& next = part[static_cast<std::size_t>((k + 1) % parts)];
    out.area += 0.5 * cross(here.from - a.centre, here.to - a.centre);
    if (here.ends_at_corner && next.starts_at_corner && norm(next.from - here.to) <= tolerance) {
      push_corner(out, here.to, here.normal, next.normal, here.edge << 8 | next.edge);
      continue;
    }
    const Vec2 leave = (1.0 / a.radius) * (here.to - a.centre);
    const Vec2 enter = (1.0 / a.radius) * (next.from - a.centre);
    double turn = angle(leave, enter);
    if (turn < 0.0) turn += 2.0 * kPi;
    push_corner(out, here.to, here.normal, leave, here.edge << 8 | kArc);
    push_arc(out, a, std::atan2(leave.y, leave.x), turn, 0);
    push_corner(out, next.from, enter, next.normal, kArc << 8 | next.edge);
    out.area += sector_area(a, turn);
  }
}

void intersect(const PatchDisc& a, const PatchDisc& b, double tolerance, Patch& out) {
  const Vec2 d = b.centre - a.centre;
  const double distance = norm(d);
  out.count = 0;
  out.area = 0.0;
  if (distance > a.radius + b.radius + tolerance) return;
  if (distance <= std::abs(a.radius - b.radius) + tolerance) {
    return whole(a.radius <= b.radius ? a : b, out);
  }
  const double x = 0.5 * (distance + (a.radius - b.radius) * (a.radius + b.radius) / distance);
  const double height2 = a.radius * a.radius - x * x;
  if (!(height2 > tolerance * tolerance))
    return set_point(a.centre + (x / distance) * d, kArc, out);
  const double half_a = std::atan2(std::sqrt(height2), x);
  const double half_b = std::atan2(std::sqrt(height2), distance - x);
  const double to_b = std::atan2(d.y, d.x), to_a = to_b + kPi;
  const Vec2 upper = a.centre + a.radius * unit(to_b + half_a);
  const Vec2 lower = a.centre + a.radius * unit(to_b - half_a);
  push_arc(out, a, to_b - half_a, 2.0 * half_a, 0);
  push_corner(out, upper, unit(to_b + half_a), unit(to_a - half_b), kArc << 8 | (kArc + kSecond));
  push_arc(out, b, to_a - half_b, 2.0 * half_b, kSecond);
  push_corner(out, lower, unit(to_a + half_b), unit(to_b - half_a), (kArc + kSecond) << 8 | kArc);
  out.area = sector_area(a, 2.0 * half_a - std::sin(2.0 * half_a)) +
             sector_area(b, 2.0 * half_b - std::sin(2.0 * half_b));
}

bool clip_segment(const Vec2& p, const Vec2& q, const PatchPolygon& region, double tolerance,
                  double& t0, double& t1) {
  t0 = 0.0, t1 = 1.0;
  for (int i = 0; i < region.count; ++i) {
    const Vec2& a = region.corner[static_cast<std::size_t>(i)];
    const Vec2& b = region.corner[static_cast<std::size_t>((i + 1) % region.count)];
    const Vec2 n = right_normal(a, b);
    const double dp = dot(n, p - a) - tolerance, dq = dot(n, q - a) - tolerance;
    if (dp > 0.0 && dq > 0.0) return false;
    if (dp > 0.0) t0 = std::max(t0, dp / (dp - dq));
    if (dq > 0.0) t1 = std::min(t1, dp / (dp - dq));
  }
  return t0 <= t1;
}

bool clip_segment(const Vec2& p, const Vec2& q, const PatchDisc& region, double tolerance,
                  double& t0, double& t1) {
  const Vec2 d = q - p, c = p - region.centre;
  const double r = region.radius + tolerance, dd = dot(d, d), cd = dot(c, d);
  const double root = cd * cd - dd * (dot(c, c) - r * r);
  if (!(root >= 0.0) || !(dd > 0.0)) return false;
  t0 = std::max((-cd - std::sqrt(root)) / dd, 0.0);
  t1 = std::min((-cd + std::sqrt(root)) / dd, 1.0);
  return t0 <= t1;
}

}  // namespace carom
