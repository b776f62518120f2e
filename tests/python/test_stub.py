"""carom.pyi says exactly what the module has."""

import ast
import pathlib
import unittest

import carom

STUB = pathlib.Path(carom.__file__).parent / "carom.pyi"
KEPT = {"__len__", "__getitem__", "__setitem__", "__contains__", "__repr__", "__bytes__"}


def is_public(name):
    return not name.startswith("_") or name in KEPT


def parameters(function):
    """Names of the parameters of a function in the stub, with * where names become a must."""
    a = function.args
    return [p.arg for p in a.posonlyargs + a.args] + (["*"] if a.kwonlyargs else []) + [p.arg for p in a.kwonlyargs]


def documented(member):
    """The same of a function of the module, from the signature pybind11 writes."""
    line = member.__doc__.splitlines()[0]
    return parameters(ast.parse("def " + line + ": ...").body[0])


class Stub(unittest.TestCase):
    def setUp(self):
        self.tree = ast.parse(STUB.read_text())
        self.classes = {n.name: n for n in self.tree.body if isinstance(n, ast.ClassDef)}
        self.functions = {n.name: n for n in self.tree.body if isinstance(n, ast.FunctionDef)}

    def test_names_of_the_module(self):
        values = {n.target.id for n in self.tree.body if isinstance(n, ast.AnnAssign)}
        self.assertEqual(values, {"__version__"})
        stated = set(self.classes) | set(self.functions)
        self.assertEqual(stated, {name for name in dir(carom) if is_public(name)})

    def test_names_of_the_classes(self):
        for name, node in self.classes.items():
            own = getattr(carom, name)
            stated = {n.name for n in node.body if isinstance(n, ast.FunctionDef)}
            stated.discard("__init__")  # every class of the module has one, most without arguments
            stated |= {n.target.id for n in node.body if isinstance(n, ast.AnnAssign)}
            inherited = {n for base in own.__bases__ for n in dir(base) if n != "__repr__"}
            has = {n for n in vars(own) if is_public(n)} - inherited
            self.assertEqual(stated, has, name)

    def test_parameters_of_functions_and_methods(self):
        for name, node in self.functions.items():
            self.assertEqual(parameters(node), documented(getattr(carom, name)), name)
        for name, node in self.classes.items():
            for item in node.body:
                if not isinstance(item, ast.FunctionDef) or item.decorator_list:
                    continue
                if item.name.startswith("__"):
                    continue
                self.assertEqual(parameters(item), documented(getattr(getattr(carom, name), item.name)), item.name)

    def test_properties_are_properties(self):
        for name, node in self.classes.items():
            for item in node.body:
                if isinstance(item, ast.FunctionDef) and item.decorator_list:
                    self.assertIsInstance(vars(getattr(carom, name))[item.name], property)

    def test_everything_is_documented(self):
        for name in list(self.classes) + list(self.functions):
            self.assertTrue(getattr(carom, name).__doc__, name)


if __name__ == "__main__":
    unittest.main()
