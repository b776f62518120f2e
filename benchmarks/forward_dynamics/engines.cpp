#include <cstdio>

#include "engine.h"

namespace carom::bench {

Engines make_engines(const ModelSpec& model) {
  Engines engines;
  add_carom(model, engines);
#ifdef CAROM_BENCH_MUJOCO
  add_mujoco(model, engines);
#else
  std::fputs("skipped: MuJoCo (libmujoco-dev is not installed)\n", stderr);
#endif
#ifdef CAROM_BENCH_SIMBODY
  add_simbody(model, engines);
#else
  std::fputs("skipped: Simbody (libsimbody-dev is not installed)\n", stderr);
#endif
#ifdef CAROM_BENCH_DART
  add_dart(model, engines);
#else
  std::fputs("skipped: DART (libdart-dev libdart-external-ikfast-dev are not installed)\n", stderr);
#endif
  return engines;
}

}  // namespace carom::bench
