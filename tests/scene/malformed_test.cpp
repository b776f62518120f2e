// Scenes that are wrong in one place each, made from good ones. What must be refused is
// decided from the tables of the grammar, so that the test can fail both ways: a
// mutation that has to be an error and is not, or a finding without a place.
#include <gtest/gtest.h>

#include <functional>
#include <random>

#include "carom/scene/fields.h"
#include "carom/scene/starter.h"
#include "scene/everything.h"
#include "scene/scene_helpers.h"

namespace carom {
namespace {

/// A place in a document, by the indices of children from the root.
using Path = std::vector<std::size_t>;

struct Site {
  Path path;
  enum class Kind { number, word, boolean, body, map, signal } kind;
  const Field* field;
  bool may_be_null = false;
};

Node& child(Node& node, std::size_t i) {
  return node.is_map() ? node.entries[i].value : node.items[i];
}

Node& node_at(Document& document, const Path& path) {
  Node* node = &document.root;
  for (const std::size_t i : path) node = &child(*node, i);
  return *node;
}

/// Collects the sites of a document, and the maps that follow a record.
class SiteFinder {
 public:
  std::vector<Site> sites;
  std::vector<std::pair<Path, const Record*>> records;

  void in_record(const Node& node, const Record& record, Path path) {
    records.emplace_back(path, &record);
    for (std::size_t i = 0; i < node.entries.size(); ++i) {
      const Field* field = record.find(node.entries[i].key);
      ASSERT_NE(field, nullptr) << node.entries[i].key;
      visit(node.entries[i].value, *field, extended(path, i));
    }
  }

 private:
  static Path extended(Path path, std::size_t i) {
    path.push_back(i);
    return path;
  }
  void add(Site::Kind kind, const Path& path, const Field& field, bool null = false) {
    sites.push_back({path, kind, &field, null});
  }
  void numbers(const Node& node, const Field& field, const Path& path, bool null = false) {
    if (node.is_null()) return;
    if (!node.is_list()) return add(Site::Kind::number, path, field);
    for (std::size_t i = 0; i < node.items.size(); ++i) {
      if (node.items[i].is_list())
        numbers(node.items[i], field, extended(path, i));
      else if (!node.items[i].is_null())
        add(Site::Kind::number, extended(path, i), field, null);
    }
  }
  void names(const Node& node, const Field& field, const Path& path) {
    if (node.is_scalar()) return add(Site::Kind::body, path, field);
    each(node, path, [&](const Node& n, const Path& p) { names(n, field, p); });
  }
  void record_or(const Node& node, const Field& field, const Path& path, Site::Kind otherwise) {
    if (node.is_map()) {
      add(Site::Kind::map, path, field);
      in_record(node, scene_record(field.record), path);
    } else if (node.is_scalar()) {
      add(otherwise, path, field);
    }
  }
  void each(const Node& node, const Path& path,
            const std::function<void(const Node&, const Path&)>& visit_one) {
    const std::size_t count = node.is_map() ? node.entries.size() : node.items.size();
    for (std::size_t i = 0; i < count; ++i) {
      visit_one(node.is_map() ? node.entries[i].value : node.items[i], extended(path, i));
    }
  }

