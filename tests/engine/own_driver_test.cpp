// A driver of its own, with a Runge-Kutta method of its own, on Stepper alone: the way a scene is
// stepped by a program that is not ours. Fixed steps, cut by bisection where an event function
// changes its sign.
#include <gtest/gtest.h>

#include <cmath>

#include "carom/engine/evaluate.h"
#include "carom/engine/stepper.h"
#include "carom/scene/read/read.h"

namespace carom {
namespace {

class OwnDriver {
 public:
  OwnDriver(const char* scene, double step) : step_(step) {
    Diagnostics diagnostics;
    model_ = compile(read_scene_text(scene), diagnostics);
    w_ = std::make_unique<Workspace>(model_);
    stepper_ = std::make_unique<Stepper>(*w_);
    x = model_->initial;
    stepper_->start(t, x);
    begin();
  }

  void advance(double until) {
    while (t < until) {
      double h = std::min({first_, step_, stepper_->longest_step(), until - t});
      first_ = std::min(1.5 * h, step_);
      std::vector<double> end = rk4(h);
      stepper_->end_step(t + h, end, h);
      before_ = functions(t, x);
      std::vector<double> after = functions(t + h, end);
      const bool is_event = !crossed(after).empty();
      if (is_event) {  // by bisection, of a step from where this one began
        double low = 0.0, high = h;
        while (high - low > 1e-15) {
          const double middle = 0.5 * (low + high);
          if (middle <= low || middle >= high) break;
          end = rk4(middle), after = functions(t + middle, end);
          (crossed(after).empty() ? low : high) = middle;
        }
        h = high, end = rk4(h), after = functions(t + h, end);
      }
      if (!stepper_->unseen(t + h, end, after).empty()) {
        first_ = 0.5 * h;
        continue;
      }
      const std::vector<int> which = crossed(after);
      t += h, x = end;
      if (!is_event) {
        stepper_->accept(t, x);
        continue;
      }
      const std::unique_ptr<bool[]> rising(new bool[which.size()]());
      for (std::size_t i = 0; i < which.size(); ++i) {
        rising[i] = after[static_cast<std::size_t>(which[i])] > 0.0;
      }
      for (const EngineEvent& event :
           stepper_->handle(t, x, which, {rising.get(), which.size()}).events) {
        events.push_back(event);
      }
      begin();
    }
  }

  double t = 0.0;
  std::vector<double> x;
  std::vector<EngineEvent> events;

 private:
  void begin() {
    stepper_->begin(t, x);
    first_ = std::min(stepper_->first_step(t), step_);
    const std::vector<double> g = functions(t, x);
    EventOutcome outcome;
    if (stepper_->mend(t, x, g, outcome)) stepper_->begin(t, x);
  }

  std::vector<double> rates(double at, const std::vector<double>& y) {
    std::vector<double> dydt(y.size());
    EXPECT_EQ(calc_rates(*w_, at, y, dydt), Status::ok);
    return dydt;
  }
  std::vector<double> rk4(double h) {
    const auto moved = [&](const std::vector<double>& slope, double by) {
      std::vector<double> y = x;
      for (std::size_t i = 0; i < y.size(); ++i) y[i] += by * slope[i];
      return y;
    };
    const auto a = rates(t, x), b = rates(t + 0.5 * h, moved(a, 0.5 * h)),
               c = rates(t + 0.5 * h, moved(b, 0.5 * h)), d = rates(t + h, moved(c, h));
    std::vector<double> y = x;
    for (std::size_t i = 0; i < y.size(); ++i) {
      y[i] += h / 6.0 * (a[i] + 2.0 * b[i] + 2.0 * c[i] + d[i]);
    }
    return y;
  }
  std::vector<double> functions(double at, const std::vector<double>& y) {
    std::vector<double> g(event_count(*w_));
    event_functions(*w_, at, y, g);
    return g;
  }
  /// Functions that have changed their sign since the step began, where that counts.
  std::vector<int> crossed(const std::vector<double>& g) const {
    std::vector<int> which;
    for (std::size_t i = 0; i < g.size() && i < before_.size(); ++i) {
      const bool rises = before_[i] <= 0.0 && g[i] > 0.0, falls = before_[i] > 0.0 && g[i] <= 0.0;
      const int f = static_cast<int>(i);
      if ((rises || falls) && event_interrupts(*w_, f, rises)) which.push_back(f);
    }
    return which;
  }

  double step_, first_ = 0.0;
  std::shared_ptr<const Model> model_;
  std::unique_ptr<Workspace> w_;
  std::unique_ptr<Stepper> stepper_;
  std::vector<double> before_;
};

// An elastic ball falls from rest; restitution 1, so energy tells the speed it comes back with, and
// the time of flight follows from it.
TEST(OwnDriver, BouncesABallThroughTheStepperAlone) {
  const char* kBounce = R"yaml(
carom: 1
gravity: [0, 0, -10]
bodies:
  floor: {fixed: true, material: rubber, shapes: [{half_space: {}}]}
  ball: {material: rubber, shapes: [{sphere: {radius: 0.1}}], position: [0, 0, 0.3]}
contact: {law: hertz, restitution: 1, friction: none}
run: {until: 1}
)yaml";
  OwnDriver driver(kBounce, 1e-4);
  driver.advance(1.0);
  ASSERT_GE(driver.events.size(), 4u);
  EXPECT_EQ(driver.events[0].kind, "contact_begin");
  EXPECT_EQ(driver.events[1].kind, "contact_end");
  // Free fall over 0.2 m, to what time resolves.
  EXPECT_NEAR(driver.events[0].time, std::sqrt(2.0 * 0.2 / 10.0), 1e-13);
  EXPECT_NEAR(driver.events[0].value, std::sqrt(2.0 * 10.0 * 0.2), 1e-12);
  // It leaves as fast as it came, and comes again after twice the time of fall.
  EXPECT_NEAR(driver.events[1].value, 2.0, 1e-6);
  EXPECT_NEAR(driver.events[2].time - driver.events[1].time, 0.4, 1e-6);
}

}  // namespace
}  // namespace carom
