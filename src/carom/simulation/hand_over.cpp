// Rigid contact under `auto`: from events to time steps where events pile up, cost too much or
// cannot go on.
//
// Events stand still where corners chatter, where a corner creeps so slowly that its friction is
// stiff, or where bodies meet edge along edge and no normal says how they part. From there on the
// run is one of time steps to its end. What it loses by that is told: bounces that last less than
// two steps of length h are left out, which are those below
//
//   H = (2 g h)² / 2g = 2 g h²                                                            (1)
#include <algorithm>
#include <cmath>

#include "carom/base/text.h"
#include "carom/simulation/run_settings.h"
#include "carom/simulation/simulation.h"

namespace carom {
namespace {

constexpr const char* kTimeSteps = "time_stepping";
/// Events that bring an island no further than this share of the run are too many.
constexpr std::int64_t kPile = 200;
constexpr double kPileShare = 1e-6;
/// So are those of which this many bring no more than that: what bounces without loss and rubs
/// becomes faster and faster for long.
constexpr std::int64_t kHeap = 20000;
constexpr double kHeapShare = 1e-2;
/// Steps of error control that are watched, and of the steps that would follow what they must be
/// shorter than.
constexpr std::int64_t kCrawlSteps = 5000;
constexpr double kCrawlStep = 0.02, kCrawlShare = 1e-3;
/// Elastic bodies whose evaluation takes as long as that of a rigid one, or of a point that is
/// held, with its share of what events take: 3.5 for 0.5 us.
constexpr double kRigidCost = 7.0;
/// Windows of work are so many times longer than those of elastic heaps, 1.25 s of processor time:
/// most heaps come to rest.
constexpr double kBurst = 10.0;
/// Of the rest of the run that it stays with time steps, at the least, where events cost too much.
constexpr double kCostlyStay = 0.1;
/// Steps of one body, and the longest [s].
constexpr double kStepOfOne = 1e-4, kStepOfMany = 1e-3;

/// More bodies take longer steps: each costs more, and the heap is less exact anyway.
double step_of(const Model& model) {
  const auto bodies = static_cast<double>(model.tree.links.size() - 1);
  return std::min(kStepOfMany, kStepOfOne * std::sqrt(std::max(1.0, bodies)));
}

}  // namespace

bool Simulation::may_hand_over() const {
  const RunSpec& run = model_->scene.run;
  return run.integrator == "auto" && !(run.step > 0.0) && model_->contact.has_rigid &&
         find_step_obstacle(*model_, VelocityStepKind::impulses).empty();
}

/// What `auto` stands for, before and after.
void Simulation::choose_side(bool steps) {
  if (steps) {
    method_ = kTimeSteps;
  } else if (method_ == kTimeSteps) {
    method_ = choose_method(workspace_, t_, x_);
  }
}

/// Whether events pile up, or steps have become much shorter than time steps would be.
bool Simulation::hands_over(double t_end) {
  if (!may_hand_over() || workspace_.modes.fixed_step > 0.0) return false;
  const double end = std::max(t_end, model_->scene.run.until);
  const double length = end - model_->scene.run.start;
  const std::int64_t steps = counts_before_.steps + integrator_->statistics().steps;
  const auto passed = [&](const PileMark& mark) { return t_ - mark.time; };
  if (instant_count_ - piled_events_.count >= kPile) {
    const bool piles = passed(piled_events_) < kPileShare * length;
    piled_events_ = {instant_count_, t_};
    if (piles) return hand_over(std::to_string(kPile) + " events brought the run no further");
  }
  if (instant_count_ - heaped_events_.count >= kHeap) {
    const double share = passed(heaped_events_) / length;
    heaped_events_ = {instant_count_, t_};
    if (share < kHeapShare) {
      return hand_over(std::to_string(kHeap) + " events brought the run no further than " +
                       rounded_text(share) + " of it");
    }
  }
  if (steps - piled_steps_.count >= kCrawlSteps) {
    const double gained = passed(piled_steps_);
    const double mean = gained / static_cast<double>(steps - piled_steps_.count);
    piled_steps_ = {steps, t_};
    const bool crawls = mean < kCrawlStep * step_of(*model_) && gained < kCrawlShare * length;
    if (crawls) {
      return hand_over("steps of error control have become as short as " + rounded_text(mean) +
                       " s");
    }
  }
  if (!is_too_costly(end)) return false;
  calm_.wait = std::max(calm_.wait, kCostlyStay * (end - t_));
  return hand_over("error control would have taken about " +
                   rounded_text(std::round(watch_.projected())) + " more evaluations");
}

WorkWatch Simulation::make_work_watch() const {
  return WorkWatch(model_->tree.links.size(), may_hand_over() ? kBurst : 1.0);
}

/// Whether events of a heap keep error control busy for long, as it looks from the last windows.
bool Simulation::is_too_costly(double end) {
  const auto bodies = static_cast<double>(model_->tree.links.size() - 1);
  const auto points = static_cast<double>(workspace_.modes.contacts.rigid.points.size());
  watch_.weigh(kRigidCost * (bodies + points));
  // A time step takes about as long as an evaluation.
  const double contact = WorkWatch::kStepsPerContact * step_of(*model_);
  return watch_.step_instead(t_, end, work_done(), contact).has_value();
}

bool Simulation::hand_over(const std::string& why) {
  if (!may_hand_over() || workspace_.modes.fixed_step > 0.0) return false;
  const double step = step_of(*model_);
  const double height = 2.0 * norm(model_->scene.gravity.uniform) * step * step;  // (1)
  const std::string text =
      "method: 'auto' went over to " + std::string(kTimeSteps) + " at t = " + rounded_text(t_) +
      " s with steps of " + rounded_text(step) + " s, because " + why + ". Bounces below " +
      rounded_text(height) +
      " m are left out and the tolerance is not kept from there on; give run.integrator and "
      "run.step to choose yourself";
  workspace_.modes.fixed_step = step;
  calm_ = {.since = t_, .wait = calm_.wait};
  stepper_.begin_stepping(x_);
  counts_before_ += integrator_->statistics();
  make_integrator();
  stepper_.expect(t_, x_, velocity_step_);
  EngineEvent event;
  event.time = t_, event.kind = "stepping_on", event.subject = method_, event.value = height;
  EventOutcome outcome;
  outcome.events.push_back(std::move(event));
  outcome.findings.push_back({"method", method_, step, 0.0, Grade::doubtful, text});
  report(outcome);
  failure_.clear();
  restart();
  return true;
}

}  // namespace carom
