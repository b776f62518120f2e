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

struct NamedInput {
  std::string name;
  ShapeInput input;
};

inline void PrintTo(const NamedInput& s, std::ostream* out) { *out << s.name; }

/// What the shapes are made from. Parameters of tests are these, not the shapes: each test is a
/// program run of its own that would make all of them to use one, and some take milliseconds.
inline std::vector<NamedInput> example_inputs() {
  std::vector<NamedInput> out;
  for (const ShapeKind* kind : shape_catalogue()) {
    int number = 0;
    for (const ShapeInput& input : examples(*kind)) {
      out.push_back({std::string(kind->name) + "_" + std::to_string(number++), input});
    }
  }
  return out;
}

struct NamedShape {
  std::string name;
  Shape shape;
};

inline std::vector<NamedShape> example_shapes() {
  std::vector<NamedShape> out;
  for (const NamedInput& i : example_inputs()) {
    out.push_back({i.name, make_shape(i.input)});
  }
  return out;
}

inline bool bounded(const Shape& s) { return std::isfinite(bounding_radius(s)); }

inline Vec3 random_direction(std::mt19937& gen) {
  std::normal_distribution<double> normal;
  return normalized(Vec3{normal(gen), normal(gen), normal(gen)});
}

class EveryShape : public ::testing::TestWithParam<NamedInput> {
 protected:
  const Shape& shape() const { return shape_; }
  double size() const { return bounding_radius(shape_); }

 private:
  Shape shape_ = make_shape(GetParam().input);
};

inline std::string shape_name(const ::testing::TestParamInfo<NamedInput>& info) {
  return info.param.name;
}

}  // namespace carom
