// Rows of the three catalogues of laws by name.
#include "carom/contact/contact_method.h"
#include "carom/contact/friction_law.h"
#include "carom/contact/normal_law.h"
#include "carom/contact/resistance_law.h"

namespace carom {
namespace {

template <class Row>
const Row* find_row(std::span<const Row* const> rows, std::string_view name) {
  for (const Row* row : rows) {
    if (name == row->name) return row;
  }
  return nullptr;
}

}  // namespace

const NormalLaw* find_normal_law(std::string_view name) {
  return find_row(normal_law_catalogue(), name);
}

const FrictionLaw* find_friction_law(std::string_view name) {
  return find_row(friction_law_catalogue(), name);
}

const ContactMethod* find_contact_method(std::string_view name) {
  return find_row(contact_method_catalogue(), name);
}

const ResistanceLaw* find_resistance_law(std::string_view name) {
  return find_row(resistance_law_catalogue(), name);
}

}  // namespace carom
