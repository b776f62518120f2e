// Otter's record of a surface: a material may carry spring, damper and friction of its surface,
// and two that touch combine theirs (Otter, Elmqvist and Díaz López 2005, sections 2 and 4.5).
#pragma once

#include <string>

#include "carom/scene/scene.h"

namespace carom {

/// Completes the choice of a pair of materials by the records of both: their laws where nobody
/// said a law, their constants where a law of the paper was said without them. Nothing happens
/// where one of them has no record.
void take_surface_records(const Scene& scene, const std::string& a, const std::string& b,
                          ContactChoice& choice);

/// What is missing where records decide: nothing if both materials have one and `law` is of the
/// paper, one of the two, or what `note` says already.
void mend_record_note(const Scene& scene, const std::string& a, const std::string& b,
                      const NormalLaw& law, std::string& note);

}  // namespace carom
