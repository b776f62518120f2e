// Signals, the user's own states, events, controls.
#include "carom/scene/tables/tables.h"

namespace carom {
namespace {

using enum FieldKind;

Record signal_record() {
  return {.name = "signal",
          .doc =
              "a function of time. A number is constant, a text with = is a formula, the "
              "name of a signal or state stands for it",
          .fields = {},
          .choices = {
              {.name = "constant", .kind = number, .doc = "always this value"},
              {.name = "step", .kind = record, .doc = "a jump", .record = "signal.step"},
              {.name = "ramp", .kind = record, .doc = "a straight rise", .record = "signal.ramp"},
              {.name = "sine",
               .kind = record,
               .doc = "offset + amplitude sin(2 pi frequency (t - start) + phase)",
               .record = "signal.sine"},
              {.name = "table",
               .kind = pairs,
               .doc = "values at times: [[t, value], …]",
               .record = "signal.table"},
              {.name = "formula",
               .kind = formula,
               .doc = "text in t and channel names",
               .record = "signal.formula"},
          }};
}

Field number_field(const char* name, const char* unit, const char* doc, double value) {
  return {.name = name, .kind = number, .unit = unit, .doc = doc, .default_value = value};
}

std::vector<Record> signal_kinds() {
  return {
      {.name = "signal.step",
       .doc = "`before` until `start`, then `after`",
       .fields = {number_field("before", "-", "value until start", 0.0),
                  number_field("after", "-", "value from start on", 1.0),
                  number_field("start", "s", "time of the jump", 0.0)}},
      {.name = "signal.ramp",
       .doc = "from `before` at `start` to `after` at `start + duration`",
       .fields = {number_field("before", "-", "value until start", 0.0),
                  number_field("after", "-", "value after the rise", 1.0),
                  number_field("start", "s", "begin of the rise", 0.0),
                  {.name = "duration",
                   .kind = number,
                   .unit = "s",
                   .doc = "of the rise",
                   .default_value = 1.0,
                   .min = 0.0,
                   .open = true}}},
      {.name = "signal.sine",
       .doc = "offset + amplitude sin(2 pi frequency (t - start) + phase)",
       .fields = {number_field("offset", "-", "mean value", 0.0),
                  number_field("amplitude", "-", "half the swing", 1.0),
                  number_field("frequency", "Hz", "periods per second", 1.0),
                  number_field("phase", "rad", "at start", 0.0),
                  number_field("start", "s", "time of the phase", 0.0)}},
      {.name = "signal.table",
       .doc = "values at strictly increasing times",
       .fields = {{.name = "points", .kind = pairs, .doc = "[[t, value], …]"},
                  {.name = "times", .kind = per_dof, .unit = "s", .doc = "in place of points"},
                  {.name = "values", .kind = per_dof, .doc = "in place of points"},
                  {.name = "interpolation",
                   .kind = word,
                   .doc = "between the times",
                   .default_text = "linear",
                   .words = {"hold", "linear", "cubic"}},
                  {.name = "periodic",
                   .kind = boolean,
                   .doc = "repeats; otherwise the end values are held",
                   .default_value = 0.0}}},
      {.name = "signal.formula",
       .doc = "a formula with its derivatives, for prescribed motion",
       .fields = {{.name = "formula", .kind = formula, .doc = "the value", .required = true},
                  {.name = "rate", .kind = formula, .doc = "its first derivative in time"},
                  {.name = "acceleration", .kind = formula, .doc = "its second derivative"}}},
  };
}

std::vector<Record> state_and_event() {
  return {
      {.name = "state",
       .doc = "x' = rate(t, channels)",
       .fields = {{.name = "rate",
                   .kind = signal,
                   .doc = "derivative in time",
                   .required = true,
                   .record = "signal"},
                  number_field("initial", "-", "value at the start", 0.0)}},
      {.name = "event",
       .doc = "a zero crossing",
       .fields = {{.name = "when",
                   .kind = formula,
                   .doc = "the event is its zero crossing",
                   .required = true},
                  {.name = "direction",
                   .kind = word,
                   .doc = "of the crossing that counts",
                   .default_text = "both",
                   .words = {"both", "rising", "falling"}},
                  {.name = "do",
                   .kind = action,
                   .doc = "what happens",
                   .default_text = "record",
                   .record = "action",
                   .words = {"record", "stop"}}}},
      {.name = "control",
       .doc = "how the live page sets a constant signal, which goes back to its value when let go",
       .fields = {{.name = "keys",
                   .kind = name_pair,
                   .doc = "while held they set `least` and `most`: a letter, a digit, left, right, "
                          "up, down, page_up, page_down or space"},
                  {.name = "axis",
                   .kind = integer,
                   .doc = "of a gamepad, counted from 0, to the right and up; -1: none",
                   .default_value = -1.0,
                   .min = -1.0,
                   .max = 31.0},
                  number_field("least", "-", "value of the first key, and at one end of the axis",
                               -1.0),
                  number_field("most", "-", "value of the second key, and at the other end", 1.0)}},
      {.name = "action",
       .doc = "a change of parameters",
       .fields = {{.name = "set",
                   .kind = number_map,
                   .doc = "paths such as joints.pivot.damping, and their new values",
                   .required = true}}},
  };
}

}  // namespace

std::vector<Record> signal_tables() {
  std::vector<Record> tables{signal_record()};
  for (Record& kind : signal_kinds()) tables.push_back(std::move(kind));
  for (Record& part : state_and_event()) tables.push_back(std::move(part));
  return tables;
}

}  // namespace carom
