// Force elements and loads, from the catalogue of forces.
#include "carom/multibody/force_kind.h"
#include "carom/scene/tables/tables.h"

namespace carom {
namespace {

using enum FieldKind;

Record force_record() {
  Record force{.name = "force", .doc = "a force element or load", .fields = {}};
  for (const ForceKind* kind : force_catalogue()) {
    force.choices.push_back({.name = kind->name,
                             .kind = record,
                             .doc = kind->doc,
                             .record = std::string("force.") + kind->name});
  }
  return force;
}

void add_attachments(const ForceKind& kind, std::vector<Field>& fields) {
  if (!kind.is_load) {
    fields.push_back({.name = "from", .kind = attachment, .doc = "where it grips one body",
                      .default_text = "world", .record = "attachment"});
    fields.push_back({.name = "to", .kind = attachment, .doc = "where it grips the other",
                      .required = true, .record = "attachment"});
    return;
  }
  fields.push_back({.name = "body", .kind = attachment, .doc = "body or body.marker it acts on",
                    .required = true, .record = "attachment"});
  fields.push_back({.name = "at", .kind = vector3, .unit = "m",
                    .doc = "point of attack in the body's (or marker's) frame",
                    .default_text = "[0, 0, 0]"});
  fields.push_back({.name = "frame", .kind = word,
                    .doc = "axes of the components: the world's, or the body's (or marker's)",
                    .default_text = "world", .words = {"world", "body"}});
}

void add_signals(const ForceKind& kind, std::vector<Field>& fields) {
  if (kind.signal_count == 0) return;
  const bool single = kind.signal_count == 1;
  Field field{.name = kind.signal_field,
              .kind = single ? signal : signals,
              .required = kind.is_load,
              .record = "signal"};
  if (kind.is_load) {
    field.doc = single ? "the load" : "components of the load";
  } else {
    field.doc = "force as a formula in the deflection x and its rate v, in place of the "
                "constants; null: the constants";
  }
  fields.push_back(std::move(field));
}

}  // namespace

std::vector<Record> force_tables() {
  std::vector<Record> tables{force_record()};
  for (const ForceKind* kind : force_catalogue()) {
    Record row{.name = std::string("force.") + kind->name, .doc = kind->doc, .fields = {}};
    add_attachments(*kind, row.fields);
    for (const ParamField& param : kind->fields) row.fields.push_back(to_field(param));
    add_signals(*kind, row.fields);
    tables.push_back(std::move(row));
  }
  tables.push_back(
      {.name = "attachment",
       .doc = "a frame on a body; a text names a body or body.marker",
       .fields = {{.name = "body", .kind = reference, .doc = "body or body.marker",
                   .required = true},
                  {.name = "at", .kind = vector3, .unit = "m", .doc = "in the body's frame",
                   .default_text = "[0, 0, 0]"},
                  {.name = "rotation", .kind = rotation, .unit = "rad",
                   .doc = "of the frame in the body's axes", .default_text = "[0, 0, 0]"}}});
  return tables;
}

}  // namespace carom
