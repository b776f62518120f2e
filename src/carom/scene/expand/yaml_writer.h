// Pieces of YAML in flow style, and blocks of them.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "carom/base/param.h"
#include "carom/math/pose.h"
#include "carom/scene/scene.h"

namespace carom::yaml {

/// A number that reads back as the same double; .inf where it is infinite.
std::string number(double value);
std::string boolean(bool value);
/// In double quotes.
std::string text(std::string_view value);
std::string list(std::span<const std::string> items);
std::string list(std::span<const double> numbers);
std::string vector3(const Vec3& v);
/// No rotation as three angles, any other as a matrix by rows.
std::string rotation(const Mat3& R);
std::string signal(const SignalSpec& signal);

/// A map in the order in which it is filled.
class Map {
 public:
  Map& add(std::string key, std::string value) {
    entries_.emplace_back(std::move(key), std::move(value));
    return *this;
  }
  bool empty() const { return entries_.empty(); }
  /// {a: 1, b: 2}
  std::string flow() const;
  /// One line per entry.
  std::string block(int indent) const;

 private:
  std::vector<std::pair<std::string, std::string>> entries_;
};

/// The fields of a catalogue's row with the values of an element.
void add_params(Map& map, std::span<const ParamField> fields, std::span<const double> params);

}  // namespace carom::yaml
