#include "carom/scene/expand/yaml_writer.h"

#include <cmath>

#include "carom/base/text.h"

namespace carom::yaml {

std::string number(double value) {
  if (std::isinf(value)) return value > 0.0 ? ".inf" : "-.inf";
  return number_text(value);
}

std::string boolean(bool value) { return value ? "true" : "false"; }

std::string text(std::string_view value) { return json_quote(value); }

std::string list(std::span<const std::string> items) {
  std::string out = "[";
  for (std::size_t i = 0; i < items.size(); ++i) out += (i > 0 ? ", " : "") + items[i];
  return out + "]";
}

std::string list(std::span<const double> numbers) {
  std::vector<std::string> items;
  for (const double value : numbers) items.push_back(number(value));
  return list(items);
}

std::string vector3(const Vec3& v) { return list(std::vector<double>{v.x, v.y, v.z}); }

std::string rotation(const Mat3& R) {
  return R == Mat3{} ? "[0, 0, 0]" : list(std::span<const double>(R.m, 9));
}

std::string Map::flow() const {
  std::string out = "{";
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    out += (i > 0 ? ", " : "") + entries_[i].first + ": " + entries_[i].second;
  }
  return out + "}";
}

std::string Map::block(int indent) const {
  const std::string margin(static_cast<std::size_t>(indent), ' ');
  std::string out;
  for (const auto& [key, value] : entries_) out += margin + key + ": " + value + "\n";
  return out;
}

std::string signal(const SignalSpec& s) {
  Map fields;
  const char* kind = "";  // NOLINT(clang-analyzer-deadcode.DeadStores): every case sets it
  switch (s.kind) {
    case SignalSpec::Kind::constant: return number(s.value);
    case SignalSpec::Kind::step:
    case SignalSpec::Kind::ramp:
      kind = s.kind == SignalSpec::Kind::step ? "step" : "ramp";
      fields.add("before", number(s.before)).add("after", number(s.after));
      fields.add("start", number(s.start));
      if (s.kind == SignalSpec::Kind::ramp) fields.add("duration", number(s.duration));
      break;
    case SignalSpec::Kind::sine:
      kind = "sine";
      fields.add("offset", number(s.offset)).add("amplitude", number(s.amplitude));
      fields.add("frequency", number(s.frequency)).add("phase", number(s.phase));
      fields.add("start", number(s.start));
      break;
    case SignalSpec::Kind::table: {
      kind = "table";
      using Interpolation = SignalSpec::Interpolation;
      fields.add("times", list(s.times)).add("values", list(s.values));
      fields.add("interpolation", s.interpolation == Interpolation::hold    ? "hold"
                                  : s.interpolation == Interpolation::cubic ? "cubic"
                                                                            : "linear");
      fields.add("periodic", boolean(s.periodic));
      break;
    }
    case SignalSpec::Kind::formula:
      kind = "formula";
      fields.add("formula", text(s.formula));
      if (!s.rate.empty()) fields.add("rate", text(s.rate));
      if (!s.acceleration.empty()) fields.add("acceleration", text(s.acceleration));
      break;
  }
  return Map().add(kind, fields.flow()).flow();
}

void add_params(Map& map, std::span<const ParamField> fields, std::span<const double> params) {
  std::size_t at = 0;
  for (const ParamField& field : fields) {
    const double* p = &params[at];
    at += width(field);
    switch (field.type) {
      case ParamType::vector3: map.add(field.name, vector3({p[0], p[1], p[2]})); break;
      case ParamType::boolean: map.add(field.name, boolean(p[0] != 0.0)); break;
      default: map.add(field.name, number(p[0])); break;
    }
  }
}

}  // namespace carom::yaml
