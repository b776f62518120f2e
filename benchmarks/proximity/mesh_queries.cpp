// Queries of two meshes, the torus and the ground of S4: Carom beside FCL.
//
//   bench_mesh_queries > mesh_queries.csv
//
// Distance: the nearest pair of triangles of meshes that are apart. Referee: both engines must
// find the same distance. Contacts: all pairs of triangles that meet, with depth and normal.
// Carom leaves a pair that touches along a seam to its neighbour: the counts are of different
// things.
#include <fcl/fcl.h>

#include <cstdio>
#include <numbers>

#include "../common/meshes.h"
#include "carom/proximity/piece_contacts.h"

namespace carom::bench {
namespace {

using FclMesh = fcl::BVHModel<fcl::OBBRSSd>;

std::shared_ptr<FclMesh> fcl_mesh(const Mesh& mesh) {
  std::vector<fcl::Vector3d> vertices;
  std::vector<fcl::Triangle> triangles;
  for (const auto& v : mesh.vertices) vertices.emplace_back(v[0], v[1], v[2]);
  for (const auto& t : mesh.triangles) {
    triangles.emplace_back(static_cast<std::size_t>(t[0]), static_cast<std::size_t>(t[1]),
                           static_cast<std::size_t>(t[2]));
  }
  auto made = std::make_shared<FclMesh>();
  made->beginModel();
  made->addSubModel(vertices, triangles);
  made->endModel();
  return made;
}

Shape carom_mesh(const Mesh& mesh) {
  ShapeInput input{.kind = find_shape_kind("triangle_mesh"), .edge_radius = 0.0};
  for (const auto& v : mesh.vertices) input.mesh.vertices.push_back({v[0], v[1], v[2]});
  for (const auto& t : mesh.triangles) {
    input.mesh.triangles.push_back({static_cast<std::uint32_t>(t[0]),
                                    static_cast<std::uint32_t>(t[1]),
                                    static_cast<std::uint32_t>(t[2])});
  }
  return make_shape(input);
}

/// The torus, turned about z and tilted a little, at a height over the middle of the ground.
struct Placed {
  Pose carom;
  fcl::Transform3d fcl;

  Placed(double height, double turn) : fcl(fcl::Transform3d::Identity()) {
    const Eigen::Matrix3d R = (Eigen::AngleAxisd(turn, Eigen::Vector3d::UnitZ()) *
                               Eigen::AngleAxisd(0.05, Eigen::Vector3d::UnitX()))
                                  .toRotationMatrix();
    fcl.linear() = R;
    fcl.translation() = Eigen::Vector3d(0.0, 0.0, height);
    carom.p = {0.0, 0.0, height};
    for (int i = 0; i < 3; ++i) {
      for (int k = 0; k < 3; ++k) {
        carom.R(static_cast<std::size_t>(i), static_cast<std::size_t>(k)) = R(i, k);
      }
    }
  }
};

struct Bench {
  Shape torus = carom_mesh(Meshes::torus()), ground = carom_mesh(Meshes::ground());
  std::shared_ptr<FclMesh> fcl_torus = fcl_mesh(Meshes::torus());
  std::shared_ptr<FclMesh> fcl_ground = fcl_mesh(Meshes::ground());
  std::vector<PieceContact> contacts;

  double carom_distance(const Placed& at) {
    return nearest_contact(ground, {}, torus, at.carom).contact.phi;
  }
  double fcl_distance(const Placed& at) {
    fcl::DistanceRequestd request;
    fcl::DistanceResultd result;
    return fcl::distance(fcl_ground.get(), fcl::Transform3d::Identity(), fcl_torus.get(), at.fcl,
                         request, result);
  }
  double carom_contacts(const Placed& at) {
    find_contacts(ground, {}, torus, at.carom, 0.0, contacts);
    return static_cast<double>(contacts.size());
  }
  double fcl_contacts(const Placed& at) {
    fcl::CollisionRequestd request(100000, true);
    fcl::CollisionResultd result;
    return static_cast<double>(fcl::collide(fcl_ground.get(), fcl::Transform3d::Identity(),
                                            fcl_torus.get(), at.fcl, request, result));
  }
};

constexpr int kPoses = 15;

/// Median, least and largest time of a query over poses, and the mean of what it answers.
template <class Query>
void measure(const char* query, double height, const char* engine, Query ask) {
  std::vector<double> times;
  double answers = 0.0;
  for (int i = 0; i < kPoses; ++i) {
    const Placed at(height, 2.0 * std::numbers::pi * i / kPoses);
    const double begin = thread_cpu_seconds();
    answers += ask(at) / kPoses;
    times.push_back(1e6 * (thread_cpu_seconds() - begin));
  }
  std::printf("%s,%g,%s,%.4g,%.4g,%.4g,%.15g\n", query, height, engine, quantile(times, 0.5),
              quantile(times, 0.0), quantile(times, 1.0), answers);
}

}  // namespace
}  // namespace carom::bench

int main() {
  using namespace carom::bench;
  Bench bench;
  std::puts("query,height,engine,median_us,least_us,largest_us,mean_answer");
  for (const double height : {1.0, 0.3, 0.22}) {
    measure("distance", height, "Carom",
            [&](const Placed& at) { return bench.carom_distance(at); });
    measure("distance", height, "FCL", [&](const Placed& at) { return bench.fcl_distance(at); });
  }
  for (const double height : {0.14, 0.12, 0.08}) {
    measure("contacts", height, "Carom",
            [&](const Placed& at) { return bench.carom_contacts(at); });
    measure("contacts", height, "FCL", [&](const Placed& at) { return bench.fcl_contacts(at); });
  }
}
