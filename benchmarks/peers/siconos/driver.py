#!/usr/bin/python3
"""Siconos 4.4 in the scenes that its rigid contact in one dimension can hold: S1 and S6.

    driver.py SCENE

Event driven (LSODAR with root finding and an impact law) and Moreau-Jean time stepping, by the
Python interface of the Debian package; its loop is inside the measured time.
"""
import json
import math
import sys
import time

import siconos.kernel as sk

GRAVITY, FALL, DURATION = 9.81, 0.9, 2.0
MASS = 4 / 3 * math.pi * 0.1**3 * 7850
ENGINE = "Siconos 4.4"


def report(scene, setting, cpu, simulated, steps, figures):
    print(json.dumps({"scene": scene, "engine": ENGINE, "setting": setting, "cpu_seconds": cpu,
                      "simulated": simulated, "evaluations": steps, "figures": figures}),
          flush=True)


def time_stepping(model, step):
    simulation = sk.TimeStepping(model, sk.TimeDiscretisation(0.0, step), sk.MoreauJeanOSI(0.5),
                                 sk.LCP())

    def advance():
        simulation.computeOneStep()
        simulation.nextStep()
    return simulation, advance, f"Moreau-Jean theta 0.5 step {step:g} s"


def event_driven(model, step):
    simulation = sk.EventDriven(model, sk.TimeDiscretisation(0.0, step))
    simulation.insertIntegrator(sk.LsodarOSI())
    simulation.insertNonSmoothProblem(sk.LCP(), sk.SICONOS_OSNSP_ED_IMPACT)
    simulation.insertNonSmoothProblem(sk.LCP(), sk.SICONOS_OSNSP_ED_SMOOTH_ACC)

    def advance():
        simulation.advanceToEvent()
        simulation.processEvents()
    return simulation, advance, f"event driven, LSODAR, output every {step:g} s"


def hard_bounce(make, step, restitution):
    """The coordinate is the gap, so that the constraint is q >= 0."""
    body = sk.LagrangianLinearTIDS([FALL], [0.0], [[MASS]])
    body.setFExtPtr([-MASS * GRAVITY])
    model = sk.NonSmoothDynamicalSystem(0.0, DURATION)
    model.insertDynamicalSystem(body)
    model.link(sk.Interaction(sk.NewtonImpactNSL(restitution), sk.LagrangianLinearTIR([[1.0]])),
               body)
    begin = time.process_time()
    simulation, advance, setting = make(model, step)
    steps, bounced, before, height = 0, False, 0.0, 0.0
    while simulation.hasNextEvent():
        advance()
        gap, speed = body.q()[0], body.velocity()[0]
        steps += 1
        bounced = bounced or (before < 0.0 < speed)
        if bounced and height == 0.0 and gap > 0.02 and speed > 0.0:
            height = gap + speed**2 / (2 * GRAVITY)
        before = speed
    cpu = time.process_time() - begin
    ideal = restitution**2 * FALL
    scene = "s1_hard_bounce/" + ("elastic" if restitution == 1.0 else "restitution")
    report(scene, setting, cpu, DURATION, steps,
           {"height": height, "error": abs(height / ideal - 1)})


def main():
    if sys.argv[1] != "s1_hard_bounce":
        return
    for restitution in (1.0, 0.7):
        hard_bounce(event_driven, 0.01, restitution)
        hard_bounce(time_stepping, 1e-3, restitution)
        hard_bounce(time_stepping, 1e-4, restitution)


if __name__ == "__main__":
    main()
