#include "carom/scene/starter.h"

namespace carom {

std::string starter_scene() {
  return R"yaml(# A pendulum, to begin with. SI units; angles in radians.
#   carom check this.yaml      reports what is wrong
#   carom run this.yaml        simulates it
carom: 1                       # version of the format
name: Pendulum
gravity: [0, 0, -9.81]         # m/s²; this is the default

values:                        # numbers with a name: $length, or "=2*length" in quotes
  length: 0.5

bodies:                        # by name; a body without a joint is free
  stand:
    fixed: true
    material: steel            # gives the density; carom list materials shows the others
    shapes: [{box: {size: [0.1, 0.1, 0.02]}}]

  rod:
    material: steel
    shapes:
      - {cylinder: {radius: 0.004, length: $length}, at: [0, 0, "=-length/2"], axis: z}
      - {sphere: {radius: 0.03}, at: [0, 0, "=-length"]}
    markers: {tip: [0, 0, "=-length"]}
    joint:                     # carries the body: here a hinge about y below the stand
      revolute: {parent: stand, at: [0, 0, -0.01], axis: y}
      name: pivot
      q: 1.0                   # initial angle
      damping: 0.001           # N.m.s/rad

events:
  passes_below: {when: "pivot.q", do: record}

run:
  until: 10                    # s
  tolerance: 1e-8
  output: {step: 0.01}
)yaml";
}

}  // namespace carom
