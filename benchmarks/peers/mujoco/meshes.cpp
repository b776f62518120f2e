// Mesh on mesh in MuJoCo: the torus becomes its convex hull, without hole and hollows; the ground
// is a height field. Another task than that of the other engines, and the nearest it offers.
#include "../../common/meshes.h"

#include "../s4.h"
#include "world.h"

namespace carom::bench {
namespace {

constexpr int kSide = 51;  ///< points of the height field along each side
constexpr double kLowest = -0.06, kHighest = 0.3;

std::string bodies_text() {
  using S = Meshes;
  std::ostringstream text;
  text.precision(17);
  text << "<geom type='hfield' hfield='ground' pos='0 0 " << kLowest << "'/><body pos='0 0 "
       << S::height << "'><freejoint/><inertial pos='0 0 0' mass='" << S::mass << "' diaginertia='"
       << S::Ix << ' ' << S::Ix << ' ' << S::Iz << "'/><geom type='mesh' mesh='torus'/></body>";
  return text.str();
}

std::string assets_text() {
  std::ostringstream text;
  text.precision(17);
  text << "<asset><hfield name='ground' nrow='" << kSide << "' ncol='" << kSide << "' size='"
       << Meshes::half << ' ' << Meshes::half << ' ' << kHighest - kLowest
       << " 0.2'/><mesh name='torus' vertex='";
  const Mesh torus = Meshes::torus();
  for (const auto& v : torus.vertices) text << v[0] << ' ' << v[1] << ' ' << v[2] << ' ';
  text << "' face='";
  for (const auto& t : torus.triangles) text << t[0] << ' ' << t[1] << ' ' << t[2] << ' ';
  text << "'/></asset>";
  return text.str();
}

Row drop(const Options& o) {
  World w(o, bodies_text(), assets_text());
  for (int row = 0; row < kSide; ++row) {
    for (int column = 0; column < kSide; ++column) {
      const double x = Meshes::half * (2.0 * column / (kSide - 1) - 1.0);
      const double y = Meshes::half * (2.0 * row / (kSide - 1) - 1.0);
      w.m->hfield_data[row * kSide + column] =
          static_cast<float>((Meshes::ground_height(x, y) - kLowest) / (kHighest - kLowest));
    }
  }
  return run_meshes(
      setting_of(o), 0.0, o.step, [&] { mj_step(w.m, w.d); },
      [&] {
        const mjtNum *p = w.d->qpos, *v = w.d->qvel;
        mjtNum R[9];
        mju_quat2Mat(R, p + 3);
        return TorusAt{{p[0], p[1], p[2]},
                       {{{R[0], R[1], R[2]}, {R[3], R[4], R[5]}, {R[6], R[7], R[8]}}},
                       std::hypot(v[0], v[1], v[2])};
      });
}

}  // namespace

void s4() {
  Options o;
  o.friction = Meshes::friction;
  o.name = "Euler, default contact, convex hull of the torus,";
  print_row("s4_meshes", engine_name(), drop(o));
}

}  // namespace carom::bench
