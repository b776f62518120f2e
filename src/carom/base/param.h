// Parameters of catalogue rows.
//
// Every catalogue (shapes, joints, forces, signals, integrators, laws) describes
// the fields of its rows by ParamField. The YAML reader, the JSON Schema, the
// Python module, `carom list` and the documentation all read these tables, so a
// row is described once.
#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <string_view>

namespace carom {

inline constexpr double kInf = std::numeric_limits<double>::infinity();
/// As a default: the field must be given.
inline constexpr double kRequired = std::numeric_limits<double>::quiet_NaN();

enum class ParamType {
  number,   ///< one double
  vector3,  ///< three doubles; a single number in the file fills all three
  boolean,  ///< 0 or 1
  integer,  ///< a whole number
};

struct ParamField {
  const char* name;
  const char* unit;  ///< "m", "N/m", "-", …
  const char* doc;   ///< one phrase, lower case
  double default_value = kRequired;
  double min = -kInf;
  double max = kInf;
  ParamType type = ParamType::number;
  bool open = false;  ///< the bounds themselves are excluded
};

/// Doubles that a field occupies in a row's flat parameter vector.
constexpr std::size_t width(const ParamField& f) { return f.type == ParamType::vector3 ? 3 : 1; }

constexpr std::size_t width(std::span<const ParamField> fields) {
  std::size_t n = 0;
  for (const ParamField& f : fields) n += width(f);
  return n;
}

/// Offset of field `name` in the flat vector; width(fields) if there is none.
constexpr std::size_t offset_of(std::span<const ParamField> fields, std::string_view name) {
  std::size_t n = 0;
  for (const ParamField& f : fields) {
    if (name == f.name) return n;
    n += width(f);
  }
  return n;
}

}  // namespace carom
