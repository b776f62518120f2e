// Laws of elastic bodies, integrated through every contact.
#include "carom/contact/contact_method.h"

namespace carom {

extern const ContactMethod contact_method_elastic{
    .name = "elastic", .doc = "forces from depth and its rate, through every contact"};

}  // namespace carom
