#include "carom/base/archive.h"

#include "carom/base/version.h"

namespace carom {
std::uint64_t digest(std::string_view bytes) {
  std::uint64_t hash = 14695981039346656037ull;
  for (const char c : bytes) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 1099511628211ull;
  }
  return hash;
}

std::string seal(const ArchiveFormat& format, std::string_view body) {
  ArchiveWriter out;
  out.bytes = "carom " + std::string(format.name) + " " + std::to_string(format.number) + "\n" +
              kVersion + "\n";
  out(std::uint64_t{body.size()}, digest(body));
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
  std::uint64_t length = 0, hash = 0;
  constexpr std::size_t kHead = sizeof length + sizeof hash;
  ArchiveReader head(bytes);
  head(length, hash);
  const std::string_view body = bytes.substr(kHead);
  if (body.size() != length || digest(body) != hash) throw std::runtime_error("it is damaged");
  return body;
}

}  // namespace carom
