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

Handle scalar_space() { return {H5Screate(H5S_SCALAR), H5Sclose, "cannot make a data space"}; }

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

// A file from elsewhere may hold anything under our names; a numeric or
// fixed-length type read as char* would be a wild pointer.
void require_text(Handle type, const std::string& where) {
  if (!type || H5Tis_variable_str(type.id()) <= 0) {
    throw std::runtime_error(where + " is not a text");
  }
}

std::string take_text(char* raw) {
  std::string text = raw == nullptr ? "" : raw;
  H5free_memory(raw);
  return text;
}

}  // namespace

Session::Session() : lock_(library_mutex()) {
  H5Eget_auto2(H5E_DEFAULT, &saved_printer_, &saved_data_);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

Session::~Session() { H5Eset_auto2(H5E_DEFAULT, saved_printer_, saved_data_); }

void fail(std::string_view what) {
  std::string reason;  // the first entry walking up is where it went wrong
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_first_description, &reason);
  H5Eclear2(H5E_DEFAULT);
  std::string text(what);
  if (!reason.empty()) text += " (HDF5: " + reason + ")";
  throw std::runtime_error(text);
}

Handle text_type() {
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose, "cannot make a text type");
  check(H5Tset_size(type.id(), H5T_VARIABLE), "cannot make a text type");
  check(H5Tset_cset(type.id(), H5T_CSET_UTF8), "cannot make a text type");
  return type;
}

Handle make_group(Id parent, const char* name) {
  return {H5Gcreate2(parent, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose,
          std::string("cannot make group '") + name + "'"};
}

Handle open_dataset(Id parent, const char* name) {
  return {H5Dopen2(parent, name, H5P_DEFAULT), H5Dclose,
          std::string("dataset '") + name + "' is missing"};
}

void write_text_attribute(Id object, const char* name, std::string_view text) {
  const Handle type = text_type();
  const Handle attribute = open_or_create_attribute(object, name, type.id(), scalar_space().id());
  const std::string copy(text);
  const char* raw = copy.c_str();
  check(H5Awrite(attribute.id(), type.id(), &raw), "cannot write an attribute");
}

void write_texts_attribute(Id object, const char* name, const std::vector<std::string>& texts) {
  const Handle type = text_type();
  const hsize_t count = texts.size();
  const Handle space(H5Screate_simple(1, &count, nullptr), H5Sclose, "cannot make a data space");
  const Handle attribute = open_or_create_attribute(object, name, type.id(), space.id());
  if (texts.empty()) return;
  std::vector<const char*> raw;
  for (const std::string& text : texts) raw.push_back(text.c_str());
  check(H5Awrite(attribute.id(), type.id(), raw.data()), "cannot write an attribute");
}

void write_count_attribute(Id object, const char* name, std::uint64_t count) {
  const Handle attribute =
      open_or_create_attribute(object, name, H5T_STD_U64LE, scalar_space().id());
  check(H5Awrite(attribute.id(), H5T_NATIVE_UINT64, &count), "cannot write an attribute");
}

std::string read_text_attribute(Id object, const char* name) {
  const std::string where = std::string("attribute '") + name + "'";
  const Handle attribute = open_attribute(object, name);
  require_text({H5Aget_type(attribute.id()), H5Tclose, where}, where);
  const Handle space(H5Aget_space(attribute.id()), H5Sclose, where);
  if (H5Sget_simple_extent_npoints(space.id()) != 1) throw std::runtime_error(where + " is a list");
  char* raw = nullptr;
  check(H5Aread(attribute.id(), text_type().id(), &raw), "cannot read " + where);
  return take_text(raw);
}

std::vector<std::string> read_texts_attribute(Id object, const char* name) {
  const std::string where = std::string("attribute '") + name + "'";
  const Handle attribute = open_attribute(object, name);
  require_text({H5Aget_type(attribute.id()), H5Tclose, where}, where);
  const Handle space(H5Aget_space(attribute.id()), H5Sclose, where);
  const hssize_t count = H5Sget_simple_extent_npoints(space.id());
  constexpr hssize_t kMaxTexts = 1 << 20;  // a damaged count must not take all memory
  if (count < 0 || count > kMaxTexts) throw std::runtime_error(where + " is damaged");
  std::vector<char*> raw(static_cast<std::size_t>(count), nullptr);
  if (count > 0) {
    check(H5Aread(attribute.id(), text_type().id(), raw.data()), "cannot read " + where);
  }
  std::vector<std::string> texts;
  for (char* text : raw) texts.push_back(take_text(text));
  return texts;
}

std::uint64_t read_count_attribute(Id object, const char* name) {
  const std::string where = std::string("attribute '") + name + "'";
  const Handle attribute = open_attribute(object, name);
  const Handle space(H5Aget_space(attribute.id()), H5Sclose, where);
  if (H5Sget_simple_extent_npoints(space.id()) != 1) throw std::runtime_error(where + " is a list");
  std::uint64_t count = 0;
  check(H5Aread(attribute.id(), H5T_NATIVE_UINT64, &count), "cannot read " + where);
  return count;
}

void write_text_dataset(Id parent, const char* name, std::string_view text) {
  const std::string what = std::string("cannot write '") + name + "'";
  const Handle type = text_type();
  const htri_t exists = H5Lexists(parent, name, H5P_DEFAULT);
  check(exists, what);
  const Handle dataset(exists > 0 ? H5Dopen2(parent, name, H5P_DEFAULT)
                                  : H5Dcreate2(parent, name, type.id(), scalar_space().id(),
                                               H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                       H5Dclose, what);
  const std::string copy(text);
  const char* raw = copy.c_str();
  check(H5Dwrite(dataset.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, &raw), what);
}

std::string read_text_dataset(Id parent, const char* name) {
  const std::string where = std::string("dataset '") + name + "'";
  const Handle dataset = open_dataset(parent, name);
  require_text({H5Dget_type(dataset.id()), H5Tclose, where}, where);
  const Handle space(H5Dget_space(dataset.id()), H5Sclose, where);
  if (H5Sget_simple_extent_npoints(space.id()) != 1) throw std::runtime_error(where + " is a list");
  char* raw = nullptr;
  check(H5Dread(dataset.id(), text_type().id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, &raw),
        "cannot read " + where);
  return take_text(raw);
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
