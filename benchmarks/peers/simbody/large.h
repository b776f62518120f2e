// The scenes of many bodies (S2, S3) in Simbody; large.cpp.
#pragma once

namespace carom::bench {

void s2();
void s3();

}  // namespace carom::bench
