// All examples of all rows of the shape catalogue, for conformance tests: a new row is
// tested without editing a test.
#pragma once

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "carom/geometry/shape.h"

namespace carom {

/// The spacing of doubles at 1: what one rounding may cost.
constexpr double kEps = 2.2e-16;

struct NamedShape {
  std::string name;
  Shape shape;
};

inline void PrintTo(const NamedShape& s, std::ostream* out) { *out << s.name; }

inline std::vector<NamedShape> example_shapes() {
  std::vector<NamedShape> out;
  for (const ShapeKind* kind : shape_catalogue()) {
    int number = 0;
    for (const ShapeInput& input : examples(*kind)) {
      out.push_back({std::string(kind->name) + "_" + std::to_string(number++), make_shape(input)});
    }
  }
  return out;
}

inline bool bounded(const Shape& s) { return std::isfinite(bounding_radius(s)); }

inline Vec3 random_direction(std::mt19937& gen) {
  std::normal_distribution<double> normal;
  return normalized(Vec3{normal(gen), normal(gen), normal(gen)});
}

class EveryShape : public ::testing::TestWithParam<NamedShape> {
 protected:
  const Shape& shape() const { return GetParam().shape; }
  double size() const { return bounding_radius(shape()); }
};

inline std::string shape_name(const ::testing::TestParamInfo<NamedShape>& info) {
  return info.param.name;
}

}  // namespace carom
