#include "carom/proximity/distance.h"
#include "engine.h"

namespace carom::bench {
namespace {

class CaromEngine : public Engine {
 public:
  const char* name() const override { return "carom"; }
  bool load(const Body& A, const Body& B) override {
    A_ = A.core, B_ = B.core;
    return true;
  }
  void reset() override { cache_ = {}; }
  Answer query(const Pose& X_WA, const Pose& X_WB, bool warm) override {
    const Contact c = distance(A_, X_WA, B_, X_WB, warm ? &cache_ : nullptr);
    return {c.status == Status::ok, c.phi, c.n_AB_W};
  }

 private:
  Core A_, B_;
  DistanceCache cache_;
};

}  // namespace

void add_carom(Engines& engines) { engines.push_back(std::make_unique<CaromEngine>()); }

}  // namespace carom::bench
