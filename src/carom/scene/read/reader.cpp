#include "carom/scene/read/reader.h"

#include <algorithm>
#include <cmath>

#include "carom/base/text.h"
#include "carom/math/formula.h"
#include "carom/scene/read/formula_place.h"
#include "carom/scene/validate/rules.h"

namespace carom {
namespace {

void append_keys(const Node& root, std::string_view key, std::vector<std::string>& names) {
  const Node* map = root.find(key);
  if (!map || !map->is_map()) return;
  for (const NodeEntry& entry : map->entries) names.push_back(entry.key);
}

bool contains(const std::vector<std::string>& sorted, std::string_view name) {
  return std::binary_search(sorted.begin(), sorted.end(), name);
}

}  // namespace

bool SceneNames::has_body(std::string_view name) const { return contains(bodies, name); }
bool SceneNames::has_joint(std::string_view name) const { return contains(joints, name); }

Reader::Reader(const Document& document_in, Diagnostics& diagnostics)
    : document(document_in), out(diagnostics) {
  values.read(document, document.root.find("values"), out);
  collect_names();
}

void Reader::collect_names() {
  const Node& root = document.root;
  append_keys(root, "bodies", names.bodies);
  append_keys(root, "joints", names.joints);
  append_keys(root, "couplings", names.couplings);
  append_keys(root, "forces", names.forces);
  append_keys(root, "signals", names.signals);
  append_keys(root, "states", names.states);
  append_keys(root, "materials", names.materials);
  const Node* bodies = root.find("bodies");
  if (bodies && bodies->is_map()) {
    for (const NodeEntry& body : bodies->entries) {
      const Node* joint = body.value.find("joint");
      if (!joint) continue;
      const Node* name = joint->find("name");
      names.joints.push_back(name && name->is_scalar() ? name->text : body.key + "_joint");
    }
  }
  for (auto* list : {&names.bodies, &names.joints, &names.couplings, &names.forces, &names.signals,
                     &names.states, &names.materials}) {
    std::sort(list->begin(), list->end());
  }
}

const BodySpec* Reader::find_body(const Scene& scene, const std::string& name) const {
  const auto found = body_index.find(name);
  return found == body_index.end() ? nullptr : &scene.bodies[found->second];
}

void Reader::error(const Mark& where, const std::string& message, const std::string& remedy) {
  if (out.error_count() < kMaxFindings) out.error(at(where), message, remedy);
}

void Reader::warning(const Mark& where, const std::string& message, const std::string& remedy) {
  if (out.all().size() < Diagnostics::kMost / 2) out.warning(at(where), message, remedy);
}

void Reader::formula_error(const Node& node, const std::string& path, const FormulaError& error,
                           const std::string& remedy) {
  if (out.error_count() >= kMaxFindings) return;
  report_formula(document, node, path + " is " + describe(node), error, remedy, out);
}

bool Reader::lacks_sign_of_formula(const Node& node, const std::string& path) {
  if (!node.is_scalar() || node.text.find_first_of("()*/+^") == std::string::npos) return false;
  FormulaError problem;
  find_formula_names(node.text, problem);
  if (problem.empty()) problem = {"it would be a formula if it began with '='", 0};
  formula_error(node, path, problem, "a formula begins with '=': \"=sin(2*t)\"");
  return true;
}

void Reader::wrong(const Node& node, const std::string& path, const std::string& what,
                   const std::string& remedy) {
  error(node.where, path + " is " + describe(node) + ", it must be " + what, remedy);
}

std::optional<double> Reader::finite(const Node& node, const Field& field,
                                     const std::string& path) {
  if (is_formula_text(node)) {
    FormulaError reason;
    const std::optional<double> result = values.evaluate(formula_text(node.text), reason);
    if (!result) formula_error(node, path, reason);
    return result;
  }
  const std::optional<double> value =
      node.is_scalar() && !node.quoted ? parse_number(node.text) : std::nullopt;
  if (!value && lacks_sign_of_formula(node, path)) return {};
  if (!value) {
    const bool quoted = node.is_scalar() && node.quoted && parse_number(node.text);
    wrong(node, path, kind_text(FieldKind::number),
          quoted ? "remove the quotes" : "write a number, $name or \"=formula\"");
    return {};
  }
  if (!std::isfinite(*value)) {
    const std::string wanted = value_problem(field, *value);
    if (!wanted.empty()) {
      wrong(node, path, wanted);
      return {};
    }
  }
  return value;
}

std::optional<double> Reader::number(const Node& node, const Field& field,
                                     const std::string& path) {
  const std::optional<double> value = finite(node, field, path);
  if (!value) return {};
  const std::string wanted = value_problem(field, *value);
  if (wanted.empty()) return value;
  error(node.where, path + " is " + number_text(*value) + ", it must be " + wanted,
        field.doc.empty() ? "" : field.name + ": " + field.doc);
  return {};
}

std::optional<long> Reader::integer(const Node& node, const Field& field, const std::string& path) {
  Field any_number = field;  // a fraction is told from a number out of range
  any_number.kind = FieldKind::number;
  const std::optional<double> value = number(node, any_number, path);
  if (!value) return {};
  if (*value == std::floor(*value) && std::abs(*value) < 1e18) return static_cast<long>(*value);
  wrong(node, path, kind_text(FieldKind::integer));
  return {};
}

bool says_off(const Node& node) {
  return node.is_scalar() && (node.text == "false" || node.text == "off" || node.text == "no");
}

std::optional<bool> Reader::boolean(const Node& node, const std::string& path) {
  const bool says_on =
      node.is_scalar() && (node.text == "true" || node.text == "on" || node.text == "yes");
  if (says_on || says_off(node)) return says_on;
  wrong(node, path, kind_text(FieldKind::boolean), "on and off are understood too");
  return {};
}

std::optional<std::string> Reader::text(const Node& node, const std::string& path) {
  if (node.is_scalar()) return node.text;
  wrong(node, path, kind_text(FieldKind::text));
  return {};
}

std::optional<std::string> Reader::word(const Node& node, const Field& field,
                                        const std::string& path) {
  if (node.is_scalar() &&
      std::find(field.words.begin(), field.words.end(), node.text) != field.words.end()) {
    return node.text;
  }
  std::string list;
  for (const std::string& known : field.words) list += (list.empty() ? "" : ", ") + known;
  wrong(node, path, "one of " + list, node.is_scalar() ? suggest(node.text, field.words) : "");
  return {};
}

std::optional<std::vector<double>> Reader::numbers(const Node& node, const Field& field,
                                                   std::size_t count, const std::string& path) {
  if (!node.is_list() || (count > 0 && node.items.size() != count)) {
    const std::string what =
        count == 0 ? "a list of numbers" : "a list of " + std::to_string(count) + " numbers";
    wrong(node, path, what);
    return {};
  }
  std::vector<double> result;
  bool good = true;
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    const std::optional<double> value =
        number(node.items[i], field, path + "." + std::to_string(i));
    good = good && value;
    result.push_back(value.value_or(0.0));
  }
  if (!good) return {};
  return result;
}

