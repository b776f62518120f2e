#include "carom/sweep/shared_model.h"

#include <optional>

#include "carom/scene/read/read.h"
#include "carom/scene/scene_values.h"
#include "carom/sweep/plan.h"

namespace carom::sweep {
namespace {

/// Points that are looked at for another value of a place.
constexpr std::uint64_t kLooks = 16;

struct Number {
  std::string path;
  double value;
};

std::vector<Number> numbers_in(const Scene& scene) {
  std::vector<Number> numbers;
  SceneValues walk([&](const ValueSite& site, double value) {
    numbers.push_back({site.path, value});
  });
  walk.walk(scene);
  return numbers;
}

bool same(double a, double b) { return a == b || (a != a && b != b); }

/// The one number that became `value`; empty if others changed, or none.
std::string changed_number(const std::vector<Number>& before, const std::vector<Number>& after,
                           double value) {
  if (before.size() != after.size()) return "";
  std::string found;
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (before[i].path != after[i].path) return "";
    if (same(before[i].value, after[i].value)) continue;
    if (!found.empty() || after[i].value != value) return "";
    found = after[i].path;
  }
  return found;
}

/// Follows one factor from its text to the scene.
std::string place_of(const Plan& plan, std::size_t factor, const std::vector<Number>& base,
                     const std::vector<double>& first) {
  const Distribution& d = plan.study().factors[factor].distribution;
  if (d.is_choice() && d.numbers.empty()) return "";
  std::vector<double> point(first.size()), numbers(first.size());
  for (std::uint64_t i = 1; i < std::min(plan.design().size(), kLooks); ++i) {
    plan.design().point(i, point);
    if (point[factor] == first[factor]) continue;
    std::vector<double> mixed = first;
    mixed[factor] = point[factor];
    numbers_of(plan, mixed, numbers);
    Document document = plan.document();
    try {
      const Scene scene = scene_of(document, plan, plan.overrides(mixed));
      return changed_number(base, numbers_in(scene), numbers[factor]);
    } catch (const InputError&) {
      continue;
    }
  }
  return "";
}

}  // namespace

Scene scene_of(Document& document, const Plan& plan, std::span<const std::string> overrides) {
  Diagnostics findings;
  apply_point(document, plan.study(), overrides, findings);
  std::optional<Scene> scene;
  if (!findings.has_errors()) scene = read_scene(document, findings);
  if (!scene || findings.has_errors()) throw InputError(std::move(findings));
  return *std::move(scene);
}

std::shared_ptr<const Model> model_of(Scene& scene, const Plan& plan) {
  if (!plan.records().channels().empty()) {
    scene.run.output.channels = plan.records().channels();
  }
  Diagnostics findings;
  std::shared_ptr<const Model> model = compile(scene, findings);
  if (!model) throw InputError(std::move(findings));
  return model;
}

void numbers_of(const Plan& plan, std::span<const double> point, std::span<double> numbers) {
  for (std::size_t f = 0; f < point.size(); ++f) {
    const Distribution& d = plan.study().factors[f].distribution;
    numbers[f] = d.numbers.empty() ? point[f] : d.numbers[static_cast<std::size_t>(point[f])];
  }
}

std::shared_ptr<const SharedModel> find_shared_model(const Plan& plan) {
  std::vector<double> first(plan.design().width());
  plan.design().point(0, first);
  Document document = plan.document();
  try {
    Scene scene = scene_of(document, plan, plan.overrides(first));
    const std::vector<Number> base = numbers_in(scene);
    auto shared = std::make_shared<SharedModel>();
    for (std::size_t f = 0; f < first.size(); ++f) {
      shared->places.push_back(place_of(plan, f, base, first));
      if (shared->places.back().empty()) return nullptr;
    }
    shared->model = model_of(scene, plan);
    ModelStarts starts(shared->model);
    for (const std::string& place : shared->places) {
      if (!starts.vary(place)) return nullptr;
    }
    return shared;
  } catch (const InputError&) {
    return nullptr;  // the first point is not one that can be run
  }
}

}  // namespace carom::sweep
