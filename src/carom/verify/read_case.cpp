// From the text of a case to its values. Unknown keys are errors: a misspelt expectation
// must not pass for one that holds.
#include <algorithm>
#include <cstdlib>

#include "carom/base/text.h"
#include "carom/scene/read/yaml_loader.h"
#include "carom/verify/case.h"

namespace carom::verify {
namespace {

class Reader {
 public:
  explicit Reader(const std::string& name) { document_.files.push_back({name, ""}); }

  Case read(const std::string& name, std::string_view text);

 private:
  SourcePos place(const Node& node) const { return document_.position(node.where); }
  void refuse(const Node& node, const std::string& message, const std::string& remedy = {}) {
    diagnostics_.error(place(node), message, remedy);
  }
  std::string text_of(const Node& node);
  double number_of(const Node& node);
  std::vector<std::string> texts_of(const Node& node);
  void allow_keys(const Node& node, const std::vector<std::string>& known);
  std::vector<NamedText> named_texts(const Node* node);
  void read_covers(const Node& node, Case& out);
  void read_documents(const Node& node, Case& out);
  void read_runs(const Node* node, Case& out);
  void read_quantities(const Node* node, Case& out);
  void read_checks(const Node* node, Case& out);

  Document document_;
  Diagnostics diagnostics_;
};

const std::vector<std::string> kWays{"last",  "first",   "at",       "max",      "min",   "peak",
                                     "range", "mean",    "integral", "crossing", "event", "count",
                                     "mass",  "inertia", "center",   "residual", "steps", "differ"};

std::string Reader::text_of(const Node& node) {
  if (!node.is_scalar()) refuse(node, describe(node) + " is not a text");
  return node.text;
}

double Reader::number_of(const Node& node) {
  char* end = nullptr;
  const std::string text = text_of(node);
  const double value = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != '\0') refuse(node, describe(node) + " is not a number");
  return value;
}

std::vector<std::string> Reader::texts_of(const Node& node) {
  if (node.is_scalar()) return {node.text};
  std::vector<std::string> texts;
  for (const Node& item : node.items) texts.push_back(text_of(item));
  return texts;
}

void Reader::allow_keys(const Node& node, const std::vector<std::string>& known) {
  if (!node.is_map()) refuse(node, describe(node) + " is not a map");
  for (const NodeEntry& entry : node.entries) {
    if (std::find(known.begin(), known.end(), entry.key) == known.end()) {
      refuse(entry.value, "'" + entry.key + "' is not known here", suggest(entry.key, known));
    }
  }
}

std::vector<NamedText> Reader::named_texts(const Node* node) {
  std::vector<NamedText> out;
  if (!node) return out;
  for (const NodeEntry& entry : node->entries) out.push_back({entry.key, text_of(entry.value)});
  return out;
}

void Reader::read_documents(const Node& node, Case& out) {
  out.documents = texts_of(node);
  for (const std::string& name : out.documents) {
    if (std::ranges::find(kDocuments, name) == std::end(kDocuments)) {
      refuse(node, "no founding document is called '" + name + "'");
    }
  }
}

void Reader::read_covers(const Node& node, Case& out) {
  for (const NodeEntry& entry : node.entries) out.covers[entry.key] = texts_of(entry.value);
}

void Reader::read_runs(const Node* node, Case& out) {
  if (!node) {
    out.runs.push_back({});
    return;
  }
  for (const NodeEntry& entry : node->entries) {
    Variant variant{entry.key, {}, -1.0};
    if (entry.value.is_map()) {
      allow_keys(entry.value, {"set", "resumed_at"});
      if (const Node* set = entry.value.find("set")) variant.overrides = texts_of(*set);
      if (const Node* at = entry.value.find("resumed_at")) variant.resumed_at = number_of(*at);
    } else {
      variant.overrides = texts_of(entry.value);
    }
    out.runs.push_back(std::move(variant));
  }
}

void Reader::read_quantities(const Node* node, Case& out) {
  if (!node) return;
  std::vector<std::string> known = kWays;
  for (const char* key : {"run", "time", "from", "until", "subject", "take", "number"}) {
    known.emplace_back(key);
  }
  for (const NodeEntry& entry : node->entries) {
    allow_keys(entry.value, known);
    Quantity q;
    q.name = entry.key;
    q.where = place(entry.value);
    for (const NodeEntry& field : entry.value.entries) {
      const std::string text = text_of(field.value);
      if (field.key == "run")
        q.run = text;
      else if (field.key == "time")
        q.at = text;
      else if (field.key == "from")
        q.from = text;
      else if (field.key == "until")
        q.until = text;
      else if (field.key == "subject")
        q.subject = text;
      else if (field.key == "take")
        q.take = text;
      else if (field.key == "number")
        q.number = static_cast<int>(number_of(field.value));
      else if (q.how.empty())
        q.how = field.key, q.what = text;
      else
        refuse(field.value, "a number is read in one way, not by '" + field.key + "' too");
    }
    if (q.how.empty()) refuse(entry.value, "nothing says how '" + q.name + "' is read");
    out.quantities.push_back(std::move(q));
  }
}

void Reader::read_checks(const Node* node, Case& out) {
  if (!node || node->items.empty()) {
    refuse(document_.root, "a case needs a list 'check'");
    return;
  }
  for (const Node& item : node->items) {
    allow_keys(item, {"what", "computed", "expected", "tolerance", "relative"});
    Check check;
    check.where = place(item);
    for (const char* key : {"what", "computed", "expected", "tolerance"}) {
      if (!item.find(key)) refuse(item, std::string("a check needs '") + key + "'");
    }
    if (diagnostics_.has_errors()) return;
    check.what = text_of(*item.find("what"));
    check.computed = text_of(*item.find("computed"));
    check.expected = text_of(*item.find("expected"));
    check.tolerance = number_of(*item.find("tolerance"));
    const Node* relative = item.find("relative");
    check.relative = relative && text_of(*relative) == "true";
    if (!(check.tolerance > 0.0)) refuse(item, "a tolerance is positive");
    out.checks.push_back(std::move(check));
  }
}

Case Reader::read(const std::string& name, std::string_view text) {
  const std::string_view mark = "\n---\n";
  const std::size_t cut = text.find(mark);
  Case out;
  out.name = name;
  if (cut == std::string_view::npos) {
    refuse(document_.root, "a case is expectations, a line '---', and a scene");
    throw InputError(std::move(diagnostics_));
  }
  out.scene = text.substr(cut + mark.size());
  const std::optional<Node> root = load_yaml(text.substr(0, cut + 1), 0, document_, diagnostics_);
  if (!root) throw InputError(std::move(diagnostics_));
  document_.root = *root;
  allow_keys(*root, {"title", "source", "covers", "group", "documents", "values", "columns", "runs",
                     "read", "check", "plot", "custom"});
  for (const char* key : {"title", "source"}) {
    if (!root->find(key)) refuse(*root, std::string("a case needs '") + key + "'");
  }
  if (diagnostics_.has_errors()) throw InputError(std::move(diagnostics_));
  out.title = text_of(*root->find("title"));
  out.source = text_of(*root->find("source"));
  if (const Node* covers = root->find("covers")) read_covers(*covers, out);
  if (const Node* group = root->find("group")) out.group = text_of(*group);
  if (const Node* documents = root->find("documents")) read_documents(*documents, out);
  out.values = named_texts(root->find("values"));
  out.columns = named_texts(root->find("columns"));
  if (const Node* plot = root->find("plot")) out.plots = texts_of(*plot);
  if (const Node* custom = root->find("custom")) out.custom = texts_of(*custom);
  read_runs(root->find("runs"), out);
  read_quantities(root->find("read"), out);
  read_checks(root->find("check"), out);
  if (diagnostics_.has_errors()) throw InputError(std::move(diagnostics_));
  return out;
}

}  // namespace

Case read_case(const std::string& name, std::string_view text) {
  return Reader("verification/" + name + ".yaml").read(name, text);
}

}  // namespace carom::verify
