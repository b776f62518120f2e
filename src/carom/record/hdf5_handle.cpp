#include "carom/record/hdf5_handle.h"

#include <hdf5.h>

#include <algorithm>
#include <stdexcept>
#include <type_traits>

namespace carom::hdf5 {

static_assert(std::is_same_v<Id, hid_t>, "Id has to be HDF5's own handle type");

namespace {

std::recursive_mutex& library_mutex() {
  static std::recursive_mutex mutex;
  return mutex;
}

herr_t keep_first_description(unsigned, const H5E_error2_t* error, void* text) {
  auto& reason = *static_cast<std::string*>(text);
  if (reason.empty() && error->desc != nullptr) reason = error->desc;
  return 0;
}

Handle open_or_create_attribute(Id object, const char* name, Id type, Id space) {
  const std::string what = std::string("cannot write attribute '") + name + "'";
  const htri_t exists = H5Aexists(object, name);
  check(exists, what);
  const Id id = exists > 0 ? H5Aopen(object, name, H5P_DEFAULT)
                           : H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
  return {id, H5Aclose, what};
}

Handle open_attribute(Id object, const char* name) {
  return {H5Aopen(object, name, H5P_DEFAULT), H5Aclose,
          std::string("attribute '") + name + "' is missing"};
}

// A file from elsewhere may hold anything under our names. Attributes are at most 64 kB.
constexpr std::size_t kMaxAttribute = 1 << 16;

/// Bytes of the fixed-length texts of an attribute that holds `count` of them.
std::size_t text_bytes(const Handle& attribute, hssize_t& count, const std::string& where) {
  const Handle type(H5Aget_type(attribute.id()), H5Tclose, where);
  const Handle space(H5Aget_space(attribute.id()), H5Sclose, where);
  count = H5Sget_simple_extent_npoints(space.id());
  if (H5Tget_class(type.id()) != H5T_STRING || H5Tis_variable_str(type.id()) != 0) {
    throw std::runtime_error(where + " is not a text");
  }
  const std::size_t bytes = H5Tget_size(type.id());
  if (bytes == 0 || bytes > kMaxAttribute || count < 0 ||
      static_cast<std::size_t>(count) > kMaxAttribute / bytes) {
    throw std::runtime_error(where + " is damaged");
  }
  return bytes;
}

}  // namespace

Session::Session() : lock_(library_mutex()) {
  H5Eget_auto2(H5E_DEFAULT, &saved_printer_, &saved_data_);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  H5PLget_loading_state(&saved_plugins_);
  H5PLset_loading_state(0);
}

Session::~Session() {
  H5PLset_loading_state(saved_plugins_);
  H5Eset_auto2(H5E_DEFAULT, saved_printer_, saved_data_);
}

void renew_lock() { new (&library_mutex()) std::recursive_mutex; }

void fail(std::string_view what) {
  std::string reason;  // the first entry walking up is where it went wrong
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_first_description, &reason);
  H5Eclear2(H5E_DEFAULT);
  std::string text(what);
  // Of a failed write HDF5 tells everything, down to addresses; the user wants to know that the
  // disk is full.
  constexpr std::string_view kMessage = "error message = '";
  if (const std::size_t at = reason.find(kMessage); at != std::string::npos) {
    const std::string rest = reason.substr(at + kMessage.size());
    throw std::runtime_error(text + ": " + rest.substr(0, rest.find('\'')));
  }
  if (!reason.empty()) text += " (HDF5: " + reason + ")";
  throw std::runtime_error(text);
}

Handle fixed_text_type(std::size_t bytes) {
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose, "cannot make a text type");
  check(H5Tset_size(type.id(), std::max<std::size_t>(bytes, 1)), "cannot make a text type");
  check(H5Tset_strpad(type.id(), H5T_STR_NULLPAD), "cannot make a text type");
  check(H5Tset_cset(type.id(), H5T_CSET_UTF8), "cannot make a text type");
  return type;
}

std::string fitted(std::string_view text, std::size_t room) {
  if (text.size() <= room) return std::string(text);
  constexpr std::string_view kMore = "…";
  std::size_t end = room < kMore.size() ? 0 : room - kMore.size();
  const auto continues = [&](std::size_t i) {
    return (static_cast<unsigned char>(text[i]) & 0xC0) == 0x80;
  };
  while (end > 0 && continues(end)) --end;
  return std::string(text.substr(0, end)) + std::string(room < kMore.size() ? "" : kMore);
}

