// Scene → Model.
#include <algorithm>

#include "carom/engine/compile/compiler.h"
#include "carom/scene/validate/validate.h"

namespace carom {
namespace {

std::shared_ptr<Model> model_of(const Scene& scene) {
  auto model = std::make_shared<Model>();
  model->scene = scene;
  give_places(model->scene);
  return model;
}

bool is_known(const Diagnostics& all, const Diagnostic& d) {
  return std::ranges::any_of(all.all(), [&](const Diagnostic& other) {
    return other.message == d.message && other.where.line == d.where.line &&
           other.where.column == d.where.column;
  });
}

}  // namespace

Compiler::Compiler(const Scene& scene, Diagnostics& diagnostics)
    : model_(model_of(scene)), scene_(model_->scene), diagnostics_(diagnostics) {}

/// However the scene was made. What its reader has said already is not said again.
void Compiler::check_scene() {
  Diagnostics found;
  validate(scene_, found);
  for (const Diagnostic& d : found.all()) {
    if (d.severity == Severity::error || !is_known(diagnostics_, d)) diagnostics_.add(d);
  }
}

std::shared_ptr<const Model> Compiler::run() {
  const int errors_before = diagnostics_.error_count();
  check_scene();
  if (diagnostics_.error_count() > errors_before) return nullptr;
  model_->parameters.gravity = scene_.gravity;
  compile_tree();
  if (diagnostics_.error_count() > errors_before) return nullptr;
  for (const NamedSignal& s : scene_.signals) add_signal(s.signal, s.name);
  compile_states();
  compile_dofs();
  compile_forces();
  compile_events();
  compile_signals();
  compile_contact();
  compile_surfaces();
  lay_out_slots();
  lay_out_ledger();
  find_islands();
  if (diagnostics_.error_count() > errors_before) return nullptr;
  compile_initial();
  if (diagnostics_.error_count() == errors_before) check_start_overlaps();
  if (diagnostics_.error_count() == errors_before) check_rigid();
  if (diagnostics_.error_count() > errors_before) return nullptr;
  return model_;
}

std::shared_ptr<const Model> compile(const Scene& scene, Diagnostics& diagnostics) {
  return Compiler(scene, diagnostics).run();
}

}  // namespace carom
