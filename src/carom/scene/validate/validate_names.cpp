// Names: one name space for everything that has channels or stands in formulas.
#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "carom/scene/validate/validate.h"

namespace carom {
namespace {

// Words that mean something else in formulas, paths or YAML.
constexpr std::array kReserved = {
    "world", "t", "pi", "e", "time", "energy", "values", "bodies", "joints", "forces", "couplings",
    "signals", "states", "events", "gravity", "run", "contacts", "statistics", "true", "false",
    "null", "on", "off", "yes", "no",
    // functions of formulas
    "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "asinh", "acosh",
    "atanh", "log2", "log10", "log", "ln", "exp", "sqrt", "cbrt", "sign", "rint", "abs", "min",
    "max", "sum", "avg"};

constexpr std::size_t kLongest = 100;

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string with_article(const std::string& word) {
  return (word.starts_with('e') ? "an " : "a ") + word;
}

class NameCheck {
 public:
  explicit NameCheck(Diagnostics& out) : out_(out) {}

  void shared(const std::string& name, const std::string& what, const SourcePos& where) {
    lone(name, what, where);
    const auto [entry, fresh] = owners_.emplace(name, what);
    if (fresh) return;
    out_.error(where,
               "the name '" + name + "' of " + with_article(what) + " is already that of " +
                   with_article(entry->second),
               "names of bodies, joints, couplings, forces, signals, states, events and values "
               "must differ, because formulas and channels use them bare");
  }
  void lone(const std::string& name, const std::string& what, const SourcePos& where) {
    const std::string problem = name_problem(name);
    if (problem.empty()) return;
    out_.error(where,
               "'" + name.substr(0, kLongest) + "' cannot be the name of " + with_article(what) +
                   ": " + problem,
               "names are letters, digits and '_', and begin with a letter; '-' and '.' have a "
               "meaning in formulas");
  }

 private:
  Diagnostics& out_;
  std::map<std::string, std::string> owners_;
};

void check_parts(const BodySpec& body, NameCheck& check, Diagnostics& out) {
  std::set<std::string> shapes, markers;
  for (const ShapeSpec& shape : body.shapes) {
    if (shape.name.empty()) continue;
    check.lone(shape.name, "shape", shape.where);
    if (shapes.insert(shape.name).second) continue;
    out.error(shape.where, "body '" + body.name + "' has two shapes named '" + shape.name + "'");
  }
  for (const MarkerSpec& marker : body.markers) {
    check.lone(marker.name, "marker", marker.where);
    const bool channel = marker.name == "position" || marker.name == "velocity" ||
                         marker.name == "orientation" || marker.name == "angular_velocity";
    if (channel) {
      out.error(marker.where, "'" + marker.name + "' cannot be the name of a marker: " + body.name +
                                  "." + marker.name + " is a channel");
    }
    if (markers.insert(marker.name).second) continue;
    out.error(marker.where, "body '" + body.name + "' has two markers named '" + marker.name + "'");
  }
}

}  // namespace

std::string name_problem(const std::string& name) {
  if (name.empty()) return "it is empty";
  if (name.size() > kLongest) return "it is longer than " + std::to_string(kLongest);
  if (!is_letter(name[0])) return "it begins with '" + name.substr(0, 1) + "'";
  for (const char c : name) {
    if (!is_letter(c) && !is_digit(c)) return std::string("it holds '") + c + "'";
  }
  if (std::find(kReserved.begin(), kReserved.end(), name) != kReserved.end()) {
    return "the word has a meaning of its own";
  }
  return {};
}

void check_names(const Scene& scene, Diagnostics& out) {
  NameCheck check(out);
  const bool in_file = !scene.bodies.empty() && scene.bodies[0].where.line > 0;
  for (const auto& [name, value] : scene.values) {
    check.shared(
        name, "value",
        in_file ? SourcePos{scene.bodies[0].where.file, 1, 1} : SourcePos{"values." + name, 0, 0});
  }
  for (const BodySpec& body : scene.bodies) {
    check.shared(body.name, "body", body.where);
    check_parts(body, check, out);
  }
  for (const JointSpec& joint : scene.joints) {
    if (!joint.name.empty()) check.shared(joint.name, "joint", joint.where);
  }
  for (const CouplingSpec& item : scene.couplings) check.shared(item.name, "coupling", item.where);
  for (const ForceSpec& item : scene.forces) check.shared(item.name, "force", item.where);
  for (const NamedSignal& item : scene.signals) {
    check.shared(item.name, "signal", item.signal.where);
  }
  for (const StateSpec& item : scene.states) check.shared(item.name, "state", item.where);
  for (const EventSpec& item : scene.events) check.shared(item.name, "event", item.where);
  for (const SurfaceSpec& item : scene.surfaces) check.shared(item.name, "surface", item.where);
  std::set<std::string> materials;
  for (const MaterialSpec& item : scene.materials) {
    check.lone(item.name, "material", item.where);
    if (materials.insert(item.name).second) continue;
    out.error(item.where, "there are two materials named '" + item.name + "'");
  }
}

}  // namespace carom
