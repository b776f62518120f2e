// What there is to draw of a model: bodies with their shapes, markers, springs. Equal
// shapes share one mesh, so that a page can draw many bodies at once.
#pragma once

#include <string>
#include <vector>

#include "carom/base/json.h"
#include "carom/engine/model.h"
#include "viewer/drawn_mesh.h"

namespace carom::viewer {

struct DrawnShape {
  int mesh = -1;  ///< into DrawnScene::meshes; -1: a half space
  Pose X_BS;
  std::string kind, name;
  bool contact = true;
};

struct DrawnBody {
  std::string name, material;
  bool fixed = false;
  Pose X_WB;  ///< at the start
  double mass = 0.0;
  Vec3 com;
  double size = 0.0;
  std::vector<DrawnShape> shapes;
};

/// A point that moves with a body; body -1 is the world.
struct DrawnPoint {
  std::string name;
  int body = -1;
  Vec3 p_BK;
};

struct DrawnSpring {
  std::string name;
  DrawnPoint from, to;
};

/// Where a joint is on its parent and child, so that reactions can be drawn there, and
/// bodies without shapes as rods between their joints.
struct DrawnJoint {
  std::string name, kind;
  int parent = -1, child = -1;
  Vec3 p_PF, p_BM, axis_B;
};

struct DrawnScene {
  std::vector<DrawnMesh> meshes;
  std::vector<DrawnMesh> coarse;  ///< of each mesh, with fewer triangles; empty: there is none
  std::vector<DrawnBody> bodies;
  std::vector<DrawnPoint> markers;
  std::vector<DrawnSpring> springs;
  std::vector<DrawnJoint> joints;
  Vec3 up;            ///< against gravity
  bool falls = true;  ///< there is uniform gravity, so a floor makes sense
};

DrawnScene draw(const std::shared_ptr<const Model>& model);

/// {"bodies": […], "markers": […], "springs": […], "joints": […], "up": […], "meshes": […]},
/// without the outer braces; meshes are written to `blob`, and the text says where.
JsonObject scene_json(const DrawnScene& scene, Bytes& blob);

}  // namespace carom::viewer