  void visit(const Node& node, const Field& field, const Path& path) {
    using enum FieldKind;
    const auto as_record = [&](const Node& n, const Path& p) {
      record_or(n, field, p, Site::Kind::map);
    };
    const auto as_signal = [&](const Node& n, const Path& p) {
      record_or(n, field, p, Site::Kind::signal);
    };
    switch (field.kind) {
      case number:
      case integer:
      case vector3:
      case points:
      case inertia:
      case rotation:
      case range:
      case quaternion: return numbers(node, field, path);
      case per_dof:
        return numbers(node, field, path,
                       field.name != "q" && field.name != "v" && field.name != "times" &&
                           field.name != "values");
      case boolean: return add(Site::Kind::boolean, path, field);
      case word: return add(Site::Kind::word, path, field);
      case axis:
        if (node.is_list()) return numbers(node, field, path);
        return add(Site::Kind::word, path, field);
      case reference:
        if (field.name == "parent" || field.name == "child" || field.name == "body" ||
            field.name == "material")
          add(Site::Kind::body, path, field);
        return;
      case attachment: return record_or(node, field, path, Site::Kind::body);
      case signal: return as_signal(node, path);
      case dof_signals:
      case signals:
      case signal_map:
        if (node.is_list() || field.kind == signal_map) return each(node, path, as_signal);
        return as_signal(node, path);
      case pairs:
        if (node.is_list()) return numbers(node, field, path);
        return as_record(node, path);
      case record:
      case gravity:
      case start:
      case action:
      case formula:
        if (node.is_list()) return numbers(node, field, path);
        if (node.is_map())
          as_record(node, path);
        else if (field.kind == start || field.kind == action)
          add(Site::Kind::word, path, field);
        return;
      case dof_records:
      case record_list:
        if (node.is_list()) return each(node, path, as_record);
        return as_record(node, path);
      case record_map: return each(node, path, as_record);
      case marker_map:
        return each(node, path, [&](const Node& n, const Path& p) {
          if (n.is_list())
            numbers(n, field, p);
          else
            as_record(n, p);
        });
      case number_map:
        return each(node, path, [&](const Node& n, const Path& p) { numbers(n, field, p); });
      case law:
        if (node.is_map()) return as_record(node, path);
        return add(Site::Kind::word, path, field);
      case restitution:
        if (node.is_map()) return as_record(node, path);
        return numbers(node, field, path);
      case contact: return as_record(node, path);
      case name_pair:
      case name_lists:
      case name_pairs:
      case names_map: return names(node, field, path);
      case text:
      case texts:
      case references: return;
    }
  }
};

Document document_of(const std::string& text) {
  Diagnostics findings;
  auto document = load_document_text(text, "mutant.yaml", {}, findings);
  EXPECT_TRUE(document) << all_findings(findings);
  return document.value_or(Document());
}

/// Every error has a place; there is a scene exactly if there is no error.
void expect_sound(bool has_scene, const Diagnostics& findings, const std::string& what) {
  EXPECT_EQ(has_scene, !findings.has_errors()) << what;
  for (const Diagnostic& d : findings.all()) {
    EXPECT_FALSE(d.where.file.empty()) << what << ": " << to_string(d);
    EXPECT_GE(d.where.line, 1) << what << ": " << to_string(d);
    EXPECT_GE(d.where.column, 1) << what << ": " << to_string(d);
    EXPECT_FALSE(d.message.empty()) << what;
  }
}

class Mutants {
 public:
  explicit Mutants(const std::string& text) : text_(text), good_(document_of(text)) {
    finder_.in_record(good_.root, scene_record("scene"), {});
  }
  const std::vector<Site>& sites() const { return finder_.sites; }
  const auto& records() const { return finder_.records; }
  const Document& good() const { return good_; }
  int refused = 0;

  void expect_refused(const std::string& what, const std::function<void(Document&)>& change) {
    Document mutant = good_;
    change(mutant);
    Diagnostics findings;
    const bool scene = read_scene(mutant, findings).has_value();
    expect_sound(scene, findings, what);
    EXPECT_FALSE(scene) << what << " was accepted";
    ++refused;
  }

