"""The loader that runs *inside a kernel*: mounts packed sources as a package under a private name.

This file is never imported by the bridge. `crane_bridge.payload` packs its text, together with the sources of
``crane_llm``, into the code that is sent to a kernel; there it runs in a namespace of its own. It therefore uses the
standard library only and keeps to syntax that a Python too old for the package can read (3.6), so that such a kernel
gets a clear answer instead of a syntax error.
"""

import contextlib
import importlib
import importlib.machinery
import sys
from typing import Any

OLDEST_PYTHON = (3, 9)


class PackedPackage:
    """Finder and loader of one packed package.

    ``sources`` maps a path inside the package (``"checker/values.py"``) to its text. Modules are compiled when they are
    imported, never before. The finder stands last in ``sys.meta_path`` and answers for its own package only.
    """

    def __init__(self, package, sources, digest):
        self.package = package
        self.sources = sources
        self.digest = digest

    def _path(self, name):
        """The packed path of the module ``name``, or None when it is not one of ours."""
        if name != self.package and not name.startswith(self.package + "."):
            return None
        base = name[len(self.package) + 1 :].replace(".", "/")
        for path in ((base + "/__init__.py").lstrip("/"), base + ".py"):
            if path in self.sources:
                return path
        return None

    def _location(self, path):
        return f"<{self.package}>/{path}"

    def find_spec(self, name, path=None, target=None):
        packed = self._path(name)
        if packed is None:
            return None
        loader: Any = self  # a loader by what it does, not by its base class
        is_package = packed.endswith("__init__.py")
        spec = importlib.machinery.ModuleSpec(name, loader, origin=self._location(packed), is_package=is_package)
        if spec.submodule_search_locations is not None:
            spec.submodule_search_locations.append(self._location(packed)[: -len("/__init__.py")])
        return spec

    def is_package(self, name):
        return (self._path(name) or "").endswith("__init__.py")

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        path = self._path(module.__name__)
        module.__file__ = self._location(path)
        exec(compile(self.sources[path], module.__file__, "exec", dont_inherit=True), module.__dict__)

    def get_source(self, name):
        return self.sources.get(self._path(name))

    def folders(self):
        """The locations of the package's folders, as they stand in the ``__path__`` of its packages."""
        return [self._location(p)[: -len("/__init__.py")] for p in self.sources if p.endswith("__init__.py")]

    def withdraw(self):
        """Take the package's modules and finders out of the process again."""
        for name in [n for n in sys.modules if n == self.package or n.startswith(self.package + ".")]:
            del sys.modules[name]
        sys.meta_path[:] = [f for f in sys.meta_path if f is not self]
        for folder in self.folders():
            sys.path_importer_cache.pop(folder, None)

    def finder(self, folder):
        """What ``pkgutil.iter_modules`` asks for the modules in one folder (it knows folders only by a finder)."""
        return FolderFinder(self, folder)


class FolderFinder:
    """Lists the modules of one packed folder for ``pkgutil``; imports go through `PackedPackage`."""

    def __init__(self, packed, folder):
        self.packed = packed
        self.folder = folder

    def find_spec(self, name, target=None):
        return self.packed.find_spec(name)

    def iter_modules(self, prefix=""):
        found = {}
        for path in self.packed.sources:
            location = self.packed._location(path)
            if not location.startswith(self.folder + "/"):
                continue
            parts = location[len(self.folder) + 1 :].split("/")
            if len(parts) == 1 and parts[0].endswith(".py") and parts[0] != "__init__.py":
                found[parts[0][:-3]] = False
            elif len(parts) == 2 and parts[1] == "__init__.py":
                found[parts[0]] = True
        for name in sorted(found):
            yield prefix + name, found[name]


def unmount(package):
    """Disarm and forget a mounted package. Anything it kept in the shell is taken out again."""
    module = sys.modules.get(package)
    if module is None:
        return
    with contextlib.suppress(Exception):
        sys.modules[package + ".remote"].forget()
    withdraw = getattr(getattr(module, "__loader__", None), "withdraw", None)
    if withdraw is not None:
        withdraw()


def mount(package, sources, digest):
    """Make ``package`` importable from ``sources`` and arm its recorder. Mounting the same content again changes nothing."""
    if sys.version_info[:2] < OLDEST_PYTHON:
        raise RuntimeError(
            f"CRANE needs Python {OLDEST_PYTHON[0]}.{OLDEST_PYTHON[1]} or newer in the kernel; this kernel runs Python "
            f"{sys.version_info[0]}.{sys.version_info[1]}. Choose another kernel."
        )
    loader: Any = getattr(sys.modules.get(package), "__loader__", None)
    if getattr(loader, "digest", None) != digest:
        unmount(package)
        loader = PackedPackage(package, sources, digest)
        sys.meta_path.append(loader)
        for folder in loader.folders():
            sys.path_importer_cache[folder] = loader.finder(folder)
    try:
        importlib.import_module(package + ".remote").arm()
    except BaseException:
        unmount(package)
        loader.withdraw()
        raise
