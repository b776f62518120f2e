#include "carom/geometry/mass_properties.h"

namespace carom {

MassProperties to_mass_properties(const VolumeMoments& m) {
  MassProperties out;
  out.volume = out.mass = m.volume;
  if (m.volume == 0.0) return out;
  out.com = m.first / m.volume;
  const Sym3 central = m.second - m.volume * outer(out.com);
  const double t = trace(central);
  out.inertia = Sym3{t, t, t, 0, 0, 0} - central;
  return out;
}

// Tetrahedron (0, a, b, c) with s = a + b + c:  V = a.(b × c) / 6,
//   ∫ x = V s / 4,   ∫ x xᵀ = V (a aᵀ + b bᵀ + c cᵀ + s sᵀ) / 20.
// The reference point is the middle of the box, so that a mesh far from the origin
// loses no digits.
MassProperties polyhedron_properties(const TriangleMesh& mesh) {
  const MeshExtent box = extent(mesh);
  const Vec3 middle = 0.5 * (box.lower + box.upper);
  VolumeMoments sum;
  for (const Triangle& t : mesh.triangles) {
    const Vec3 a = mesh.vertices[t[0]] - middle;
    const Vec3 b = mesh.vertices[t[1]] - middle;
    const Vec3 c = mesh.vertices[t[2]] - middle;
    const Vec3 s = a + b + c;
    const double volume = dot(a, cross(b, c)) / 6.0;
    sum += {volume, 0.25 * volume * s, volume / 20.0 * (outer(a) + outer(b) + outer(c) + outer(s))};
  }
  MassProperties out = to_mass_properties(sum);
  out.com += middle;
  return out;
}

MassProperties moved(const Pose& X_AS, const MassProperties& body) {
  return {body.volume, body.mass, X_AS * body.com, rotated(X_AS.R, body.inertia)};
}

MassProperties combined(const MassProperties& a, const MassProperties& b) {
  MassProperties out;
  out.volume = a.volume + b.volume;
  out.mass = a.mass + b.mass;
  if (out.mass == 0.0) return out;
  out.com = (a.mass * a.com + b.mass * b.com) / out.mass;
  out.inertia = a.inertia + b.inertia + a.mass * point_inertia(a.com - out.com) +
                b.mass * point_inertia(b.com - out.com);
  return out;
}

}  // namespace carom
