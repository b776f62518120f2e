// The hull of a body by qhull [Barber, Dobkin, Huhdanpaa 1996], through its reentrant
// C interface. Faces that round-off cannot tell apart come back merged; their corners
// are put in order here, so no function of qhull that may jump out is called after the
// hull is made. qhull's messages go to a buffer, for the library never prints.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

extern "C" {
#include <libqhull_r/qhull_ra.h>
}

#include "carom/geometry/convex_hull.h"

namespace carom {
namespace {

/// Counter-clockwise about `normal`, starting with the smallest index.
void sort_around(std::span<const Vec3> points, const Vec3& normal,
                 std::span<std::uint32_t> corners) {
  Vec3 middle;
  for (const std::uint32_t c : corners) middle += points[c] / static_cast<double>(corners.size());
  std::sort(corners.begin(), corners.end());
  const Vec3 u = points[corners[0]] - middle, v = cross(normal, u);
  const auto angle = [&](std::uint32_t c) {
    const double a = std::atan2(dot(v, points[c] - middle), dot(u, points[c] - middle));
    return a < 0.0 ? a + 7.0 : a;
  };
  std::sort(corners.begin() + 1, corners.end(),
            [&](std::uint32_t a, std::uint32_t b) { return angle(a) < angle(b); });
}

void collect_faces(qhT* qh, std::span<const Vec3> points, Polytope& out) {
  for (facetT* facet = qh->facet_list; facet && facet->next; facet = facet->next) {
    PolytopeFace face;
    face.first = static_cast<std::uint32_t>(out.face_vertices.size());
    vertexT *vertex, **vertexp;
    FOREACHvertex_(facet->vertices) {
      const auto index = (vertex->point - qh->first_point) / 3;
      out.face_vertices.push_back(static_cast<std::uint32_t>(index));
    }
    face.count = static_cast<std::uint32_t>(out.face_vertices.size()) - face.first;
    face.normal = normalized(Vec3{facet->normal[0], facet->normal[1], facet->normal[2]});
    const std::span<std::uint32_t> corners(out.face_vertices.data() + face.first, face.count);
    sort_around(points, face.normal, corners);
    // The plane through the outermost corner: no vertex lies outside by more than round-off.
    face.offset = dot(face.normal, points[corners[0]]);
    for (const std::uint32_t c : corners) {
      face.offset = std::max(face.offset, dot(face.normal, points[c]));
    }
    out.faces.push_back(face);
  }
}

}  // namespace

bool hull_faces(std::span<const Vec3> points, Polytope& out) {
  // About their middle, for qhull's tolerances grow with the largest coordinate.
  Vec3 lower = points[0], upper = points[0];
  for (const Vec3& p : points) {
    for (std::size_t i = 0; i < 3; ++i) {
      lower[i] = std::min(lower[i], p[i]), upper[i] = std::max(upper[i], p[i]);
    }
  }
  const Vec3 middle = 0.5 * (lower + upper);
  std::vector<double> coordinates;
  coordinates.reserve(3 * points.size());
  for (const Vec3& p : points) {
    for (std::size_t i = 0; i < 3; ++i) coordinates.push_back(p[i] - middle[i]);
  }
  char* text = nullptr;
  std::size_t text_size = 0;
  std::FILE* messages = open_memstream(&text, &text_size);
  qhT state;
  qh_zero(&state, messages);
  char options[] = "qhull ";
  const int failed = qh_new_qhull(&state, 3, static_cast<int>(points.size()), coordinates.data(),
                                  False, options, nullptr, messages);
  if (!failed) collect_faces(&state, points, out);
  qh_freeqhull(&state, !qh_ALL);
  int blocks = 0, bytes = 0;  // what is left: nothing
  qh_memfreeshort(&state, &blocks, &bytes);
  std::fclose(messages);
  std::free(text);
  return !failed;
}

}  // namespace carom
