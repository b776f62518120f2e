#include "carom/record/result_seal.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <stdexcept>
#include <vector>

#include "carom/base/digest.h"

namespace carom {
namespace {

constexpr std::string_view kMagic = "carom result 2\n";

std::string block_of(const std::string& said) {
  std::string block = std::string(kMagic) + said;
  block.resize(kSealBytes, '\0');
  return block;
}

/// One write, so that a kill leaves the old block or the new one.
void write_block(const std::string& path, const std::string& said) {
  const std::string text = block_of(said);
  const int file = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  const bool written = file >= 0 && ::pwrite(file, text.data(), text.size(), 0) ==
                                        static_cast<::ssize_t>(kSealBytes);
  const int error = errno;
  const bool closed = file < 0 || ::close(file) == 0;
  if (!written || !closed) {
    throw std::runtime_error("cannot write '" + path + "': " + std::strerror(error));
  }
}

/// "sha256 <digest> <bytes>" of what follows the block.
std::string calc_seal(std::ifstream& in) {
  in.seekg(static_cast<std::streamoff>(kSealBytes));
  Digest digest;
  std::vector<char> buffer(1 << 20);
  std::size_t bytes = 0;
  while (in) {
    in.read(buffer.data(), static_cast<std::streamsize>(buffer.size()));
    const auto count = static_cast<std::size_t>(in.gcount());
    digest.add({buffer.data(), count});
    bytes += count;
  }
  return "sha256 " + digest.hex() + " " + std::to_string(bytes) + "\n";
}

}  // namespace

void write_open_seal(const std::string& path) { write_block(path, "open\n"); }

void write_whole_seal(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw std::runtime_error("cannot read '" + path + "' again to seal it");
  write_block(path, calc_seal(in));
}

Seal read_seal(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::string block(kSealBytes, '\0');
  in.read(block.data(), static_cast<std::streamsize>(kSealBytes));
  if (!in || !block.starts_with(kMagic)) return Seal::none;
  // The whole block is compared, so that damage to the zeros behind the text is found too.
  if (block == block_of("open\n")) return Seal::open;
  return block == block_of(calc_seal(in)) ? Seal::whole : Seal::broken;
}

}  // namespace carom
