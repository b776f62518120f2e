"""Who includes whom: the #include lines against the module table.

The table is tests/structure/modules.txt. A module may include its own headers, those of
the modules in its row, and those that these may use. Outside libraries are allowed where
the row lists them, and never in a public header; headers below one of the INTERNAL folders
are not installed and may only be included from their own module.

    python3 modules_test.py <source folder>
"""

import pathlib
import re
import sys
import tempfile
import unittest

INTERNAL = ["integrate/sundials", "math/eigen"]

# How an outside library shows in an #include, and as a CMake target.
LIBRARIES = {
    "Eigen": (r"Eigen/|unsupported/Eigen/", r"Eigen3::"),
    "assimp": (r"assimp/", r"assimp::"),
    "qhull": (r"libqhull|Qhull", r"Qhull::"),
    "muParser": (r"muParser", r"muparser::"),
    "SUNDIALS": (r"sundials/|sun|nvector/|cvode|arkode|ida/", r"SUNDIALS::"),
    "HDF5": (r"hdf5|H5", r"hdf5::"),
    "OpenSSL": (r"openssl/", r"OpenSSL::"),
    "yaml-cpp": (r"yaml-cpp/", r"yaml-cpp"),
    "fmt": (r"fmt/", r"fmt::"),
    "CLI11": (r"CLI/", r"CLI11::"),
    "pybind11": (r"pybind11/", r"pybind11::"),
    "librsvg": (r"librsvg/|cairo", r"PkgConfig::RSVG"),
    "cpp-httplib": (r"httplib", r"httplib::"),
    "zlib": (r"zlib\.h", r"ZLIB::"),
    "OpenSSL": (r"openssl/", r"OpenSSL::"),
    "MPI": (r"mpi\.h", r"MPI::"),
}
NONE = "-"


class Module:
    def __init__(self, level, uses, libraries):
        self.level, self.uses, self.libraries = int(level), uses, libraries


def names(text, separator=","):
    return [] if text.strip() == NONE else [word.strip() for word in text.split(separator)]


def read_table(path):
    table = {}
    for line in path.read_text().splitlines():
        if line.strip() and not line.startswith("#"):
            level, name, uses, libraries = line.split()
            table[name] = Module(level, names(uses), names(libraries))
    return table


def closure(table, module):
    reached, waiting = set(), [module]
    while waiting:
        name = waiting.pop()
        if name not in reached:
            reached.add(name)
            waiting += table[name].uses
    return reached


def includes(path):
    for number, line in enumerate(path.read_text().splitlines(), 1):
        match = re.match(r'\s*#\s*include\s*[<"]([^>"]+)[>"]', line)
        if match:
            yield number, match[1]


def library_of(header):
    for library, (pattern, _) in LIBRARIES.items():
        if re.match(pattern, header):
            return library
    return None


def module_folders(root):
    for folder in sorted((root / "src/carom").iterdir()):
        if folder.is_dir():
            yield folder.name, folder
    for folder in sorted((root / "apps").iterdir()):
        if folder.is_dir() and any(folder.rglob("*.cpp")):
            yield "apps/" + folder.name, folder


def is_internal(header):
    return any(header.startswith(folder + "/") for folder in INTERNAL)


def find_violations(root, table):
    """One line per #include that the table does not allow."""
    found = []
    for module, folder in module_folders(root):
        if module not in table:
            found.append(f"{folder}: module '{module}' is not in modules.txt")
            continue
        allowed = closure(table, module)
        for path in sorted(p for p in folder.rglob("*") if p.suffix in (".h", ".cpp")):
            own = path.relative_to(root / "src/carom").as_posix() if "src" in path.parts else ""
            public = path.suffix == ".h" and own and not is_internal(own)
            for number, header in includes(path):
                where = f"{path.relative_to(root)}:{number}: {header}"
                if header.startswith("carom/"):
                    used = header.split("/")[1]
                    if used not in allowed:
                        found.append(f"{where}: '{module}' may not use '{used}'")
                    inner = header.removeprefix("carom/")
                    if is_internal(inner) and (used != module or public):
                        found.append(f"{where}: internal header of '{used}'")
                    continue
                library = library_of(header)
                if library is None:
                    continue
                if library not in table[module].libraries:
                    found.append(f"{where}: '{module}' may not use {library}")
                if public:
                    found.append(f"{where}: {library} in a public header")
    return found


