// Shapes as triangle surfaces: one contact per overlap, from its circumference and depth.
#include "carom/contact/contact_method.h"

namespace carom {

extern const ContactMethod contact_method_triangles{
    .name = "triangles",
    .doc = "shapes as triangle surfaces: forces from the circumference of every overlap"};

}  // namespace carom