std::string without_padding(const char* text, std::size_t bytes) {
  while (bytes > 0 && text[bytes - 1] == '\0') --bytes;
  return {text, bytes};
}

Handle copied_type(Id type) { return {H5Tcopy(type), H5Tclose, "cannot copy a type"}; }

Handle scalar_space() { return {H5Screate(H5S_SCALAR), H5Sclose, "cannot make a data space"}; }

Handle make_group(Id parent, const char* name) {
  return {H5Gcreate2(parent, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose,
          std::string("cannot make group '") + name + "'"};
}

void write_text_attribute(Id object, const char* name, std::string_view text, std::size_t room) {
  const Handle type = fixed_text_type(std::max(text.size(), room));
  const Handle attribute = open_or_create_attribute(object, name, type.id(), scalar_space().id());
  const Handle stored(H5Aget_type(attribute.id()), H5Tclose, "cannot write an attribute");
  std::string copy = fitted(text, H5Tget_size(stored.id()));
  copy.resize(H5Tget_size(stored.id()));
  check(H5Awrite(attribute.id(), stored.id(), copy.data()), "cannot write an attribute");
}

void write_texts_attribute(Id object, const char* name, const std::vector<std::string>& texts) {
  std::size_t bytes = 1;
  for (const std::string& text : texts) bytes = std::max(bytes, text.size());
  const Handle type = fixed_text_type(bytes);
  const hsize_t count = texts.size();
  const Handle space(H5Screate_simple(1, &count, nullptr), H5Sclose, "cannot make a data space");
  const Handle attribute = open_or_create_attribute(object, name, type.id(), space.id());
  if (texts.empty()) return;
  std::string raw;
  for (const std::string& text : texts) raw += text + std::string(bytes - text.size(), '\0');
  check(H5Awrite(attribute.id(), type.id(), raw.data()), "cannot write an attribute");
}

void write_count_attribute(Id object, const char* name, std::uint64_t count) {
  const Handle attribute =
      open_or_create_attribute(object, name, H5T_STD_U64LE, scalar_space().id());
  check(H5Awrite(attribute.id(), H5T_NATIVE_UINT64, &count), "cannot write an attribute");
}

std::string read_text_attribute(Id object, const char* name) {
  const std::vector<std::string> texts = read_texts_attribute(object, name);
  if (texts.size() != 1) {
    throw std::runtime_error(std::string("attribute '") + name + "' is a list");
  }
  return texts.front();
}

std::vector<std::string> read_texts_attribute(Id object, const char* name) {
  const std::string where = std::string("attribute '") + name + "'";
  const Handle attribute = open_attribute(object, name);
  hssize_t count = 0;
  const std::size_t bytes = text_bytes(attribute, count, where);
  std::vector<char> raw(static_cast<std::size_t>(count) * bytes);
  if (count > 0) {
    check(H5Aread(attribute.id(), fixed_text_type(bytes).id(), raw.data()), "cannot read " + where);
  }
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < raw.size(); i += bytes) {
    texts.push_back(without_padding(raw.data() + i, bytes));
  }
  return texts;
}

std::uint64_t read_count_attribute(Id object, const char* name) {
  const std::string where = std::string("attribute '") + name + "'";
  const Handle attribute = open_attribute(object, name);
  const Handle space(H5Aget_space(attribute.id()), H5Sclose, where);
  const Handle type(H5Aget_type(attribute.id()), H5Tclose, where);
  if (H5Sget_simple_extent_npoints(space.id()) != 1) throw std::runtime_error(where + " is a list");
  if (H5Tget_class(type.id()) != H5T_INTEGER || H5Tget_size(type.id()) != sizeof(std::uint64_t)) {
    throw std::runtime_error(where + " is not a count");
  }
  std::uint64_t count = 0;
  check(H5Aread(attribute.id(), H5T_NATIVE_UINT64, &count), "cannot read " + where);
  return count;
}

std::string link_name(std::string_view name) {
  std::string link;
  for (const char c : name) {
    if (c == '/') {
      link += "\u2215";  // division slash
    } else {
      link += c;
    }
  }
  return link == "." ? "\u2024" : link;  // one dot leader
}

}  // namespace carom::hdf5
