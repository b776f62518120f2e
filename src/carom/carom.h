// Carom as a library: what a program needs to read, run and look at a scene.
//
//   carom::Diagnostics findings;
//   const carom::Scene scene = carom::read_scene_file("ball.yaml");
//   std::shared_ptr<const carom::Model> model = carom::compile(scene, findings);
//   carom::RunResult result = carom::run(model);
//
// These headers and what they show are the public face. All others are internal: they are
// installed because these include some of them, and may change with every version.
#pragma once

#include "carom/base/diagnostic.h"        // findings with file, line and column
#include "carom/base/version.h"           // which Carom this is
#include "carom/engine/model.h"           // compile: Scene to Model
#include "carom/record/result_file.h"     // what a run has recorded
#include "carom/scene/read/read.h"        // YAML to Scene
#include "carom/scene/scene.h"            // a Scene made in a program
#include "carom/simulation/run.h"         // a whole run
#include "carom/simulation/simulation.h"  // step by step