std::optional<Vec3> Reader::vector3(const Node& node, const Field& field, const std::string& path) {
  const bool fills = std::isfinite(field.default_value) || field.required;
  if (fills && node.is_scalar()) {  // a catalogue's vector: one number for all three
    const std::optional<double> value = number(node, field, path);
    if (!value) return {};
    return Vec3{*value, *value, *value};
  }
  const std::optional<std::vector<double>> list = numbers(node, field, 3, path);
  if (!list) return {};
  return Vec3{(*list)[0], (*list)[1], (*list)[2]};
}

bool normalize(Quat& q) {
  const double length = norm(q);
  if (!(length > 1e-150) || !std::isfinite(length)) return false;
  // Dividing a unit quaternion again would change its last bits.
  if (std::abs(length - 1.0) > 4e-16) q = normalized(q);
  return true;
}

std::optional<Quat> Reader::quaternion(const Node& node, const Field& field,
                                       const std::string& path) {
  const std::optional<std::vector<double>> list = numbers(node, field, 4, path);
  if (!list) return {};
  Quat q{(*list)[0], (*list)[1], (*list)[2], (*list)[3]};
  const double length = norm(q);
  if (!normalize(q)) {
    error(node.where, path + " is a quaternion of length " + number_text(length),
          "[1, 0, 0, 0] is no rotation");
    return {};
  }
  if (std::abs(length - 1.0) > 1e-6) {
    warning(node.where,
            path + " is a quaternion of length " + number_text(length) + "; it was normalised");
  }
  return q;
}

std::optional<Mat3> Reader::rotation(const Node& node, const Field& field,
                                     const std::string& path) {
  const std::size_t count = node.is_list() ? node.items.size() : 0;
  if (count == 4) {
    const std::optional<Quat> q = quaternion(node, field, path);
    if (!q) return {};
    return to_matrix(*q);
  }
  if (count != 3 && count != 9) {
    wrong(node, path, "three angles [rad], a quaternion (4 numbers) or a matrix by rows (9)");
    return {};
  }
  const std::optional<std::vector<double>> list = numbers(node, field, count, path);
  if (!list) return {};
  if (count == 3) return cardan_xyz({(*list)[0], (*list)[1], (*list)[2]});
  Mat3 R;
  std::copy(list->begin(), list->end(), R.m);
  const std::string problem = rotation_problem(R);
  if (problem.empty()) return R;
  error(node.where, path + problem, "columns must be unit vectors at right angles, right-handed");
  return {};
}

std::optional<Vec3> Reader::axis(const Node& node, const Field& field, const std::string& path) {
  if (node.is_scalar()) {
    const bool negative = node.text.starts_with('-');
    const std::string name = node.text.substr(negative ? 1 : 0);
    const double s = negative ? -1.0 : 1.0;
    if (name == "x") return Vec3{s, 0, 0};
    if (name == "y") return Vec3{0, s, 0};
    if (name == "z") return Vec3{0, 0, s};
    wrong(node, path, "x, y, z, -x, -y, -z or three numbers");
    return {};
  }
  const std::optional<std::vector<double>> list = numbers(node, field, 3, path);
  if (!list) return {};
  const Vec3 v{(*list)[0], (*list)[1], (*list)[2]};
  const double length = norm(v);
  if (length > 1e-150 && std::isfinite(length)) return v / length;
  error(node.where, path + " has length " + number_text(length) + ", it must point somewhere");
  return {};
}

std::vector<std::string> Reader::texts(const Node& node, const std::string& path) {
  std::vector<std::string> result;
  if (node.is_scalar()) return {node.text};
  if (!node.is_list()) {
    wrong(node, path, "a list of names");
    return result;
  }
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    const auto name = text(node.items[i], path + "." + std::to_string(i));
    if (name) result.push_back(*name);
  }
  return result;
}

}  // namespace carom
