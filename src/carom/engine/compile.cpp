// Scene → Model.
#include "carom/engine/compiler.h"

namespace carom {

Compiler::Compiler(const Scene& scene, Diagnostics& diagnostics)
    : scene_(scene), diagnostics_(diagnostics), model_(std::make_shared<Model>()) {}

std::shared_ptr<const Model> Compiler::run() {
  const int errors_before = diagnostics_.error_count();
  model_->scene = scene_;
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
  if (diagnostics_.error_count() > errors_before) return nullptr;
  return model_;
}

std::shared_ptr<const Model> compile(const Scene& scene, Diagnostics& diagnostics) {
  return Compiler(scene, diagnostics).run();
}

}  // namespace carom