class ModuleTable(unittest.TestCase):
    def setUp(self):
        self.table = read_table(ROOT / "tests/structure/modules.txt")

    def test_every_arrow_points_to_a_lower_level(self):
        for name, module in self.table.items():
            for used in module.uses:
                self.assertIn(used, self.table)
                self.assertLess(self.table[used].level, module.level, f"{name} -> {used}")

    def test_includes_follow_the_table(self):
        self.assertEqual([], find_violations(ROOT, self.table))

    def test_cmake_states_the_same_table(self):
        text = (ROOT / "src/carom/CMakeLists.txt").read_text()
        stated = {}
        for match in re.finditer(r"carom_module\((\w+)([^)]*)\)", text):
            words, lists, key = match[2].split(), {"USES": [], "LIBS": []}, None
            for word in words:
                if word in lists:
                    key = word
                else:
                    lists[key].append(word)
            libraries = {
                library
                for target in lists["LIBS"]
                for library, (_, pattern) in LIBRARIES.items()
                if re.match(pattern, target)
            }
            stated[match[1]] = (lists["USES"], libraries)
        expected = {
            name: (module.uses, set(module.libraries))
            for name, module in self.table.items()
            if not name.startswith("apps/")
        }
        self.assertEqual(expected, stated)

    def test_the_architecture_page_shows_the_same_table(self):
        text = (ROOT / "docs/architecture.md").read_text()
        rows = re.findall(r"^\| (\d) \| `([\w/]+)` \| [^|]+ \| ([^|]+) \|$", text, re.M)
        shown = {name: (int(level), names(uses)) for level, name, uses in rows}
        expected = {
            name: (module.level, module.uses + module.libraries or [])
            for name, module in self.table.items()
        }
        self.assertEqual(expected, shown)


# Types of the engine that only contacts know, by the headers that define them.
CONTACT_TYPES = re.compile(
    r"\b(ContactPair|ContactMemory|ContactMode|ContactReading|ContactPart|ContactModel|"
    r"ContactScratch|ContactSearch|Collider|Manifold|PairState|PairHistory|SlotLayout)\b"
)
CONTACT_HEADER = re.compile(r"carom/(contact|proximity)/|carom/engine/(contact/|(.*/)?\w*contact\w*\.h)")


def contact_in_simulation(root):
    """Lines of the module `simulation` that know how contact is computed."""
    found = []
    for path in sorted((root / "src/carom/simulation").glob("*.[ch]*")):
        for number, line in enumerate(path.read_text().splitlines(), 1):
            code = line.split("//")[0]
            if CONTACT_TYPES.search(code) or CONTACT_HEADER.search(code):
                found.append(f"{path.name}:{number}: {line.strip()}")
    return found


def workspace_fields(text):
    """The names of the public data members of class Workspace."""
    body = re.search(r"class Workspace \{\n public:\n(.*?)\n private:", text, re.S)[1]
    names = []
    for line in body.splitlines():
        code = line.split("//")[0].strip()
        if re.match(r"[\w:<>, *]+ [\w, ={}.]+;$", code) and "(" not in code:
            declared = re.sub(r"<.*>", "", code).rstrip(";").split(",")
            names += [re.sub(r" = .*", "", d).split()[-1] for d in declared]
    return names


class Rooms(unittest.TestCase):
    """Formulations of contact live in the engine; a run does not know them."""

    def test_simulation_knows_no_contact(self):
        self.assertEqual([], contact_in_simulation(ROOT))

    def test_sees_a_contact_type_and_a_contact_header(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "src/carom/simulation/a.cpp"
            file.parent.mkdir(parents=True)
            file.write_text(
                '#include "carom/engine/events/contact_events.h"\n'
                '#include "carom/engine/implicit/implicit_contacts.h"\n'
                "ContactPair pair;  // ContactMode\n"
                "// Collider\n"
            )
            self.assertEqual(3, len(contact_in_simulation(pathlib.Path(folder))))

    def test_the_workspace_has_few_fields(self):
        fields = workspace_fields((ROOT / "src/carom/engine/workspace.h").read_text())
        self.assertIn("tree", fields)
        self.assertLess(len(fields), 20, fields)


class Checker(unittest.TestCase):
    """The checker itself: it has to see what it is there to see."""

    def violations(self, files):
        table = read_table(ROOT / "tests/structure/modules.txt")
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "apps").mkdir()
            for path, text in files.items():
                file = root / path
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(text)
            return find_violations(root, table)

    def test_sees_an_arrow_that_points_up(self):
        found = self.violations({"src/carom/math/a.cpp": '#include "carom/scene/scene.h"\n'})
        self.assertEqual(1, len(found))
        self.assertIn("'math' may not use 'scene'", found[0])

    def test_sees_an_arrow_to_the_side(self):
        text = '#include "carom/multibody/tree.h"\n'
        self.assertEqual(1, len(self.violations({"src/carom/integrate/a.h": text})))

    def test_allows_what_the_used_modules_use(self):
        text = '#include "carom/math/vec3.h"\n#include "carom/base/text.h"\n#include <vector>\n'
        self.assertEqual([], self.violations({"src/carom/engine/a.h": text}))

    def test_sees_a_library_in_a_public_header_and_in_the_wrong_module(self):
        self.assertEqual(1, len(self.violations({"src/carom/math/a.h": "#include <Eigen/Dense>\n"})))
        self.assertEqual(1, len(self.violations({"src/carom/base/a.cpp": "#include <hdf5.h>\n"})))

    def test_keeps_internal_headers_inside(self):
        text = '#include "carom/integrate/sundials/handles.h"\n'
        self.assertEqual([], self.violations({"src/carom/integrate/a.cpp": text}))
        self.assertEqual(1, len(self.violations({"src/carom/integrate/a.h": text})))
        self.assertEqual(1, len(self.violations({"src/carom/simulation/a.cpp": text})))


if __name__ == "__main__":
    ROOT = pathlib.Path(sys.argv.pop(1)).resolve()
    unittest.main(verbosity=2)
