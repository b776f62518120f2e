// Two faces: their intersection, reduced to corners and parts of rims.
#include "carom/proximity/manifold/manifold_builder.h"
#include "carom/proximity/manifold/tilt_window.h"

namespace carom {

void ManifoldBuilder::project(const SupportFace& face, PatchPolygon& p) const {
  // Counter-clockwise from outside is clockwise in the contact plane for the upper body.
  const bool reversed = dot(face.normal, frame_.n) < 0.0;
  const int stride = 1 + (face.count - 1) / kMaxFaceCorners;
  p.count = 0;
  for (int i = 0; i < face.count; i += stride) {
    const int k = reversed ? face.count - 1 - i : i;
    p.corner[static_cast<std::size_t>(p.count++)] = frame_.plane(face.corner(k));
  }
}

PatchDisc ManifoldBuilder::disc(const SupportFace& face) const {
  const double mark = std::atan2(dot(face.mark, frame_.v), dot(face.mark, frame_.u));
  return {frame_.plane(face.point), face.radius, slant(face, frame_).slope, mark};
}

bool ManifoldBuilder::find_patch(const SupportFace& a, const SupportFace& b) {
  using Kind = SupportFace::Kind;
  patch_.count = 0;
  PatchPolygon pa, pb;
  if (a.kind == Kind::polygon) project(a, pa);
  if (b.kind == Kind::polygon) project(b, pb);
  set_tolerance(pa, pb, a.radius + b.radius);
  if (a.kind == Kind::plane || b.kind == Kind::plane) {
    if (a.kind == Kind::polygon || b.kind == Kind::polygon) {
      whole(a.kind == Kind::polygon ? pa : pb, tolerance_, patch_);
    } else if (a.kind == Kind::disc || b.kind == Kind::disc) {
      whole(disc(a.kind == Kind::disc ? a : b), patch_);
    }
  } else if (a.kind == Kind::polygon && b.kind == Kind::polygon) {
    intersect(pa, pb, tolerance_, patch_);
  } else if (a.kind == Kind::disc && b.kind == Kind::disc) {
    intersect(disc(a), disc(b), tolerance_, patch_);
  } else {
    const bool a_is_disc = a.kind == Kind::disc;
    intersect(disc(a_is_disc ? a : b), a_is_disc ? pb : pa, tolerance_, patch_);
  }
  return patch_.count > 0;
}

/// Rounding of the faces themselves and of their places in the world.
void ManifoldBuilder::set_tolerance(const PatchPolygon& a, const PatchPolygon& b, double radius) {
  double size = radius;
  for (const PatchPolygon* p : {&a, &b}) {
    for (int i = 1; i < p->count; ++i) {
      size = std::max(size, norm(p->corner[static_cast<std::size_t>(i)] - p->corner[0]));
    }
  }
  tolerance_ = 1e-13 * size + 1e-15 * norm(frame_.origin);
}

namespace {

/// A part of a rim, however it is cut into arcs.
struct RimLump {
  const PatchPiece* arc = nullptr;
  double area = 0.0;
  Vec2 moment{};  ///< of the tilts about the apex
};

constexpr double kPi = std::numbers::pi;

}  // namespace

void ManifoldBuilder::add_patch(const Slant& a, const Slant& b, double share) {
  const Vec2 apex = (1.0 / tilt_) * (b.slope - a.slope);
  std::array<RimLump, kNoPart> lumps;
  const auto put = [&](const Vec2& s, double area, std::uint32_t label) {
    add(s, a(s) + rounding_a_, b(s) - rounding_b_, share * area / kPi, label);
  };
  DiscPart next = swept(apex, patch_.piece[0].normal_from);
  for (int i = 0; i < patch_.count; ++i) {
    // Pieces follow each other: the normal at the end of one is that at the start of the next.
    const PatchPiece& piece = patch_.piece[static_cast<std::size_t>(i)];
    const DiscPart in = next;
    next = swept(apex, piece.normal_to);
    const DiscPart part = in + sector(piece.normal_from, piece.normal_to, piece.turn) - next;
    if (piece.rim_part == kNoPart) {
      put(piece.centre, part.area, piece.label);
      continue;
    }
    RimLump& lump = lumps[piece.rim_part];
    lump.arc = &piece;
    lump.area += part.area;
    lump.moment = lump.moment + part.moment - part.area * apex;
  }
  for (const RimLump& lump : lumps) {
    if (!(lump.area > kNoWeight)) continue;
    const Vec2 e = (1.0 / norm(lump.moment)) * lump.moment;
    const double lift = dot(lump.arc->slope, e);
    put(lump.arc->centre + (lump.arc->radius / std::sqrt(1.0 + lift * lift)) * e, lump.area,
        lump.arc->label);
  }
  const double flat = std::max(0.0, 1.0 - dot(apex, apex));
  out_.area += share * patch_.area * flat * flat;
}

void ManifoldBuilder::add_faces(const SupportFace& a, const SupportFace& b, double share) {
  if (!find_patch(a, b)) return add_borders(borders(a), borders(b), share);
  add_patch(slant(a, frame_), slant(b, frame_), share);
}

}  // namespace carom
