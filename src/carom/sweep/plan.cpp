#include "carom/sweep/plan.h"

#include <gnu/libc-version.h>

#include <algorithm>
#include <filesystem>

#include "carom/base/contact_name.h"
#include "carom/base/digest.h"
#include "carom/base/text.h"
#include "carom/base/version.h"
#include "carom/scene/load.h"
#include "carom/scene/overrides.h"
#include "carom/scene/read/read.h"
#include "carom/sweep/shared_model.h"

namespace carom::sweep {
namespace {

/// Findings of an override, placed where the study states it.
void place(const Diagnostics& findings, const SourcePos& where, Diagnostics& out) {
  for (Diagnostic d : findings.all()) {
    d.where = where;
    out.add(std::move(d));
  }
}

bool apply(Document& document, const std::string& path, const std::string& value,
           const SourcePos& where, Diagnostics& out) {
  Diagnostics findings;
  apply_override(document, path, value, "study", findings, {});
  place(findings, where, out);
  return !findings.has_errors();
}

Node& child(Node& map, const std::string& key, Node::Kind kind) {
  map.kind = Node::Kind::map;
  if (Node* found = map.find(key)) return *found;
  Node empty;
  empty.kind = kind;
  map.entries.push_back({key, {}, std::move(empty)});
  return map.entries.back().value;
}

/// Adds [a, b] to contact.watch unless it is there, either way round. Names that are none are
/// left to the finding about the channel.
void add_watch(Node& root, const std::string& a, const std::string& b) {
  const Node* bodies = root.find("bodies");
  if (!bodies || !bodies->find(a) || !bodies->find(b)) return;
  if (const Node* contact = root.find("contact"); contact && !contact->is_map()) return;
  Node& watch = child(child(root, "contact", Node::Kind::map), "watch", Node::Kind::list);
  if (!watch.is_list()) return;
  for (const Node& pair : watch.items) {
    if (pair.items.size() != 2) continue;
    const std::string &first = pair.items[0].text, &second = pair.items[1].text;
    if ((first == a && second == b) || (first == b && second == a)) return;
  }
  Node pair;
  pair.kind = Node::Kind::list;
  for (const std::string& name : {a, b}) {
    pair.items.emplace_back().kind = Node::Kind::scalar;
    pair.items.back().text = name;
  }
  watch.items.push_back(std::move(pair));
}

std::string digest_of_file(const std::string& path) {
  Diagnostics ignored;
  std::string text;
  return read_text_file(path, text, ignored, {}) ? digest_of(text) : "";
}

}  // namespace

std::string build_name() {
  return std::string("carom ") + kVersion + ", libc " + gnu_get_libc_version();
}

bool apply_point(Document& document, const Study& study, std::span<const std::string> values,
                 Diagnostics& out) {
  bool good = true;
  for (std::size_t f = 0; f < values.size(); ++f) {
    const Factor& factor = study.factors[f];
    good &= apply(document, factor.path, values[f], factor.where, out);
  }
  return good;
}

bool Plan::apply_settings(Diagnostics& out) {
  bool good = true;
  for (const Setting& s : study_.settings) {
    good &= apply(document_, s.path, s.value, s.where, out);
  }
  return good;
}

/// A pair that a recorded quantity names is watched: contact(a,b) is a channel only then.
void Plan::watch_contacts() {
  for (const RecordSpec& record : study_.records) {
    std::string text;
    std::copy_if(record.text.begin(), record.text.end(), std::back_inserter(text),
                 [](char c) { return c != ' '; });
    for (std::size_t at = 0; (at = find_contact_name(text, at)) != std::string::npos; ++at) {
      const auto pair = split_contact_name(std::string_view(text).substr(at));
      if (pair) add_watch(document_.root, pair->first, pair->second);
    }
  }
}

/// Mesh files by the name that the scene calls them.
void Plan::freeze_file(const std::string& name, const Mark& where, Diagnostics& out) {
  for (const CarriedFile& carried : document_.carried) {
    if (carried.name == name) return;
  }
  const std::optional<std::string> path = resolve_path(document_, name, where, out);
  if (!path) return;
  auto bytes = std::make_unique<std::string>();
  if (!read_text_file(*path, *bytes, out, document_.position(where))) return;
  frozen_.emplace_back(name, digest_of(*bytes));
  sources_.push_back({*path, frozen_.back().second});
  document_.carried.push_back({name, *bytes});
  mesh_bytes_.push_back(std::move(bytes));
}

void Plan::freeze_meshes(const Node& node, Diagnostics& out) {
  for (const Node& item : node.items) freeze_meshes(item, out);
  for (const NodeEntry& entry : node.entries) {
    if (entry.key == "file" && entry.value.is_scalar()) {
      freeze_file(entry.value.text, entry.value.where, out);
    } else {
      freeze_meshes(entry.value, out);
    }
  }
}

bool Plan::check_factors(Diagnostics& out) const {
  std::vector<double> point(design_->width());
  design_->point(0, point);
  Document document = document_;
  return apply_point(document, study_, overrides(point), out);
}

/// The scene as written tells the channels; where it needs what varies, the first point does.
std::shared_ptr<const Model> Plan::first_model(Diagnostics& out) const {
  Diagnostics as_written;
  if (const auto scene = read_scene(document_, as_written)) {
    if (auto model = compile(*scene, as_written)) return model;
  }
  std::vector<double> point(design_->width());
  design_->point(0, point);
  Document document = document_;
  Diagnostics findings;
  apply_point(document, study_, overrides(point), findings);
  std::shared_ptr<const Model> model;
  if (const auto scene = read_scene(document, findings)) model = compile(*scene, findings);
  if (!model) {
    for (const Diagnostic& d : as_written.all()) out.add(d);
  }
  return model;
}

/// All that decides a run but its point. Files count by what they hold, not by where they lie.
void Plan::calc_digest() {
  Digest digest;
  const auto add = [&](std::string_view name, std::string_view value) {
    digest.add(std::string(name) + " " + std::to_string(value.size()) + " ");
    digest.add(value);
    digest.add("\n");
  };
  add("build", build_name());
  add("scene", document_.text);
  for (const SourceDigest& source : sources_) add("file", source.digest);
  for (const auto& [name, bytes] : frozen_) add("mesh", name + " " + bytes);
  for (const Setting& s : study_.settings) add(s.path, s.value);
  add("max_cpu", number_text(study_.max_cpu));
  add("seed", std::to_string(study_.design.seed));
  for (const RecordSpec& r : study_.records) add(r.name, r.text);
  digest_ = digest.hex();
}

bool Plan::prepare(Diagnostics& out) {
  const int errors = out.error_count();
  const auto good = [&] { return out.error_count() == errors; };
  for (std::size_t i = 0; i < document_.files.size(); ++i) {
    const std::string& path = document_.files[i].name;
    const std::string digest = i == 0 ? digest_of(document_.text) : digest_of_file(path);
    if (!digest.empty()) sources_.push_back({path, digest});
  }
  apply_settings(out);
  watch_contacts();
  freeze_meshes(document_.root, out);
  for (const Factor& f : study_.factors) {
    if (!f.path.ends_with(".file")) continue;
    for (const std::string& name : f.distribution.choices) freeze_file(name, {}, out);
  }
  design_ = std::make_unique<Design>(study_, out);
  if (!good()) return false;
  if (design_->size() == 0) {
    out.error(study_.design.where, "the design has no points", "give it at least one");
    return false;
  }
  if (!check_factors(out)) return false;
  const std::shared_ptr<const Model> model = first_model(out);
  if (!model) return false;
  records_ = RecordPlan(study_, *model, out);
  calc_digest();
  if (good()) shared_model_ = find_shared_model(*this);
  return good();
}

std::shared_ptr<const Plan> Plan::make(const Study& study, Document document, Diagnostics& out) {
  std::shared_ptr<Plan> plan(new Plan(study, std::move(document)));
  return plan->prepare(out) ? plan : nullptr;
}

std::shared_ptr<const Plan> Plan::make(const Study& study, Diagnostics& out) {
  const std::string path = (std::filesystem::path(study.folder) / study.scene).string();
  ReadOptions options;
  options.allow_outside = study.allow_outside;
  if (!std::filesystem::exists(path)) {
    out.error(study.scene_where, "the scene '" + path + "' does not exist",
              "its path starts from the folder of the study");
    return nullptr;
  }
  std::optional<Document> document = load_document_file(path, options, out);
  if (!document || out.has_errors()) return nullptr;
  return make(study, *std::move(document), out);
}

std::vector<std::string> Plan::overrides(std::span<const double> point) const {
  std::vector<std::string> texts;
  for (std::size_t f = 0; f < point.size(); ++f) {
    texts.push_back(value_text(study_.factors[f].distribution, point[f]));
  }
  return texts;
}

Key Plan::key(std::uint64_t index) const {
  std::vector<double> point(design_->width());
  design_->point(index, point);
  Digest digest;
  digest.add(digest_);
  for (std::size_t f = 0; f < point.size(); ++f) {
    const Factor& factor = study_.factors[f];
    digest.add("\n" + factor.path + "=" + value_text(factor.distribution, point[f]));
  }
  return *Key::from_hex(digest.hex());
}

std::vector<std::string> Plan::changed_sources() const {
  std::vector<std::string> changed;
  for (const SourceDigest& source : sources_) {
    if (digest_of_file(source.path) != source.digest) changed.push_back(source.path);
  }
  return changed;
}

}  // namespace carom::sweep
