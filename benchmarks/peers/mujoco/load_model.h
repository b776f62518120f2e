// A MuJoCo model from its text, without a file on disk.
#pragma once

#include <mujoco/mujoco.h>

#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>

namespace carom::bench {

inline mjModel* load_model(const std::string& xml) {
  auto vfs = std::make_unique<mjVFS>();
  mj_defaultVFS(vfs.get());
  mj_makeEmptyFileVFS(vfs.get(), "model.xml", static_cast<int>(xml.size()));
  std::memcpy(vfs->filedata[0], xml.data(), xml.size());
  char message[1000] = "";
  mjModel* model = mj_loadXML("model.xml", vfs.get(), message, sizeof message);
  mj_deleteVFS(vfs.get());
  if (model == nullptr) throw std::runtime_error(message);
  return model;
}

}  // namespace carom::bench