 private:
  std::string text_;
  Document good_;
  SiteFinder finder_;
};

std::string name_of(const Document& document, const Path& path) {
  std::string name;
  const Node* node = &document.root;
  for (const std::size_t i : path) {
    name += "." + (node->is_map() ? node->entries[i].key : std::to_string(i));
    node = node->is_map() ? &node->entries[i].value : &node->items[i];
  }
  return name;
}

/// Characters that mean something in YAML, and a few others.
constexpr std::string_view kMarks = "[]{}:,#&*!|>'\"%@`-?=$ \n\tab01.";

Node scalar(const std::string& text, Mark where) {
  Node node;
  node.kind = Node::Kind::scalar;
  node.text = text;
  node.where = where;
  return node;
}

/// Texts that mean nothing at a site of this kind.
std::vector<std::string> nonsense(const Site& site) {
  switch (site.kind) {
    case Site::Kind::number: {
      std::vector<std::string> texts{"abc def", ".nan", "=1/0", "=nobody + 1", "=1 +", "1e400"};
      if (site.field->may_be_infinite) texts.pop_back();
      if (site.field->min >= 0.0) texts.push_back("-1");
      return texts;
    }
    case Site::Kind::word: return {"nonsense", "3", ""};
    case Site::Kind::boolean: return {"maybe", "1", ""};
    case Site::Kind::body: return {"nobody", "nobody.tip", ""};
    case Site::Kind::map: {
      // A number is a signal too.
      const bool signal = site.field->record == "signal" || site.field->record == "signal.formula";
      return signal ? std::vector<std::string>{"text"} : std::vector<std::string>{"text", "3"};
    }
    case Site::Kind::signal: return {"nobody", "=nobody", "=1 +", ".inf", "=1, 2"};
  }
  return {};
}

TEST(MalformedScene, WrongValuesAreRefusedWhereverTheyStand) {
  constexpr unsigned kSeed = 4711;
  std::mt19937 random(kSeed);  // a third of the four thousand is enough for every run
  std::printf("seed %u\n", kSeed);
  Mutants mutants(kEverything);
  for (const Site& site : mutants.sites()) {
    const std::string name = name_of(mutants.good(), site.path);
    for (const std::string& text : nonsense(site)) {
      if (random() % 3 != 0) continue;
      mutants.expect_refused(name + " = " + text, [&](Document& d) {
        Node& node = node_at(d, site.path);
        node = scalar(text, node.where);
      });
    }
    const bool list_is_fine =
        site.kind == Site::Kind::number && site.field->kind == FieldKind::per_dof;
    if (!list_is_fine) {
      mutants.expect_refused(name + " = []", [&](Document& d) {
        Node empty;
        empty.kind = Node::Kind::list;
        empty.where = node_at(d, site.path).where;
        node_at(d, site.path) = empty;
      });
    }
    if (site.kind == Site::Kind::number && !site.may_be_null) {
      mutants.expect_refused(name + " = null", [&](Document& d) {
        Node& node = node_at(d, site.path);
        Node null;
        null.where = node.where;
        node = null;
      });
    }
  }
  EXPECT_GE(mutants.refused, 1000);
}

TEST(MalformedScene, MissingAndMisspeltKeysAreRefused) {
  Mutants mutants(kEverything);
  for (const auto& [path, record] : mutants.records()) {
    Document copy = mutants.good();
    const std::size_t count = node_at(copy, path).entries.size();
    for (std::size_t i = 0; i < count; ++i) {
      const std::string key = node_at(copy, path).entries[i].key;
      const std::string name = name_of(copy, path) + "." + key;
      mutants.expect_refused(name + " misspelt", [&, where = path](Document& d) {
        node_at(d, where).entries[i].key += "zq";
      });
      const bool needed =
          record->find_choice(key) ? record->choice_required : record->find_field(key)->required;
      if (!needed) continue;
      mutants.expect_refused(name + " removed", [&, where = path](Document& d) {
        auto& entries = node_at(d, where).entries;
        entries.erase(entries.begin() + static_cast<std::ptrdiff_t>(i));
      });
    }
  }
  EXPECT_GE(mutants.refused, 200);
}

TEST(MalformedScene, RepeatedLinesAreRefused) {
  // Each line of the block part of a scene states one key; twice is once too often.
  std::istringstream lines(kEverything);
  std::vector<std::string> all;
  for (std::string line; std::getline(lines, line);) all.push_back(line);
  int refused = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const bool key =
        all[i].find(": ") != std::string::npos && all[i].find("- {") == std::string::npos;
    const bool text = i >= 3 && i <= 4;  // of the description
    if (!key || text || all[i].back() == '|') continue;
    std::string mutant;
    for (std::size_t k = 0; k < all.size(); ++k) {
      mutant += all[k] + "\n";
      if (k == i) mutant += all[k] + "\n";
    }
    Diagnostics findings;
    const bool scene = read_scene_text(mutant, "mutant.yaml", {}, findings).has_value();
    expect_sound(scene, findings, all[i]);
    EXPECT_NE(all_findings(findings).find("stands twice"), std::string::npos) << all[i];
    ++refused;
  }
  EXPECT_GE(refused, 40);
}

TEST(MalformedScene, TruncatedTextsAreRefusedInsideBracketsAndNeverCrash) {
  const std::string text = kEverything;
  int depth = 0, refused = 0;
  bool quoted = false;
  for (std::size_t end = 0; end < text.size(); ++end) {
    const char c = text[end];
    if (c == '"' && (end == 0 || text[end - 1] != '\\')) quoted = !quoted;
    if (!quoted && (c == '[' || c == '{')) ++depth;
    if (!quoted && (c == ']' || c == '}')) --depth;
    if (end % 7 != 0) continue;
    Diagnostics findings;
    const bool scene =
        read_scene_text(text.substr(0, end + 1), "mutant.yaml", {}, findings).has_value();
    expect_sound(scene, findings, "cut after " + std::to_string(end));
    if (depth > 0 || quoted) {
      EXPECT_FALSE(scene) << "cut after " << end;
      ++refused;
    }
  }
  EXPECT_GE(refused, 200);
}

TEST(MalformedScene, RandomBytesNeverCrash) {
  constexpr unsigned kSeed = 20240607;
  std::mt19937 random(kSeed);
  std::printf("seed %u\n", kSeed);
  std::vector<std::string> texts{kEverything, starter_scene()};
  for (const std::string& file : example_files()) texts.push_back(file_text(file));
  for (int i = 0; i < 600; ++i) {
    std::string mutant = texts[static_cast<std::size_t>(i) % texts.size()];
    const int edits = 1 + static_cast<int>(random() % 4);
    bool control = false;
    for (int k = 0; k < edits; ++k) {
      const std::size_t at = random() % mutant.size();
      const char byte =
          i % 3 == 0 ? static_cast<char>(random() % 256) : kMarks[random() % kMarks.size()];
      const auto code = static_cast<unsigned char>(byte);
      control |= code < 0x20 && byte != '\n' && byte != '\r' && byte != '\t';
      if (random() % 2 == 0)
        mutant.insert(at, 1, byte);
      else
        mutant[at] = byte;
    }
    Diagnostics findings;
    const bool scene = read_scene_text(mutant, "mutant.yaml", {}, findings).has_value();
    expect_sound(scene, findings,
                 "seed " + std::to_string(kSeed) + ", mutant " + std::to_string(i));
    EXPECT_FALSE(scene && control) << i;
  }
}

TEST(MalformedScene, RandomGarbageIsRefused) {
  constexpr unsigned kSeed = 99;
  std::mt19937 random(kSeed);
  std::printf("seed %u\n", kSeed);
  for (int i = 0; i < 200; ++i) {
    std::string garbage(1 + random() % 300, ' ');
    const bool binary = i % 2 == 0;
    for (char& c : garbage) {
      c = binary ? static_cast<char>(random() % 256) : kMarks[random() % kMarks.size()];
    }
    Diagnostics findings;
    const bool scene = read_scene_text(garbage, "garbage", {}, findings).has_value();
    expect_sound(scene, findings, "seed 99, text " + std::to_string(i));
    EXPECT_FALSE(scene) << garbage;
  }
}

}  // namespace
}  // namespace carom
