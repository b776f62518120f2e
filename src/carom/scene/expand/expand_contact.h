// The contact section of an expanded scene.
#pragma once

#include <string>

#include "carom/scene/scene.h"

namespace carom {

std::string expand_contact(const ContactSpec& contact);
std::string expand_surfaces(const Scene& scene);

}  // namespace carom
