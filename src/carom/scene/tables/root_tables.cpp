// The scene itself, gravity and materials.
#include "carom/scene/scene.h"
#include "carom/scene/tables/tables.h"

namespace carom {
namespace {

using enum FieldKind;

Record root_record() {
  return {
      .name = "scene",
      .doc = "the whole file",
      .fields = {
          {.name = "carom",
           .kind = integer,
           .doc = "version of the format",
           .required = true,
           .min = 1,
           .max = 1},
          {.name = "name", .kind = text, .doc = "title of the scene"},
          {.name = "description", .kind = text, .doc = "what it shows"},
          {.name = "include",
           .kind = texts,
           .doc = "files that this one is laid over; maps merge, the including file wins"},
          {.name = "gravity",
           .kind = gravity,
           .unit = "m/s²",
           .doc = "acceleration of free fall, off, or a point field",
           .default_text = "[0, 0, -9.81]",
           .record = "gravity"},
          {.name = "values",
           .kind = number_map,
           .doc = "named numbers, used as $name or in \"=formulas\""},
          {.name = "materials",
           .kind = record_map,
           .doc = "solids of the scene's own, beside the palette",
           .record = "material"},
          {.name = "bodies", .kind = record_map, .doc = "rigid bodies by name", .record = "body"},
          {.name = "joints",
           .kind = record_map,
           .doc = "joints by name: of the tree, or closing a loop",
           .record = "joint"},
          {.name = "couplings",
           .kind = record_map,
           .doc = "ratios between joint coordinates",
           .record = "coupling"},
          {.name = "forces",
           .kind = record_map,
           .doc = "force elements and loads by name",
           .record = "force"},
          {.name = "contact",
           .kind = contact,
           .doc = "how bodies touch, or off",
           .record = "contact"},
          {.name = "surfaces",
           .kind = record_map,
           .doc = "idealised surfaces by name",
           .record = "surface"},
          {.name = "contacts",
           .kind = record_list,
           .doc = "pairs of surfaces that touch",
           .record = "surface_contact"},
          {.name = "signals",
           .kind = signal_map,
           .doc = "named functions of time and channels",
           .record = "signal"},
          {.name = "states",
           .kind = record_map,
           .doc = "states of the user's own",
           .record = "state"},
          {.name = "events",
           .kind = record_map,
           .doc = "zero crossings and what they do",
           .record = "event"},
          {.name = "controls",
           .kind = record_map,
           .doc = "keys and gamepad axes of the live page, by the constant signal that they set",
           .record = "control"},
          {.name = "initial",
           .kind = start,
           .doc = "how the initial state is found",
           .default_text = "as_given",
           .record = "initial",
           .words = {"as_given", "equilibrium"}},
          {.name = "run", .kind = record, .doc = "duration, accuracy and output", .record = "run"},
      }};
}

Record gravity_record() {
  return {.name = "gravity",
          .doc = "a field of gravity that is not uniform",
          .fields = {},
          .choices = {{.name = "point",
                       .kind = record,
                       .doc = "attraction mu/r² towards a point",
                       .record = "gravity.point"}}};
}

Record point_gravity_record() {
  return {.name = "gravity.point",
          .doc = "attraction towards a point, on every part of a body at its centre of mass",
          .fields = {
              {.name = "center",
               .kind = vector3,
               .unit = "m",
               .doc = "the attracting point",
               .default_text = "[0, 0, 0]"},
              {.name = "mu",
               .kind = number,
               .unit = "m³/s²",
               .doc = "gravitational parameter G M",
               .required = true,
               .min = 0.0},
          }};
}

Record material_record() {
  return {.name = "material",
          .doc = "a solid; it shadows a material of the palette with the same name",
          .fields = {
              {.name = "density",
               .kind = number,
               .unit = "kg/m³",
               .doc = "mass per volume",
               .required = true,
               .min = 0.0},
              {.name = "youngs_modulus",
               .kind = number,
               .unit = "Pa",
               .doc = "stiffness; 0: no elastic contact",
               .default_value = 0.0,
               .min = 0.0},
              {.name = "poissons_ratio",
               .kind = number,
               .unit = "-",
               .doc = "lateral contraction",
               .default_value = 0.3,
               .min = -1.0,
               .max = 0.5,
               .open = true},
              {.name = "yield_strength",
               .kind = number,
               .unit = "Pa",
               .doc = "stress beyond which elastic laws do not hold",
               .min = 0.0,
               .open = true},
              {.name = "surface",
               .kind = record,
               .doc = "spring, damper and friction of the surface (Otter 2005); two materials that "
                      "have one touch by the laws of that paper where no other is said",
               .record = "material_surface"},
              {.name = "source", .kind = text, .doc = "where the figures come from"},
          }};
}

Record material_surface_record() {
  const SurfaceRecord usual;
  return {.name = "material_surface",
          .doc =
              "a surface after Otter 2005: of two that touch c acts in series, of the rest the "
              "mean counts",
          .fields = {
              {.name = "c",
               .unit = "N/m",
               .doc = "spring constant",
               .default_value = usual.c,
               .min = 0.0,
               .open = true},
              {.name = "d",
               .unit = "N.s/m",
               .doc = "damping constant",
               .default_value = usual.d,
               .min = 0.0},
              {.name = "d_w",
               .unit = "m",
               .doc = "lever of the friction torque about the normal",
               .default_value = usual.d_w,
               .min = 0.0},
              {.name = "mu", .doc = "friction coefficient", .default_value = usual.mu, .min = 0.0},
              {.name = "v_min",
               .unit = "m/s",
               .doc = "slip at which friction is full",
               .default_value = usual.v_min,
               .min = 0.0,
               .open = true},
              {.name = "w_min",
               .unit = "rad/s",
               .doc = "spin at which the torque is full",
               .default_value = usual.w_min,
               .min = 0.0,
               .open = true},
          }};
}

}  // namespace

std::vector<Record> root_tables() {
  return {root_record(), gravity_record(), point_gravity_record(), material_record(),
          material_surface_record()};
}

}  // namespace carom
