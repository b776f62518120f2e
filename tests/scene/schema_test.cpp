// The JSON Schema, checked by a small validator of the part of the standard it uses.
#include "carom/scene/schema.h"

#include <gtest/gtest.h>

#include <cmath>

#include "carom/contact/friction_law.h"
#include "carom/contact/normal_law.h"
#include "carom/contact/resistance_law.h"
#include "carom/geometry/shape.h"
#include "carom/multibody/force_kind.h"
#include "carom/multibody/joint_kind.h"
#include "carom/scene/expand/expand.h"
#include "carom/scene/starter.h"
#include "carom/scene/values.h"
#include "scene/everything.h"
#include "scene/scene_helpers.h"

namespace carom {
namespace {

Node parse(const std::string& text) {
  Document document;
  document.files.push_back({"text", ""});
  Diagnostics findings;
  auto node = load_yaml(text, 0, document, findings);
  EXPECT_TRUE(node && !findings.has_errors()) << all_findings(findings);
  return node.value_or(Node());
}

/// JSON Schema over our nodes; scalars are typed as an editor's YAML parser would.
class Validator {
 public:
  explicit Validator(const Node& schema) : root_(schema) {}

  /// Where and why `value` does not fit; empty if it does.
  std::string problem(const Node& value) const { return check(value, root_, ""); }

 private:
  static std::string type_of(const Node& value) {
    if (value.is_map()) return "object";
    if (value.is_list()) return "array";
    if (value.is_null()) return "null";
    if (value.quoted) return "string";
    if (value.text == "true" || value.text == "false") return "boolean";
    return parse_number(value.text) ? "number" : "string";
  }

  std::string check(const Node& value, const Node& schema, const std::string& path) const {
    if (const Node* ref = schema.find("$ref")) {
      const std::string name = ref->text.substr(std::string("#/$defs/").size());
      const Node* target = root_.find("$defs")->find(name);
      if (!target) return path + ": no definition " + name;
      const std::string wrong = check(value, *target, path);
      if (!wrong.empty()) return wrong;
    }
    if (const Node* type = schema.find("type")) {
      if (type_of(value) != type->text) return path + " is not of type " + type->text;
    }
    using Rule = std::string (Validator::*)(const Node&, const Node&, const std::string&) const;
    for (const Rule rule :
         {&Validator::check_enum, &Validator::check_bounds, &Validator::check_alternatives,
          &Validator::check_object, &Validator::check_array}) {
      const std::string wrong = (this->*rule)(value, schema, path);
      if (!wrong.empty()) return wrong;
    }
    return {};
  }

  std::string check_enum(const Node& value, const Node& schema, const std::string& path) const {
    const Node* words = schema.find("enum");
    if (const Node* constant = schema.find("const")) {
      if (value.text != constant->text) return path + " is not " + constant->text;
    }
    if (const Node* pattern = schema.find("pattern")) {
      // The one pattern in use, by hand: std::regex trips the compiler's warnings.
      EXPECT_EQ(pattern->text, "^=|\\$|^[-+]?\\.(inf|nan)$");
      const std::optional<double> number = parse_number(value.text);
      const bool fits = is_formula_text(value) || (number && !std::isfinite(*number));
      if (!fits) return path + " does not fit the pattern";
    }
    if (!words) return {};
    for (const Node& word : words->items) {
      if (value.is_scalar() && value.text == word.text) return {};
    }
    return path + " is not among the words";
  }

  std::string check_bounds(const Node& value, const Node& schema, const std::string& path) const {
    if (type_of(value) != "number") return {};
    const double x = *parse_number(value.text);
    const auto limit = [&](const char* key) {
      const Node* node = schema.find(key);
      return node ? parse_number(node->text) : std::nullopt;
    };
    const bool good = !(limit("minimum") && x < *limit("minimum")) &&
                      !(limit("maximum") && x > *limit("maximum")) &&
                      !(limit("exclusiveMinimum") && x <= *limit("exclusiveMinimum")) &&
                      !(limit("exclusiveMaximum") && x >= *limit("exclusiveMaximum"));
    return good ? "" : path + " is out of bounds";
  }

  std::string check_alternatives(const Node& value, const Node& schema,
                                 const std::string& path) const {
    for (const char* key : {"anyOf", "oneOf"}) {
      const Node* options = schema.find(key);
      if (!options) continue;
      std::size_t fits = 0;
      std::string why;
      for (const Node& option : options->items) {
        const std::string wrong = check(value, option, path);
        fits += wrong.empty();
        if (wrong.size() > why.size()) why = wrong;
      }
      if (fits == 0) return why;
      if (fits > 1 && key[0] == 'o') return path + " fits more than one";
    }
    return {};
  }

  std::string check_object(const Node& value, const Node& schema, const std::string& path) const {
    if (const Node* required = schema.find("required")) {
      for (const Node& key : required->items) {
        if (!value.find(key.text)) return path + " lacks " + key.text;
      }
    }
    if (!value.is_map()) return {};
    const Node* properties = schema.find("properties");
    const Node* others = schema.find("additionalProperties");
    for (const NodeEntry& entry : value.entries) {
      const Node* known = properties ? properties->find(entry.key) : nullptr;
      if (!known && others && others->is_scalar()) return path + "." + entry.key + " is not known";
      if (!known) known = others;
      const std::string wrong =
          known ? check(entry.value, *known, path + "." + entry.key) : std::string();
      if (!wrong.empty()) return wrong;
    }
    return {};
  }

