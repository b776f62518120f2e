// How a run begins, how long and how exactly it goes, and what it writes.
#include "carom/scene/tables/tables.h"

namespace carom {
namespace {

using enum FieldKind;

Record run_record() {
  return {.name = "run",
          .doc = "the run",
          .fields = {
              {.name = "start", .kind = number, .unit = "s", .doc = "begin", .default_value = 0.0},
              {.name = "until", .kind = number, .unit = "s", .doc = "end", .default_value = 1.0},
              {.name = "tolerance",
               .kind = number,
               .doc = "relative error per step",
               .default_value = 1e-8,
               .min = 1e-15,
               .max = 0.1},
              {.name = "integrator",
               .kind = reference,
               .doc = "its name, or auto",
               .default_text = "auto"},
              {.name = "step",
               .kind = number,
               .unit = "s",
               .doc = "of fixed-step methods; 0: chosen",
               .default_value = 0.0,
               .min = 0.0},
              {.name = "freeze",
               .kind = number,
               .unit = "m/s",
               .doc = "implicit contact steps leave out what has rested below this speed, until it "
                      "is disturbed; 0: nothing",
               .default_value = 0.0,
               .min = 0.0,
               .max = 1.0},
              {.name = "max_step",
               .kind = number,
               .unit = "s",
               .doc = "greatest step",
               .default_value = kInf,
               .min = 0.0,
               .open = true,
               .may_be_infinite = true},
              {.name = "max_steps",
               .kind = integer,
               .doc = "greatest number of steps; 0: any",
               .default_value = 0.0,
               .min = 0.0,
               .max = 1e15},
              {.name = "max_cpu",
               .kind = number,
               .unit = "s",
               .doc = "CPU time after which the run ends as interrupted; its rows are kept",
               .default_value = kInf,
               .min = 0.0,
               .open = true,
               .may_be_infinite = true},
              {.name = "checkpoint",
               .kind = number,
               .unit = "s",
               .doc = "time between checkpoints, at which the method restarts; 0: none",
               .default_value = 0.0,
               .min = 0.0},
              {.name = "output",
               .kind = record,
               .doc = "what is recorded, and how often",
               .record = "output"},
          }};
}

}  // namespace

std::vector<Record> run_tables() {
  return {
      {.name = "initial",
       .doc = "how the initial state is found",
       .fields = {},
       .choices = {{.name = "assemble",
                    .kind = record,
                    .doc = "joins loops by moving joints",
                    .record = "initial.keep"},
                   {.name = "equilibrium",
                    .kind = record,
                    .doc = "a state of rest",
                    .record = "initial.keep"}}},
      {.name = "initial.keep",
       .doc = "what stays as it is given",
       .fields = {{.name = "keep",
                   .kind = references,
                   .doc = "joints whose coordinates do not change"}}},
      run_record(),
      {.name = "output",
       .doc = "the record of a run",
       .fields = {{.name = "step",
                   .kind = number,
                   .unit = "s",
                   .doc = "between samples; 0: a five-hundredth of the run",
                   .default_value = 0.0,
                   .min = 0.0},
                  {.name = "channels",
                   .kind = references,
                   .doc = "groups or names; default: all groups"},
                  {.name = "peaks",
                   .kind = boolean,
                   .doc = "the largest forces between samples are located and recorded too",
                   .default_value = 1.0},
                  {.name = "maps",
                   .kind = boolean,
                   .doc = "circumferences and pressures of contacts are recorded at every sample, "
                          "a million points at most",
                   .default_value = 0.0}}},
  };
}

}  // namespace carom
