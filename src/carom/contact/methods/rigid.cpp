// Bodies that cannot penetrate: rows and impacts in place of forces of depth.
#include "carom/contact/contact_method.h"

namespace carom {

extern const ContactMethod contact_method_rigid{
    .name = "rigid", .doc = "bodies that cannot penetrate: impacts, sliding and rolling"};

}  // namespace carom