  std::string check_array(const Node& value, const Node& schema, const std::string& path) const {
    if (!value.is_list()) return {};
    const Node* least = schema.find("minItems");
    const Node* most = schema.find("maxItems");
    const auto size = static_cast<double>(value.items.size());
    if (least && size < *parse_number(least->text)) return path + " is too short";
    if (most && size > *parse_number(most->text)) return path + " is too long";
    const Node* item = schema.find("items");
    for (std::size_t i = 0; item && i < value.items.size(); ++i) {
      const std::string wrong = check(value.items[i], *item, path + "." + std::to_string(i));
      if (!wrong.empty()) return wrong;
    }
    return {};
  }

  const Node& root_;
};

TEST(JsonSchema, AcceptsEveryExampleAndItsExpandedForm) {
  const Node schema = parse(json_schema());
  const Validator validator(schema);
  std::vector<std::string> texts{kEverything, starter_scene(),
                                 expand(read_scene_text(kEverything))};
  for (const std::string& file : example_files()) {
    texts.push_back(file_text(file));
    texts.push_back(expand(read_scene_file(file)));
  }
  for (const std::string& text : texts) EXPECT_EQ(validator.problem(parse(text)), "") << text;
}

TEST(JsonSchema, RefusesWhatTheReaderRefuses) {
  const Node schema = parse(json_schema());
  const Validator validator(schema);
  const char* wrong[] = {"bodies: {}",
                         "carom: 2",
                         "{carom: 1, bodyes: {}}",
                         "{carom: 1, bodies: {b: {mass: -1}}}",
                         "{carom: 1, bodies: {b: {mass: heavy}}}",
                         "{carom: 1, bodies: {b: {shapes: [{sphere: {raduis: 1}}]}}}",
                         "{carom: 1, bodies: {b: {shapes: [{sphere: {}}]}}}",
                         "{carom: 1, bodies: {b: {shapes: [{at: [0, 0, 0]}]}}}",
                         "{carom: 1, bodies: {b: {mass: 1, joint: {revolute: {}, prismatic: {}}}}}",
                         "{carom: 1, bodies: {b: {mass: 1, velocity: [1, 2]}}}",
                         "{carom: 1, run: {tolerance: 5}}",
                         "{carom: 1, gravity: down}",
                         "{carom: 1, contact: {law: herz}}",
                         "{carom: 1, contact: {law: {exact: {stiffness: 1}}}}",
                         "{carom: 1, contact: {restitution: 2}}",
                         "{carom: 1, contact: {pairs: [{restitution: 0.5}]}}",
                         "{carom: 1, contact: {exclude: [[a]]}}",
                         "{carom: 1, events: {e: {do: stop}}}"};
  for (const char* text : wrong) {
    EXPECT_NE(validator.problem(parse(text)), "") << text;
    EXPECT_NE(findings_of(text), "") << text;
  }
}

TEST(JsonSchema, KnowsEveryRowOfTheCatalogues) {
  const Node schema = parse(json_schema());
  const Node& definitions = *schema.find("$defs");
  for (const JointKind* kind : joint_catalogue()) {
    EXPECT_TRUE(definitions.find(std::string("joint.") + kind->name)) << kind->name;
    EXPECT_TRUE(definitions.find("joint")->find("properties")->find(kind->name)) << kind->name;
  }
  for (const ForceKind* kind : force_catalogue()) {
    EXPECT_TRUE(definitions.find(std::string("force.") + kind->name)) << kind->name;
  }
  const auto expect_laws = [&](const char* name, const auto rows) {
    for (const auto* row : rows) {
      const Node* law = definitions.find(std::string(name) + "." + row->name);
      ASSERT_TRUE(law) << row->name;
      for (const ParamField& field : row->fields) {
        EXPECT_TRUE(law->find("properties")->find(field.name)) << row->name << "." << field.name;
      }
    }
  };
  expect_laws("law", normal_law_catalogue());
  expect_laws("friction", friction_law_catalogue());
  expect_laws("resistance", resistance_law_catalogue());
  for (const ShapeKind* kind : shape_catalogue()) {
    if (kind->source == ShapeSource::support_function) continue;
    const Node* row = definitions.find(std::string("shape.") + kind->name);
    ASSERT_TRUE(row) << kind->name;
    for (const ParamField& field : kind->fields) {
      EXPECT_TRUE(row->find("properties")->find(field.name)) << kind->name << "." << field.name;
    }
  }
}

TEST(Reference, DescribesEveryRecordAndMaterial) {
  const std::string text = scene_reference_markdown();
  for (const char* part :
       {"### body\n", "### shape.sphere\n", "### joint.revolute\n", "### force.spring\n",
        "### signal.sine\n", "### run\n", "| `stiffness` |", "| `steel` | 8000 | 2e+11 | 0.3 |"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part;
  }
}

}  // namespace
}  // namespace carom
