// How often operator new was called in this test program.
#pragma once

namespace carom {

long allocation_count();

}  // namespace carom
