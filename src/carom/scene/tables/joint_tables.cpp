// Joints (from the catalogue of joints), what acts along their coordinates, couplings.
#include "carom/multibody/joint_kind.h"
#include "carom/scene/tables/tables.h"

namespace carom {
namespace {

using enum FieldKind;

Record joint_record() {
  Record joint{
      .name = "joint",
      .doc =
          "joins two bodies. Where a coordinate is meant, one number holds for all "
          "coordinates of the joint, a list gives each its own. Units are those of an axis "
          "that slides; where it turns read rad for m and N.m for N",
      .fields = {
          {.name = "name",
           .kind = reference,
           .doc = "of a joint written inside a body; default: the body's name with _joint"},
          {.name = "q",
           .kind = per_dof,
           .unit = "m",
           .doc = "initial coordinates; default: zero, or from the body's position"},
          {.name = "v",
           .kind = per_dof,
           .unit = "m/s",
           .doc = "initial velocities; default: zero, or from the body's velocity"},
          {.name = "spring",
           .kind = record,
           .doc = "pulls the coordinate towards a rest value",
           .record = "joint.spring"},
          {.name = "damping",
           .kind = per_dof,
           .unit = "N.s/m",
           .doc = "viscous friction",
           .default_value = 0.0,
           .min = 0.0},
          {.name = "friction", .kind = record, .doc = "dry friction", .record = "joint.friction"},
          {.name = "limits", .kind = record, .doc = "elastic stops", .record = "joint.limits"},
          {.name = "rotor",
           .kind = record,
           .doc = "inertia of a motor behind a gear",
           .record = "joint.rotor"},
          {.name = "drive",
           .kind = dof_records,
           .doc = "force of a drive along the coordinate",
           .record = "drive"},
          {.name = "motion",
           .kind = dof_signals,
           .unit = "m",
           .doc = "prescribes the coordinate as a function of time",
           .record = "signal"},
          {.name = "loop",
           .kind = boolean,
           .doc = "closes a loop of the tree instead of carrying the child",
           .default_value = 0.0},
          {.name = "active",
           .kind = record,
           .doc = "of a loop: when it holds",
           .record = "joint.active"},
          {.name = "collide",
           .kind = boolean,
           .doc = "parent and child may touch each other",
           .default_value = 0.0},
      }};
  for (const JointKind* kind : joint_catalogue()) {
    joint.choices.push_back({.name = kind->name,
                             .kind = record,
                             .doc = kind->doc,
                             .record = std::string("joint.") + kind->name});
  }
  return joint;
}

Record joint_kind_record(const JointKind& kind) {
  Record row{.name = std::string("joint.") + kind.name,
             .doc = kind.doc,
             .fields = {
                 {.name = "parent",
                  .kind = reference,
                  .doc = "body, body.marker or world",
                  .default_text = "world"},
                 {.name = "child",
                  .kind = reference,
                  .doc = "body or body.marker; inside a body: that body"},
                 {.name = "at",
                  .kind = vector3,
                  .unit = "m",
                  .doc = "place of the joint in the parent's frame",
                  .default_text = "[0, 0, 0]"},
                 {.name = "axis",
                  .kind = axis,
                  .doc = "of the joint, in the parent's axes",
                  .default_text = default_axis(kind.name)},
                 {.name = "frame",
                  .kind = rotation,
                  .unit = "rad",
                  .doc = "all three axes of the joint in the parent's, in place of axis"},
                 {.name = "child_at",
                  .kind = vector3,
                  .unit = "m",
                  .doc = "place of the joint in the child's frame",
                  .default_text = "[0, 0, 0]"},
                 {.name = "rotation",
                  .kind = rotation,
                  .unit = "rad",
                  .doc = "of the child's axes in the parent's while the coordinates are zero",
                  .default_text = "[0, 0, 0]"},
                 {.name = "child_frame",
                  .kind = rotation,
                  .unit = "rad",
                  .doc = "all three axes of the joint in the child's, in place of rotation"},
             }};
  for (const ParamField& param : kind.fields) row.fields.push_back(to_field(param));
  return row;
}

std::vector<Record> dof_records_of_joints() {
  return {
      {.name = "joint.spring",
       .doc = "force -stiffness (q - rest)",
       .fields = {{.name = "stiffness",
                   .kind = per_dof,
                   .unit = "N/m",
                   .doc = "of the spring",
                   .required = true,
                   .min = 0.0},
                  {.name = "rest",
                   .kind = per_dof,
                   .unit = "m",
                   .doc = "coordinate without force",
                   .default_value = 0.0}}},
      {.name = "joint.friction",
       .doc = "dry friction along a coordinate",
       .fields = {{.name = "coulomb",
                   .kind = per_dof,
                   .unit = "N",
                   .doc = "force while sliding",
                   .required = true,
                   .min = 0.0},
                  {.name = "static",
                   .kind = per_dof,
                   .unit = "N",
                   .doc = "force at break-away; default: coulomb",
                   .min = 0.0}}},
      {.name = "joint.limits",
       .doc = "stops; beyond them acts a spring and damper",
       .fields = {{.name = "lower", .kind = per_dof, .unit = "m", .doc = "least coordinate"},
                  {.name = "upper", .kind = per_dof, .unit = "m", .doc = "greatest coordinate"},
                  {.name = "stiffness",
                   .kind = per_dof,
                   .unit = "N/m",
                   .doc = "of the stops",
                   .default_value = 1e4,
                   .min = 0.0,
                   .open = true},
                  {.name = "damping",
                   .kind = per_dof,
                   .unit = "N.s/m",
                   .doc = "of the stops",
                   .default_value = 10.0,
                   .min = 0.0}}},
      {.name = "joint.rotor",
       .doc = "adds ratio² inertia to the coordinate",
       .fields = {{.name = "inertia",
                   .kind = per_dof,
                   .unit = "kg",
                   .doc = "of the rotor itself",
                   .required = true,
                   .min = 0.0},
                  {.name = "ratio",
                   .kind = per_dof,
                   .doc = "turns of the rotor per turn of the joint",
                   .default_value = 1.0}}},
      {.name = "joint.active",
       .doc = "the time in which a loop holds",
       .fields = {{.name = "from",
                   .kind = number,
                   .unit = "s",
                   .doc = "begin",
                   .default_value = -kInf,
                   .may_be_infinite = true},
                  {.name = "until",
                   .kind = number,
                   .unit = "s",
                   .doc = "end",
                   .default_value = kInf,
                   .may_be_infinite = true}}},
  };
}

Record drive_record() {
  return {
      .name = "drive",
      .doc = "a drive: what it follows, and its gains",
      .fields =
          {
              {.name = "stiffness",
               .kind = number,
               .unit = "N/m",
               .doc = "position: gain on the error",
               .default_value = 0.0,
               .min = 0.0},
              {.name = "damping",
               .kind = number,
               .unit = "N.s/m",
               .doc = "position, velocity: gain on the error of the velocity",
               .default_value = 0.0,
               .min = 0.0},
              {.name = "integral",
               .kind = number,
               .unit = "N/(m.s)",
               .doc = "position, velocity: gain on the integral of the error",
               .default_value = 0.0,
               .min = 0.0},
              {.name = "rate_feedforward",
               .kind = boolean,
               .doc = "position: the error of the velocity uses the rate of the reference",
               .default_value = 1.0},
              {.name = "limit",
               .kind = number,
               .unit = "N",
               .doc = "largest force; default: none",
               .min = 0.0,
               .open = true},
              {.name = "ratio",
               .kind = number,
               .doc = "cascade: turns of the motor per turn",
               .default_value = 1.0},
              {.name = "inner_gain",
               .kind = number,
               .unit = "1/s",
               .doc = "cascade: gain of the position loop",
               .default_value = 0.0},
              {.name = "gain",
               .kind = number,
               .unit = "N.m.s/rad",
               .doc = "cascade: gain of the speed loop",
               .default_value = 0.0},
              {.name = "time_constant",
               .kind = number,
               .unit = "s",
               .doc = "cascade: of the speed loop's integral",
               .default_value = 1.0,
               .min = 0.0,
               .open = true},
          },
      .choices = {
          {.name = "force", .kind = signal, .unit = "N", .doc = "this force", .record = "signal"},
          {.name = "position",
           .kind = signal,
           .unit = "m",
           .doc = "follows this coordinate",
           .record = "signal"},
          {.name = "velocity",
           .kind = signal,
           .unit = "m/s",
           .doc = "follows this velocity",
           .record = "signal"},
          {.name = "cascade",
           .kind = signal,
           .unit = "m",
           .doc = "follows this coordinate by a position loop around a speed loop",
           .record = "signal"},
      }};
}

Field joints_field() {
  return {.name = "joints",
          .kind = references,
          .doc = "two coordinates: joint, or joint.coordinate where it has several",
          .required = true};
}

Field offset_field() {
  return {.name = "offset",
          .kind = number,
          .unit = "m",
          .doc = "added; default: from the initial coordinates"};
}

std::vector<Record> coupling_tables() {
  return {
      {.name = "coupling",
       .doc = "a ratio between two joint coordinates, q1 = ratio q2 + offset",
       .fields = {},
       .choices = {{.name = "gear",
                    .kind = record,
                    .doc = "two wheels in mesh",
                    .record = "coupling.gear"},
                   {.name = "rack",
                    .kind = record,
                    .doc = "a rack (first) and its pinion",
                    .record = "coupling.rack"},
                   {.name = "ratio",
                    .kind = record,
                    .doc = "any two coordinates",
                    .record = "coupling.ratio"}}},
      {.name = "coupling.gear",
       .doc = "q1 = ratio q2 + offset; negative for wheels that mesh outside",
       .fields = {joints_field(),
                  {.name = "ratio",
                   .kind = number,
                   .doc = "angle of the first per angle of the "
                          "second",
                   .required = true},
                  offset_field()}},
      {.name = "coupling.rack",
       .doc = "q1 = radius q2 + offset",
       .fields = {joints_field(),
                  {.name = "radius",
                   .kind = number,
                   .unit = "m",
                   .doc = "of the pinion's pitch circle",
                   .required = true},
                  offset_field()}},
      {.name = "coupling.ratio",
       .doc = "q1 = ratio q2 + offset",
       .fields = {joints_field(),
                  {.name = "ratio", .kind = number, .doc = "first per second", .required = true},
                  offset_field()}},
  };
}

}  // namespace

std::vector<Record> joint_tables() {
  std::vector<Record> tables{joint_record()};
  for (const JointKind* kind : joint_catalogue()) tables.push_back(joint_kind_record(*kind));
  for (Record& part : dof_records_of_joints()) tables.push_back(std::move(part));
  tables.push_back(drive_record());
  for (Record& part : coupling_tables()) tables.push_back(std::move(part));
  return tables;
}

}  // namespace carom
