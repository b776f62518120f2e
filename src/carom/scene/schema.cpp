#include "carom/scene/schema.h"

#include <cmath>

#include "carom/base/json.h"
#include "carom/scene/fields.h"

namespace carom {
namespace {

std::string ref(const std::string& name) {
  return JsonObject().text("$ref", "#/$defs/" + name).str();
}

std::string any_of(const std::vector<std::string>& options) {
  return JsonObject()
      .put("anyOf", json_list(options, [](const std::string& option) { return option; }))
      .str();
}

std::string words(const std::vector<std::string>& list) {
  return JsonObject().put("enum", json_texts(list)).str();
}

std::string array_of(const std::string& item, int least = 0, int most = -1) {
  JsonObject array;
  array.text("type", "array").put("items", item);
  if (least > 0) array.put("minItems", std::to_string(least));
  if (most >= 0) array.put("maxItems", std::to_string(most));
  return array.str();
}

std::string map_of(const std::string& item) {
  return JsonObject().text("type", "object").put("additionalProperties", item).str();
}

std::string type(const char* name) { return JsonObject().text("type", name).str(); }

/// Objects of which one key is required, each in its turn.
std::string one_of_keys(const std::vector<std::string>& keys) {
  return json_list(keys, [](const std::string& key) {
    return JsonObject().put("required", json_texts({&key, 1})).str();
  });
}

/// The type of a field's value.
std::string value_schema(const Field& field) {
  using enum FieldKind;
  const std::string any_text = type("string"), null = type("null");
  const std::string number_or_null = any_of({ref("number"), null});
  const std::string is_false = JsonObject().flag("const", false).str();
  switch (field.kind) {
    case number:
      return field.words.empty() ? ref("number") : any_of({ref("number"), words(field.words)});
    case integer: return ref("number");
    case boolean: return ref("boolean");
    case text:
    case formula:
      return field.record.empty() ? any_of({any_text, type("number")})
                                  : any_of({any_text, ref(field.record)});
    case reference: return any_text;
    case texts: return any_of({any_text, array_of(any_text)});
    case references: return any_of({any_text, array_of(any_text)});
    case word: return words(field.words);
    case vector3:
      return std::isnan(field.default_value) && !field.required
                 ? ref("vector3")
                 : any_of({ref("vector3"), ref("number")});
    case points: return array_of(ref("vector3"));
    case inertia: return array_of(ref("number"), 3, 6);
    case rotation: return array_of(ref("number"), 3, 9);
    case quaternion: return array_of(ref("number"), 4, 4);
    case axis: return any_of({words({"x", "y", "z", "-x", "-y", "-z"}), ref("vector3")});
    case per_dof: return any_of({ref("number"), array_of(number_or_null)});
    case signal: return any_of({ref("signal_value"), null});
    case dof_signals:
      return any_of({ref("signal_value"), array_of(any_of({ref("signal_value"), null}))});
    case signals: return array_of(any_of({ref("signal_value"), null}));
    case pairs: {
      const std::string list = array_of(array_of(ref("number"), 2, 2));
      return field.record.empty() ? list : any_of({list, ref(field.record)});
    }
    case range: return array_of(any_of({ref("number"), any_text}), 2, 2);
    case attachment: return any_of({any_text, ref("attachment")});
    case record: return any_of({ref(field.record), null});
    case dof_records:
      return any_of({ref(field.record), array_of(any_of({ref(field.record), null}))});
    case record_list: return array_of(ref(field.record));
    case record_map: return any_of({map_of(ref(field.record)), null});
    case number_map: return map_of(ref("number"));
    case signal_map: return any_of({map_of(ref("signal_value")), null});
    case marker_map: return map_of(any_of({ref("vector3"), ref("marker")}));
    case gravity: return any_of({ref("vector3"), words({"off"}), is_false, ref(field.record)});
    case start:
    case action:
    case law: return any_of({words(field.words), ref(field.record)});
    case restitution: return any_of({ref("number"), ref(field.record)});
    case contact: return any_of({words({"off"}), is_false, ref(field.record), null});
    case name_pair: return array_of(any_text, 2, 2);
    case name_lists: return array_of(any_of({any_text, array_of(any_text)}), 2, 2);
    case name_pairs: return array_of(array_of(any_text, 2, 2));
    case names_map: return any_of({map_of(any_of({any_text, array_of(any_text)})), null});
  }
  return "{}";
}

std::string field_schema(const Field& field) {
  std::string value = value_schema(field);
  JsonObject extra;
  std::string doc = field.doc;
  if (field.unit != "-" && !field.unit.empty()) doc += " [" + field.unit + "]";
  extra.text("description", doc);
  const bool plain = field.kind == FieldKind::number || field.kind == FieldKind::integer ||
                     field.kind == FieldKind::restitution;
  if (plain && std::isfinite(field.min)) {
    extra.put(field.open ? "exclusiveMinimum" : "minimum", json_number(field.min));
  }
  if (plain && std::isfinite(field.max)) {
    extra.put(field.open ? "exclusiveMaximum" : "maximum", json_number(field.max));
  }
  if (plain && std::isfinite(field.default_value)) {
    extra.put("default", json_number(field.default_value));
  } else if (field.kind == FieldKind::boolean && std::isfinite(field.default_value)) {
    extra.put("default", field.default_value == 1.0 ? "true" : "false");
  }
  const std::string more = extra.str();
  // Both are objects; the keys of one follow those of the other.
  return value.substr(0, value.size() - 1) + ", " + more.substr(1);
}

std::string record_schema(const Record& record) {
  JsonObject properties;
  std::vector<std::string> required, kinds;
  for (const Field& choice : record.choices) {
    properties.put(choice.name, field_schema(choice));
    kinds.push_back(choice.name);
  }
  for (const Field& field : record.fields) {
    properties.put(field.name, field_schema(field));
    if (field.required) required.push_back(field.name);
  }
  JsonObject schema;
  schema.text("description", record.doc).text("type", "object");
  schema.put("properties", properties.str()).put("additionalProperties", "false");
  if (!required.empty()) schema.put("required", json_texts(required));
  if (!kinds.empty() && record.choice_required) schema.put("oneOf", one_of_keys(kinds));
  return schema.str();
}

}  // namespace

std::string json_schema() {
  const std::string formula =
      JsonObject().text("type", "string").text("pattern", R"(^=|\$|^[-+]?\.(inf|nan)$)").str();
  JsonObject defs;
  const auto define = [&](const std::string& name, const std::string& schema) {
    defs.line(0).put(name, schema);
  };
  define("number", any_of({type("number"), formula}));
  define("boolean", any_of({type("boolean"), words({"on", "off", "yes", "no"})}));
  define("vector3", array_of(ref("number"), 3, 3));
  define("signal_value", any_of({type("number"), type("string"), ref("signal")}));
  for (const Record& record : scene_records()) define(record.name, record_schema(record));
  JsonObject out;
  out.line(0).text("$schema", "https://json-schema.org/draft/2020-12/schema");
  out.line(0).text("title", "Carom scene");
  out.line(0).text("$ref", "#/$defs/scene");
  out.line(0).put("$defs", defs.str());
  return out.str() + "\n";
}

}  // namespace carom
