"""Imports: what is loaded is exact; what is missing raises; nothing is ever imported on the cell's behalf."""

from __future__ import annotations

import ast
import importlib.util
import sys
import types
from typing import Any

from .events import Event
from .machine import Machine
from .models import all_libraries
from .purity.libraries import KNOWN, STANDARD, is_library_type, is_user_function
from .values import Abandon, Value, exact, unknown


class Imports(Machine):
    """Mixin: import statements."""

    def stmt_Import(self, node: ast.Import) -> None:
        for alias in node.names:
            module = self.module_value(alias.name, node)
            if alias.asname is not None:
                self.bind_name(alias.asname, module, node)
            else:
                root = alias.name.partition(".")[0]
                self.bind_name(root, module if root == alias.name else self.module_value(root, node), node)

    def stmt_ImportFrom(self, node: ast.ImportFrom) -> None:
        if node.module == "__future__":
            return
        if node.level:
            self.attempt(Event("import", node), lambda: _run_statement(node))
            raise Abandon("a relative import")
        name = node.module or ""
        module = self.module_value(name, node)
        for alias in node.names:
            if alias.name == "*":
                self._import_star(module, node)
                continue
            value = self._imported_name(module, name, alias, node)
            self.bind_name(alias.asname or alias.name, value, node)

    def module_value(self, name: str, node: ast.AST) -> Value:
        """The module of that name: exact where it is loaded, unknown where it would be imported; raises where it certainly is missing."""
        loaded = sys.modules.get(name)
        if isinstance(loaded, types.ModuleType):
            return self.exact(loaded)
        event = Event("import", node, name=name)
        ruled = self.apply_rules(event)
        if ruled is not None:
            return ruled
        for library in all_libraries():
            twin = library.module(name) if name not in sys.modules else None
            if twin is not None and self.imports_settled():
                return self.exact(twin)
        if name in sys.modules and loaded is None:
            self.attempt(event, lambda: importlib.import_module(name))
        if self.imports_settled() and self.certainly_missing(name):
            self.attempt(event, lambda: importlib.import_module(name))
        root = name.partition(".")[0]
        if self.imports_allowed and (root in KNOWN or root in STANDARD) and self.imports_settled():
            return self._import_here(name, event)
        self.wanted.add(name)
        self.lose(node, f"{name} is not imported yet")
        if root not in KNOWN and root not in STANDARD:
            self.world.disturb()
        return unknown(types.ModuleType)

    def _import_here(self, name: str, event: Event) -> Value:
        """Import the module, in a child process; raises where its package, now loaded, certainly lacks it."""
        parent = name.rpartition(".")[0]
        if parent and parent not in sys.modules:
            self._import_here(parent, event)
        if self.certainly_missing(name):
            self.attempt(event, lambda: importlib.import_module(name))
        return self.exact(_imported(name))

    def imports_settled(self) -> bool:
        """Whether what can be imported now could be imported when the cell runs."""
        path = sys.path
        return self.world.imports and self.heap.resolve(path) is path and not self.heap.is_dirty(path)

    @staticmethod
    def certainly_missing(name: str) -> bool:
        """Whether no finder knows the module. Packages on the way are not imported: only loaded ones are searched."""
        parent, _, _ = name.rpartition(".")
        path = None
        if parent:
            package = sys.modules.get(parent)
            if package is None:
                return Imports.certainly_missing(parent)
            if not is_library_type(type(package)):
                return False  # asking it would run the person's code
            path = getattr(package, "__path__", None)
            if path is None:
                return type(package) is types.ModuleType
        for finder in sys.meta_path:
            if (finder if isinstance(finder, type) else type(finder)).__module__ == "__main__":
                return False  # asking it would run the person's code
            find = getattr(finder, "find_spec", None)
            if find is None:
                return False
            try:
                if find(name, path) is not None:
                    return False
            except Exception:  # a finder that fails proves nothing
                return False
        return True

    def _imported_name(self, module: Value, name: str, alias: ast.alias, node: ast.ImportFrom) -> Value:
        event = Event("import", node, name=f"{name}.{alias.name}", operands=[module])
        ruled = self.apply_rules(event)
        if ruled is not None:
            return ruled
        full = f"{name}.{alias.name}"
        if not module.exact:
            return unknown()
        written = self.module_writes.get((id(module.obj), alias.name))
        if written is not None:
            return written
        if full not in sys.modules:
            self.must_be_settled(module.obj, alias.name)
        table = types.ModuleType.__getattribute__(module.obj, "__dict__")
        if alias.name not in table and (
            is_user_function(table.get("__getattr__")) or not is_library_type(type(module.obj))
        ):
            return self.havoc([module], node, "a module with attributes of its own making")
        try:
            return self.exact(self.quiet_call(Event("attribute", node), lambda: getattr(module.obj, alias.name)))
        except Exception as raised:
            error = getattr(raised, "error", None)
            if not isinstance(error, AttributeError):
                raise
        loaded = sys.modules.get(full)
        if loaded is not None:
            return self.exact(loaded)
        if (
            self.imports_allowed
            and self.imports_settled()
            and not self.certainly_missing(full)
            and full.partition(".")[0] in KNOWN
        ):
            return self.exact(_imported(full))
        if not self.imports_settled() or not self.certainly_missing(full):
            self.lose(node, f"{full} is not imported yet")
            return unknown(types.ModuleType if self.imports_settled() else None)
        text = ast.copy_location(ast.ImportFrom(name, [ast.alias(alias.name, None)], 0), node)
        self.attempt(event, lambda: _run_statement(text))
        return unknown()

    def _import_star(self, module: Value, node: ast.AST) -> None:
        if not module.exact or type(module.obj) is not types.ModuleType:
            self.module_scope.uncertain = True
            return
        table = vars(module.obj)
        names = table.get("__all__")
        if names is None:
            names = [name for name in table if not name.startswith("_")]
        for name in list(names):
            if type(name) is str and name in table:
                self.bind_name(name, self.exact(table[name]), node)
            else:
                self.bind_name(str(name), unknown(), node)


def _imported(name: str) -> types.ModuleType:
    """Import a module, in a child process where that leaves no trace."""
    try:
        return importlib.import_module(name)
    except Exception as error:  # what fails here may be owed to the child
        raise Abandon(f"{name} could not be imported: {type(error).__name__}") from None


def _run_statement(node: ast.stmt) -> Any:
    """Run an import that certainly fails, for Python's own words."""
    module = ast.fix_missing_locations(ast.Module([node], []))
    exec(compile(module, "<crane>", "exec"), {"__name__": "__main__"})
    return exact(None)
