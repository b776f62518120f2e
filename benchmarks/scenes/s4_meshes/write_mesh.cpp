// Prints a mesh of S4 as an OFF file: the peers and Carom get the same vertices.
//
//   bench_write_mesh torus|ground
#include <cstdio>
#include <string>

#include "../../common/meshes.h"

int main(int count, char** words) {
  using carom::bench::Meshes;
  const std::string name = count > 1 ? words[1] : "torus";
  const carom::bench::Mesh mesh = name == "torus" ? Meshes::torus() : Meshes::ground();
  std::printf("OFF\n%zu %zu 0\n", mesh.vertices.size(), mesh.triangles.size());
  for (const auto& v : mesh.vertices) std::printf("%.17g %.17g %.17g\n", v[0], v[1], v[2]);
  for (const auto& t : mesh.triangles) std::printf("3 %d %d %d\n", t[0], t[1], t[2]);
}
