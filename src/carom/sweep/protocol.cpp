#include "carom/sweep/protocol.h"

#include <cstring>

namespace carom::sweep {
namespace {

template <class T>
void append(std::string& out, const T& value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

template <class T>
void append_list(std::string& out, const std::vector<T>& list) {
  append(out, static_cast<std::uint32_t>(list.size()));
  out.append(reinterpret_cast<const char*>(list.data()), list.size() * sizeof(T));
}

template <class T>
bool take(std::string_view& in, T& value) {
  if (in.size() < sizeof value) return false;
  std::memcpy(&value, in.data(), sizeof value);
  in.remove_prefix(sizeof value);
  return true;
}

template <class List>
bool take_list(std::string_view& in, List& list) {
  std::uint32_t count = 0;
  if (!take(in, count)) return false;
  const std::size_t size = count * sizeof(typename List::value_type);
  if (in.size() < size) return false;
  list.resize(count);
  if (size > 0) std::memcpy(list.data(), in.data(), size);
  in.remove_prefix(size);
  return true;
}

}  // namespace

std::string encode(const Note& note) {
  std::string out;
  append(out, note.kind);
  append(out, note.shared);
  append(out, note.failed);
  append(out, note.seconds);
  append(out, static_cast<std::uint32_t>(note.text.size()));
  out += note.text;
  append_list(out, note.points);
  append_list(out, note.attempts);
  return out;
}

std::optional<Note> decode_note(std::string_view in) {
  Note note;
  std::uint8_t kind = 0, shared = 0;
  if (!take(in, kind) || kind > static_cast<std::uint8_t>(Note::Kind::end)) return {};
  if (!take(in, shared) || !take(in, note.failed) || !take(in, note.seconds)) return {};
  note.kind = static_cast<Note::Kind>(kind);
  note.shared = shared != 0;
  if (!take_list(in, note.text) || !take_list(in, note.points) || !take_list(in, note.attempts)) {
    return {};
  }
  return in.empty() ? std::optional(note) : std::nullopt;
}

}  // namespace carom::sweep
