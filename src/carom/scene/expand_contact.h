// The contact section of an expanded scene.
#pragma once

#include <string>

#include "carom/scene/contact_spec.h"

namespace carom {

std::string expand_contact(const ContactSpec& contact);

}  // namespace carom
