#include "carom/base/archive.h"

#include "carom/base/digest.h"
#include "carom/base/version.h"

namespace carom {

std::string seal(const ArchiveFormat& format, std::string_view body) {
  ArchiveWriter out;
  out.bytes = "carom " + std::string(format.name) + " " + std::to_string(format.number) + "\n" +
              kVersion + "\n";
  out(std::uint64_t{body.size()}, digest_of(body));
  out.bytes += body;
  return std::move(out.bytes);
}

std::string_view unseal(const ArchiveFormat& format, std::string_view bytes) {
  const std::string name = "carom " + std::string(format.name) + " ";
  const std::string start = name + std::to_string(format.number) + "\n" + kVersion + "\n";
  if (!bytes.starts_with(name)) {
    throw std::runtime_error("it is no " + std::string(format.name));
  }
  if (!bytes.starts_with(start)) throw std::runtime_error("another version of Carom wrote it");
  bytes.remove_prefix(start.size());
  std::uint64_t length = 0;
  std::string digest;
  ArchiveReader head(bytes);
  head(length, digest);
  const std::string_view body = bytes.substr(2 * sizeof length + digest.size());
  if (body.size() != length || digest_of(body) != digest) throw std::runtime_error("it is damaged");
  return body;
}

}  // namespace carom
