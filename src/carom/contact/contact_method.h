// By which formulation two shapes touch, as scenes name it. What it does is a part of the engine.
#pragma once

#include <span>
#include <string_view>

namespace carom {

struct ContactMethod {
  const char* name;
  const char* doc;
};

inline constexpr const char* kDefaultContactMethod = "elastic";
/// Bodies that cannot penetrate need no material.
inline constexpr const char* kRigidContactMethod = "rigid";

std::span<const ContactMethod* const> contact_method_catalogue();
const ContactMethod* find_contact_method(std::string_view name);

}  // namespace carom
