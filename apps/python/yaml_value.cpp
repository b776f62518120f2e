#include "yaml_value.h"

#include <cctype>
#include <cmath>

#include "carom/base/version.h"
#include "carom/scene/expand/yaml_writer.h"

namespace carom::python {
namespace {

namespace py = pybind11;

constexpr int kMaxDepth = 60;    ///< below what the loader takes; ends lists that hold themselves
constexpr int kBlockLevels = 3;  ///< scene, section and element are written line by line

std::string flow(py::handle value, int depth);

std::string key_text(py::handle key) {
  if (!py::isinstance<py::str>(key)) {
    throw py::type_error("keys of a scene are strings, not " + py::repr(key).cast<std::string>());
  }
  const auto text = key.cast<std::string>();
  bool plain = !text.empty() && std::isalpha(static_cast<unsigned char>(text[0]));
  for (const char c : text) {
    plain = plain && (std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.');
  }
  return plain ? text : yaml::text(text);
}

std::string float_text(double value) {
  if (std::isnan(value)) throw py::value_error("a scene cannot hold nan");
  return yaml::number(value);
}

std::string list_text(py::handle values, int depth) {
  std::vector<std::string> items;
  for (const py::handle item : values) items.push_back(flow(item, depth + 1));
  return yaml::list(items);
}

std::string map_text(const py::dict& values, int depth) {
  yaml::Map map;
  for (const auto& [key, value] : values) map.add(key_text(key), flow(value, depth + 1));
  return map.flow();
}

std::string flow(py::handle value, int depth) {
  if (depth > kMaxDepth) throw py::value_error("the value is nested too deeply, or holds itself");
  if (value.is_none()) return "null";
  if (py::isinstance<py::bool_>(value)) return yaml::boolean(value.cast<bool>());
  if (py::isinstance<py::int_>(value)) return py::str(value).cast<std::string>();
  if (py::isinstance<py::float_>(value)) return float_text(value.cast<double>());
  if (py::isinstance<py::str>(value)) return yaml::text(value.cast<std::string>());
  if (py::isinstance<py::dict>(value)) return map_text(value.cast<py::dict>(), depth);
  if (py::isinstance<py::list>(value) || py::isinstance<py::tuple>(value)) {
    return list_text(value, depth);
  }
  if (py::hasattr(value, "tolist")) return flow(value.attr("tolist")(), depth + 1);
  if (py::hasattr(value, "__fspath__")) return flow(value.attr("__fspath__")(), depth + 1);
  throw py::type_error("a scene cannot hold " + py::repr(value).cast<std::string>());
}

std::string block(const py::dict& values, int level) {
  const std::string margin(2 * static_cast<std::size_t>(level), ' ');
  std::string out;
  for (const auto& [key, value] : values) {
    out += margin + key_text(key) + ":";
    const bool nested = py::isinstance<py::dict>(value) && py::len(value) > 0;
    if (nested && level + 1 < kBlockLevels) {
      out += "\n" + block(value.cast<py::dict>(), level + 1);
    } else {
      out += " " + flow(value, level + 1) + "\n";
    }
  }
  return out;
}

}  // namespace

std::string yaml_value(py::handle value) { return flow(value, 0); }

std::string yaml_scene(const py::dict& scene) {
  const std::string head =
      scene.contains("carom") ? "" : "carom: " + std::to_string(kSceneFormat) + "\n";
  return head + block(scene, 0);
}

}  // namespace carom::python
