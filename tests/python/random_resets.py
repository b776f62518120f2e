"""Random resets of the pick-and-place demo, as a learner or a planner does them: at a random
instant of the demo the arm is turned and the part thrown somewhere, then it goes on for a while.

    PYTHONPATH=build/python /usr/bin/python3 tests/python/random_resets.py [count] [seed]

No advance may fail. Places in which the part would lie inside of something are drawn again.
"""

import random
import sys
import time

import carom
import support

INSTANTS = [0.0, 0.5, 1.1, 1.6, 2.4, 3.5, 4.3, 5.0]  # start, approach, close, lift, turn, lower, open, leave
GOES_ON = 0.1  # s


def quaternion(draw):
    while True:
        q = [draw.gauss(0, 1) for _ in range(4)]
        length = sum(c * c for c in q) ** 0.5
        if length > 0.1:
            return [c / length for c in q]


def disturb(sim, draw):
    """Sets joints and the part at random."""
    if draw.random() < 0.7:
        sim.set_joint("base", q=sim["base.q"] + draw.uniform(-0.6, 0.6), v=draw.uniform(-1, 1))
    if draw.random() < 0.5:
        lift = draw.uniform(-0.25, 0)  # up: down would take the hand through the floor
        sim.set_joint("shoulder", q=sim["shoulder.q"] + lift)
        sim.set_joint("wrist", q=sim["wrist.q"] - lift)
    if draw.random() < 0.3:
        sim.set_joint("slide1", q=draw.uniform(-0.01, 0))
    on_floor = draw.random() < 0.5
    sim.set_body("part", position=[draw.uniform(-0.7, 0.7), draw.uniform(-0.7, 0.7),
                                   0.02 if on_floor else draw.uniform(0.05, 0.5)],
                 orientation=[1, 0, 0, 0] if on_floor else quaternion(draw),
                 velocity=[draw.uniform(-1, 1) for _ in range(3)],
                 angular_velocity=[draw.uniform(-5, 5) for _ in range(3)])


def campaign(count, seed):
    """Failures as (number, instant, message), and how many places were refused."""
    draw = random.Random(seed)
    sim = carom.load(support.EXAMPLES / "pick_and_place.yaml").simulate()
    saved = []
    for t in INSTANTS:
        sim.advance_to(t)
        saved.append(sim.save())
    failures, refused = [], 0
    for number in range(count):
        if draw.random() < 0.2:
            sim.reset()
        else:
            sim.restore(draw.choice(saved))
        begun = sim.time
        try:
            disturb(sim, draw)
            while True:
                try:
                    sim.advance(GOES_ON)
                    break
                except carom.SimulationError as error:
                    if "overlap" not in str(error):
                        raise
                    refused += 1
                    sim.set_body("part", position=[draw.uniform(-0.7, 0.7), draw.uniform(-0.7, 0.7), 0.6])
        except (carom.SimulationError, carom.SceneError) as error:
            failures.append((number, begun, str(error)))
    return failures, refused


if __name__ == "__main__":
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    clock = time.process_time()
    failures, refused = campaign(count, seed)
    for failure in failures:
        print(*failure)
    print(f"{count} resets, seed {seed}: {len(failures)} failed, {refused} places refused, "
          f"{time.process_time() - clock:.1f} s of CPU")
    sys.exit(1 if failures else 0)
