// Masses and inertias of the bodies that move.
//
// An inertia tensor I belongs to some distribution of mass exactly if its second
// moment tensor  S = (tr I / 2) 1 − I  has no negative eigenvalue (the triangle
// inequality of principal moments, in any axes).                              (1)
#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "carom/base/text.h"
#include "carom/multibody/joint_kind.h"
#include "carom/scene/body_mass.h"
#include "carom/scene/validate/validate.h"

namespace carom {
namespace {

/// Least eigenvalue of a symmetric matrix by the trigonometric solution of its
/// characteristic polynomial; exact to about 1e-15 of its largest element.
double least_eigenvalue(const Sym3& a) {
  const double mean = trace(a) / 3.0;
  const Sym3 b = a - Sym3{mean, mean, mean, 0, 0, 0};
  const double p2 =
      (b.xx * b.xx + b.yy * b.yy + b.zz * b.zz + 2.0 * (b.xy * b.xy + b.xz * b.xz + b.yz * b.yz)) /
      6.0;
  const double p = std::sqrt(p2);
  if (p == 0.0) return mean;
  const double r = std::clamp(determinant((1.0 / p) * to_mat3(b)) / 2.0, -1.0, 1.0);
  return mean + 2.0 * p * std::cos(std::acos(r) / 3.0 + 2.0 * std::numbers::pi / 3.0);
}

void check_inertia(const BodySpec& body, const Sym3& inertia, Diagnostics& out) {
  const double total = trace(inertia);
  if (total == 0.0 && inertia == Sym3{}) return;  // a point mass
  const double half = 0.5 * total;
  const double least = least_eigenvalue(Sym3{half, half, half, 0, 0, 0} - inertia);  // (1)
  // Figures typed with three digits may miss (1) by a per cent of the trace.
  const bool impossible = !(total > 0.0) || !(least >= -0.01 * total);
  if (impossible) {
    out.error(body.where, "bodies." + body.name + ".inertia belongs to no body",
              "each principal moment must be at most the sum of the other two; elements are "
              "[Ixx, Iyy, Izz, Ixy, Ixz, Iyz] about the centre of mass");
  } else if (least < -1e-6 * total) {
    out.warning(body.where, "bodies." + body.name +
                                ".inertia is slightly impossible: one principal moment exceeds the "
                                "sum of the others");
  }
}

/// True if the body lacks what its mass would follow from; reports why.
bool report_missing_density(const Scene& scene, const BodySpec& body, Diagnostics& out) {
  bool missing = false;
  for (const ShapeSpec& shape : body.shapes) {
    if (!shape.has_mass || !shape.shape.kind || !shape.shape.kind->unit_properties) continue;
    if (shape_density(scene, body, shape)) continue;
    missing = true;
    out.error(shape.where,
              "a " + std::string(shape.shape.kind->name) + " of '" + body.name +
                  "' has no density, and the body no mass",
              "give the body a material (such as steel) or a mass, the shape a density, or write "
              "mass: off");
  }
  return missing;
}

void report_bad_volumes(const BodySpec& body, Diagnostics& out) {
  if (body.mass && body.inertia) return;
  for (const ShapeSpec& shape : body.shapes) {
    if (!shape.has_mass || !shape.shape.kind || !shape.shape.kind->unit_properties) continue;
    const std::string problem = mass_problem(shape.shape);
    if (problem.empty()) continue;
    out.error(shape.where, "the mass of '" + body.name + "' cannot be computed: " + problem,
              "mend the mesh, give the body mass, com and inertia, or write mass: off");
  }
}

void check_body(const Scene& scene, const BodySpec& body, bool welded, Diagnostics& out) {
  const auto is_unread = [](const ShapeSpec& s) { return !s.shape.kind; };
  if (std::ranges::any_of(body.shapes, is_unread)) return;  // its mass is not known
  if (!body.mass && report_missing_density(scene, body, out)) return;
  report_bad_volumes(body, out);
  const MassProperties mass = body_mass_properties(scene, body);
  if (!(mass.mass > 0.0) && !welded) {
    out.error(body.where, "body '" + body.name + "' moves but has no mass",
              body.shapes.empty() ? "add mass: …, shapes with a material, or fixed: true"
                                  : "give its shapes a volume and a density, or add mass: …");
    return;
  }
  if (!std::isfinite(mass.mass) || !is_finite(mass.com)) {
    out.error(body.where, "the mass of body '" + body.name + "' is not finite");
  }
  check_inertia(body, mass.inertia, out);
}

}  // namespace

void check_masses(const Scene& scene, Diagnostics& out) {
  std::map<std::string, bool> welded;
  for (const JointSpec& joint : scene.joints) {
    const JointKind* kind = find_joint_kind(joint.kind);
    if (!joint.loop && kind && kind->nv == 0) welded[joint.child] = true;
  }
  for (const BodySpec& body : scene.bodies) {
    if (!body.fixed) check_body(scene, body, welded.contains(body.name), out);
  }
}

}  // namespace carom
