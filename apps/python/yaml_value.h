// Python values as scene text, so that what a program writes is read and checked like
// what a user writes.
#pragma once

#include <pybind11/pybind11.h>

#include <string>

namespace carom::python {

/// One line: numbers read back as the same doubles, strings in quotes, None as null;
/// lists, tuples, dicts, numpy scalars and arrays, paths. Throws TypeError for others.
std::string yaml_value(pybind11::handle value);

/// A whole scene, the outer levels one key per line. A missing `carom: 1` is added.
std::string yaml_scene(const pybind11::dict& scene);

}  // namespace carom::python
