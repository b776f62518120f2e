// The version of Carom, as recorded in results.
#pragma once

namespace carom {

inline constexpr const char* kVersion = "0.1.0";
inline constexpr int kSceneFormat = 1;  ///< what `carom: 1` in a scene stands for

}  // namespace carom
