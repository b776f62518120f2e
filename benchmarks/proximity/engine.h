// What the benchmark asks of an engine, and the bodies it asks about.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "carom/geometry/core.h"
#include "carom/geometry/polytope.h"
#include "carom/math/pose.h"

namespace carom::bench {

enum class Kind { sphere, box, capsule, cylinder, ellipsoid, cone, hull };

/// Axes of Carom: cylinder, capsule and cone lie along x about their middle.
struct Body {
  Kind kind;
  Vec3 size;  ///< radius | half sizes | radius, half length | half axes | radius, height
  double rounding = 0.0;  ///< a ball added outside
  std::shared_ptr<Polytope> hull;
  Core core;
};

struct Answer {
  bool ok = false;
  double d = 0.0;
  Vec3 n;  ///< from A to B
};

class Engine {
 public:
  virtual ~Engine() = default;
  virtual const char* name() const = 0;
  /// False if the engine has no such shapes.
  virtual bool load(const Body& A, const Body& B) = 0;
  /// Forget what the last query of this pair left behind.
  virtual void reset() {}
  virtual Answer query(const Pose& X_WA, const Pose& X_WB, bool warm) = 0;
  /// Answers only where the bodies overlap.
  virtual bool overlap_only() const { return false; }
  /// May be called the fastest correct peer.
  virtual bool counted() const { return true; }
};

using Engines = std::vector<std::unique_ptr<Engine>>;
void add_carom(Engines& engines);
void add_fcl(Engines& engines);
void add_ccd(Engines& engines);
void add_bullet(Engines& engines);

/// Takes the z axis of the peers to the x axis of Carom.
inline Mat3 z_to_x() { return {{0, 0, 1, 0, 1, 0, -1, 0, 0}}; }

}  // namespace carom::bench
