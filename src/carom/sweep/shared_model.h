// One Model for all points of a study, where what varies changes neither its tree nor its laws.
//
// A place of the scene's text may feed any number of the scene, through formulas. Which ones is
// found by reading the scene twice: a place can be shared if another value changes one number of
// the scene, to that very value, and ModelStarts takes that number.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "carom/engine/study/model_starts.h"

namespace carom::sweep {

class Plan;

struct SharedModel {
  std::shared_ptr<const Model> model;
  std::vector<std::string> places;  ///< per factor, for ModelStarts::vary
};

/// Null where points need Models of their own.
std::shared_ptr<const SharedModel> find_shared_model(const Plan& plan);

/// Scene of a plan's document with these values; throws InputError.
Scene scene_of(Document& document, const Plan& plan, std::span<const std::string> overrides);
/// Its Model, with the channels that the plan records; throws InputError.
std::shared_ptr<const Model> model_of(Scene& scene, const Plan& plan);
/// The values of factors as numbers; of words, their indices.
void numbers_of(const Plan& plan, std::span<const double> point, std::span<double> numbers);

}  // namespace carom::sweep
