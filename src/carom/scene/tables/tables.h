// The parts that fields.h puts together; one file each.
#pragma once

#include <vector>

#include "carom/scene/fields.h"

namespace carom {

std::vector<Record> root_tables();
std::vector<Record> body_tables();
std::vector<Record> joint_tables();
std::vector<Record> force_tables();
std::vector<Record> contact_tables();
std::vector<Record> surface_tables();
/// What is said of contacts of surfaces only.
std::vector<Field> surface_contact_fields();
std::vector<Record> signal_tables();
std::vector<Record> run_tables();

}  // namespace carom
