// Many starts of one Model: what runs may differ in without a Model of their own.
//
//   ModelStarts starts(model);
//   if (starts.vary("joints.pivot.damping") && starts.vary("bodies.ball.velocity.0")) {
//     if (const ModelStart* start = starts.make(numbers)) run(model, {.start = start});
//   }
//
// Such a run has the bits of one whose scene was written with these numbers and compiled: what is
// set is what compile() would have copied, and whatever it would have decided otherwise (a damping
// of zero needs no row of the ledger, a loop is closed around the start) is declined here.
#pragma once

#include "carom/engine/model.h"

namespace carom {

class ModelStarts {
 public:
  explicit ModelStarts(std::shared_ptr<const Model> model);
  ModelStarts(const ModelStarts&) = delete;
  ModelStarts& operator=(const ModelStarts&) = delete;

  /// Takes a number of the scene, by its path in scene_values.h, as one that starts differ in.
  /// False where another number makes another Model.
  bool vary(const std::string& path);
  /// The start with these numbers, one per place that was taken, valid until the next one. Null
  /// where compiling them would not give this Model, or would give findings.
  const ModelStart* make(std::span<const double> numbers);

 private:
  struct Place {
    double* in_scene;
    double* in_start;  ///< parameter or value; null: part of the state
    bool never_zero;   ///< zero would make another Model
  };
  bool is_state(const std::string& path) const;
  bool begins();

  std::shared_ptr<const Model> model_;
  Scene scene_;  ///< the model's with the numbers of the last start
  ModelStart start_;
  std::vector<Place> places_;
};

}  // namespace carom
