#include "carom/record/table_file.h"

#include <hdf5.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <stdexcept>

#include "carom/record/channel.h"
#include "carom/record/hdf5_handle.h"
#include "carom/record/line_file.h"
#include "carom/record/output_path.h"

namespace carom {
namespace {

using hdf5::check;
using hdf5::Handle;

constexpr char kTableFormat[] = "carom table";

void replace(const std::string& from, const std::string& to) {
  if (std::rename(from.c_str(), to.c_str()) != 0) {
    throw std::runtime_error("cannot write '" + to + "'");
  }
}

Handle untimed(hid_t property_class) {
  Handle list(H5Pcreate(property_class), H5Pclose, "a property list");
  check(H5Pset_obj_track_times(list.id(), false), "no times");
  return list;
}

Handle fixed_text(std::size_t size) {
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose, "a type of texts");
  check(H5Tset_size(type.id(), std::max<std::size_t>(size, 1)), "the size of texts");
  check(H5Tset_cset(type.id(), H5T_CSET_UTF8), "the encoding of texts");
  check(H5Tset_strpad(type.id(), H5T_STR_NULLPAD), "the padding of texts");
  return type;
}

Handle write_dataset(hid_t parent, const char* name, hid_t type, std::size_t rows,
                     const void* data) {
  const hsize_t size = rows;
  const Handle space(H5Screate_simple(1, &size, nullptr), H5Sclose, "a space");
  const Handle properties = untimed(H5P_DATASET_CREATE);
  Handle set(H5Dcreate2(parent, name, type, space.id(), H5P_DEFAULT, properties.id(), H5P_DEFAULT),
             H5Dclose, "a column");
  if (rows > 0) check(H5Dwrite(set.id(), type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data), "a column");
  return set;
}

Handle write_texts(hid_t parent, const char* name, const std::vector<std::string>& texts) {
  std::size_t width = 1;
  for (const std::string& text : texts) width = std::max(width, text.size());
  std::string block(width * texts.size(), '\0');
  for (std::size_t i = 0; i < texts.size(); ++i) texts[i].copy(&block[i * width], width);
  const Handle type = fixed_text(width);
  return write_dataset(parent, name, type.id(), texts.size(), block.data());
}

void write_text_attribute(hid_t object, const char* name, const std::string& text) {
  const Handle type = fixed_text(text.size());
  const Handle space(H5Screate(H5S_SCALAR), H5Sclose, "a space");
  const Handle attribute(H5Acreate2(object, name, type.id(), space.id(), H5P_DEFAULT, H5P_DEFAULT),
                         H5Aclose, name);
  const std::string padded = text.empty() ? std::string(1, '\0') : text;
  check(H5Awrite(attribute.id(), type.id(), padded.data()), name);
}

void append_cell(std::string& line, const TableColumn& column, std::size_t row) {
  if (!column.is_text) {
    char text[40];
    const auto end = std::to_chars(text, text + sizeof text, column.numbers[row]);
    line.append(text, end.ptr);
    return;
  }
  const std::string& text = column.texts[row];
  if (text.find_first_of(",\"\n") == std::string::npos) {
    line += text;
    return;
  }
  line += '"';
  for (const char c : text) line += c == '"' ? std::string("\"\"") : std::string(1, c);
  line += '"';
}

}  // namespace

const TableColumn* Table::find(const std::string& name) const {
  for (const TableColumn& column : columns) {
    if (column.name == name) return &column;
  }
  return nullptr;
}

void write_table_hdf5(const Table& table, const std::string& path) {
  check_output_path(path);
  const hdf5::Session session;
  const std::string beside = path + ".part";
  {
    const Handle created = untimed(H5P_FILE_CREATE);
    const Handle file(H5Fcreate(beside.c_str(), H5F_ACC_TRUNC, created.id(), H5P_DEFAULT), H5Fclose,
                      "cannot make '" + beside + "'");
    write_text_attribute(file.id(), "format", kTableFormat);
    for (const auto& [name, text] : table.attributes) {
      // Attributes are small by HDF5's rules: long texts are datasets.
      if (name.ends_with("_text")) {
        write_texts(file.id(), name.c_str(), {text});
      } else {
        write_text_attribute(file.id(), name.c_str(), text);
      }
    }
    const Handle group_properties = untimed(H5P_GROUP_CREATE);
    const auto make_group = [&](const std::string& name) {
      if (H5Lexists(file.id(), name.c_str(), H5P_DEFAULT) > 0) return;
      const Handle group(
          H5Gcreate2(file.id(), name.c_str(), H5P_DEFAULT, group_properties.id(), H5P_DEFAULT),
          H5Gclose, "a group");
    };
    make_group("order");
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      const TableColumn& c = table.columns[i];
      if (!c.group.empty()) make_group(c.group);
      const std::string name = (c.group.empty() ? "" : c.group + "/") + hdf5::link_name(c.name);
      const Handle set = c.is_text ? write_texts(file.id(), name.c_str(), c.texts)
                                   : write_dataset(file.id(), name.c_str(), H5T_NATIVE_DOUBLE,
                                                   c.numbers.size(), c.numbers.data());
      write_text_attribute(set.id(), "name", c.name);
      write_text_attribute(set.id(), "unit", c.unit);
      write_text_attribute(set.id(), "group", c.group);
      const std::string link = "order/" + std::to_string(i);
      check(H5Lcreate_hard(file.id(), name.c_str(), file.id(), link.c_str(), H5P_DEFAULT,
                           H5P_DEFAULT),
            "the order of columns");
    }
  }
  replace(beside, path);
}

void write_table_csv(const Table& table, const std::string& path) {
  LineFile file(path, nullptr);
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    const TableColumn& column = table.columns[c];
    file.text += (c ? "," : "") + column_header(column.name, column.unit == "-" ? "" : column.unit);
  }
  file.text += '\n';
  for (std::size_t i = 0; i < table.rows(); ++i) {
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      if (c > 0) file.text += ',';
      append_cell(file.text, table.columns[c], i);
    }
    file.text += '\n';
    if (file.text.size() > (1u << 20)) file.write_out();
  }
  file.close();
  file.publish();
}

}  // namespace carom
