#include "scene_source.h"

#include "carom/base/text.h"
#include "carom/scene/expand/expand.h"
#include "demos.h"
#include "talk.h"

namespace carom::cli {
namespace {

void print_remarks(const Diagnostics& diagnostics) {
  for (const Diagnostic& d : diagnostics.all()) {
    if (d.severity != Severity::error) tell("{}\n", to_string(d));
  }
}

/// Options that are read like what they override, so that they are checked like it.
std::vector<NamedOverride> overrides_of(const SceneOptions& o) {
  std::vector<NamedOverride> all;
  if (o.until) all.push_back({"--until", "run.until", number_text(*o.until)});
  if (o.tolerance) all.push_back({"--tolerance", "run.tolerance", number_text(*o.tolerance)});
  if (o.step) all.push_back({"--step", "run.step", number_text(*o.step)});
  if (o.output_step) {
    all.push_back({"--output-step", "run.output.step", number_text(*o.output_step)});
  }
  if (o.checkpoint) all.push_back({"--checkpoint", "run.checkpoint", number_text(*o.checkpoint)});
  if (o.max_cpu) all.push_back({"--max-cpu", "run.max_cpu", number_text(*o.max_cpu)});
  if (o.integrator) all.push_back({"--integrator", "run.integrator", *o.integrator});
  if (!o.channels.empty()) {
    std::string list = "[";
    for (const std::string& c : o.channels) list += (list.size() > 1 ? ", " : "") + c;
    all.push_back({"--channels", "run.output.channels", list + "]"});
  }
  return all;
}

/// Remarks are left to whoever called.
Scene read(const SceneOptions& o, Diagnostics& diagnostics) {
  ReadOptions options;
  options.overrides = o.set;
  options.named_overrides = overrides_of(o);
  options.allow_outside = o.allow_outside;
  std::optional<Scene> scene;
  if (o.demo.empty()) {
    scene = read_scene_file(o.file, options, diagnostics);
  } else {
    const Demo* demo = find_demo(o.demo);
    options.carried = demo_files();
    scene = read_scene_text(demo->text, o.demo, options, diagnostics);
  }
  if (!scene || diagnostics.has_errors()) throw InputError(std::move(diagnostics));
  // Results carry the scene that ran, not the file without what the command line changed.
  if (!options.overrides.empty()) {
    std::string changes;
    for (const std::string& change : options.overrides) changes += "#   " + change + "\n";
    scene->source = "# With what the command line changed:\n" + changes + expand(*scene);
  }
  return std::move(*scene);
}

}  // namespace

void add_scene_options(CLI::App& command, SceneOptions& o) {
  command
      .add_option("--set", o.set, "override a value: path=value, as in joints.pivot.damping=0.1")
      ->type_name("PATH=VALUE")
      ->take_all()
      ->allow_extra_args(false);
  command.add_option("--until", o.until, "end of the run [s]");
  command.add_option("--tolerance", o.tolerance, "relative tolerance of the integration");
  command.add_option("--integrator", o.integrator, "a method of `carom list integrators`");
  command.add_option("--step", o.step, "fixed step [s]");
  command.add_option("--output-step", o.output_step, "time between recorded rows [s]");
  command.add_option("--channels", o.channels, "groups, objects or names to record")
      ->delimiter(',');
  command.add_flag("--allow-outside", o.allow_outside,
                   "let the scene read files outside its own folder");
}

Scene load_scene(const SceneOptions& o) {
  Diagnostics diagnostics;
  Scene scene = read(o, diagnostics);
  print_remarks(diagnostics);
  return scene;
}

std::shared_ptr<const Model> load_model(const SceneOptions& o) {
  Diagnostics diagnostics;
  const Scene scene = read(o, diagnostics);
  std::shared_ptr<const Model> model = compile(scene, diagnostics);
  if (!model) throw InputError(std::move(diagnostics));
  print_remarks(diagnostics);
  return model;
}

}  // namespace carom::cli
