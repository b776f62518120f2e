// Signed distance against values computed with 60 digits.
#include <gtest/gtest.h>

#include <list>

#include "carom/geometry/core_kinds.h"
#include "carom/proximity/distance.h"

namespace carom {
namespace {

enum class Kind { sphere, box, cylinder, capsule, cone, ellipsoid, hull };

struct ReferenceBody {
  Kind kind;
  Vec3 par, p;
  Quat q;
  double rounding;
  std::size_t first, count;
};
struct ReferenceRow {
  ReferenceBody A, B;
  double phi;
  Vec3 n, witness_a, witness_b;
  bool unique;
};

#include "data/convex_distance.inc"

/// A core with the reference's parameters. Carom's cylinders lie along x, the
/// reference's along z: `turn` takes x to z.
struct Body {
  Core core;
  Pose X;
};

Body make_body(const ReferenceBody& r, std::list<Polytope>& hulls) {
  const Mat3 turn{{0, -1, 0, 0, 0, -1, 1, 0, 0}};
  Body body;
  body.X = {to_matrix(r.q), r.p};
  Core& c = body.core;
  c.rounding = r.rounding;
  switch (r.kind) {
    case Kind::sphere: c = make_point_core({}, r.par.x + r.rounding); break;
    case Kind::box: c.kind = &core_box, c.v[0] = r.par; break;
    case Kind::ellipsoid: c.kind = &core_ellipsoid, c.v[0] = r.par; break;
    case Kind::capsule:
      c = make_segment_core({0, 0, -r.par.y}, {0, 0, r.par.y}, r.par.x + r.rounding);
      break;
    case Kind::cylinder:
      c.kind = &core_cylinder, c.v[0] = {r.par.y, r.par.x, 0.0};
      body.X.R = body.X.R * turn;
      break;
    case Kind::cone:
      c.kind = &core_frustum;
      c.v[0] = {-0.5 * r.par.y, r.par.x, 0.0}, c.v[1] = {0.5 * r.par.y, 0.0, 0.0};
      body.X.R = body.X.R * turn;
      break;
    case Kind::hull:
      hulls.push_back(make_polytope({kHullPoints + r.first, r.count}));
      c.kind = &core_polytope, c.data = &hulls.back();
      break;
  }
  return body;
}

// The reference is exact to 1e-16; bodies are of size 1 and stand within 1 of the
// origin, so the answer is rounded at 2e-16 a few times.
constexpr double kDistanceTolerance = 1e-14;
// Normals are as good as the rotation matrices the quaternions give; overlapping
// references are known to 1e-13, times the conditioning of curved faces.
constexpr double kNormalTolerance = 1e-12;
constexpr double kWitnessTolerance = 1e-11;

void expect_row(const ReferenceRow& row, const Contact& c) {
  EXPECT_EQ(c.status, Status::ok);
  EXPECT_NEAR(c.phi, row.phi, kDistanceTolerance);
  if (norm(row.n) > 0.0) {
    EXPECT_LE(norm(c.n_AB_W - row.n), kNormalTolerance);
  }
  if (row.unique) {
    EXPECT_LE(norm(c.p_WCa - row.witness_a), kWitnessTolerance);
    EXPECT_LE(norm(c.p_WCb - row.witness_b), kWitnessTolerance);
  }
  EXPECT_LE(norm(c.p_WCb - c.p_WCa - c.phi * c.n_AB_W), 1e-15);
}

TEST(ConvexDistance, AgreesWithSixtyDigitsForRandomPairs) {
  std::list<Polytope> hulls;
  for (std::size_t i = 0; i < std::size(kRows); ++i) {
    SCOPED_TRACE("row " + std::to_string(i));
    const Body A = make_body(kRows[i].A, hulls), B = make_body(kRows[i].B, hulls);
    expect_row(kRows[i], distance(A.core, A.X, B.core, B.X));
  }
}

TEST(ConvexDistance, AgreesWithSixtyDigitsForAlignedPairs) {
  std::list<Polytope> hulls;
  for (std::size_t i = 0; i < std::size(kAlignedRows); ++i) {
    SCOPED_TRACE("aligned row " + std::to_string(i));
    const Body A = make_body(kAlignedRows[i].A, hulls), B = make_body(kAlignedRows[i].B, hulls);
    expect_row(kAlignedRows[i], distance(A.core, A.X, B.core, B.X));
  }
}

TEST(ConvexDistance, WarmStartChangesNothing) {
  std::list<Polytope> hulls;
  for (std::size_t i = 0; i < std::size(kRows); ++i) {
    SCOPED_TRACE("row " + std::to_string(i));
    const Body A = make_body(kRows[i].A, hulls);
    Body B = make_body(kRows[i].B, hulls);
    DistanceCache warm;
    const Pose X = B.X;
    B.X = Pose{axis_angle({0.6, 0.0, 0.8}, 0.02), {0.01, -0.02, 0.01}} * X;
    distance(A.core, A.X, B.core, B.X, &warm);
    expect_row(kRows[i], distance(A.core, A.X, B.core, X, &warm));
  }
}

}  // namespace
}  // namespace carom
