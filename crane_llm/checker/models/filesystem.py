"""Models: calls that make, move, remove and copy files and folders: what the system refuses now is certain, what it would do is not done.

The system's error is made, not provoked: nothing on the disk is touched. Afterwards the disk is no longer known.
"""

from __future__ import annotations

import errno
import os
from typing import Any

from ..values import Value, exact, unknown


def refuse(interp: Any, call: Any, number: int, path: Any, second: Any = None) -> None:
    """Raise the system's error ``number`` for one path or two."""
    names = (os.fspath(path),) if second is None else (os.fspath(path), None, os.fspath(second))
    raise interp.fail(OSError(number, os.strerror(number), *names), call.event)


def path_of(value: Value | None) -> Any:
    """The path that an argument names: text or a path of the standard library; None where it is not known."""
    if value is None or not value.exact:
        return None
    kind = type(value.obj)
    if kind is str or (isinstance(value.obj, os.PathLike) and kind.__module__.partition(".")[0] == "pathlib"):
        return value.obj if "\0" not in os.fspath(value.obj) else None
    return None


def is_missing(path: Any) -> bool:
    """Whether the system says that there is nothing of that name (and not, say, that it may not look)."""
    try:
        os.lstat(path)
    except FileNotFoundError:
        return True
    except OSError:
        return False
    return False


def folder_is_missing(path: Any) -> bool:
    """Whether the folder in which ``path`` would be made does not exist."""
    folder = os.path.dirname(os.fspath(path))
    return bool(folder) and is_missing(folder)


def _options(call: Any, names: tuple[str, ...], skip: int = 1) -> dict[str, Any] | None:
    """The call's arguments after the first ``skip``, by name; None where one is not known or has no place in ``names``."""
    given = dict(zip(names, call.args[skip:]))
    if not call.complete or len(call.args) - skip > len(names) or set(call.kwargs) - set(names):
        return None
    given.update(call.kwargs)
    return {name: value.obj for name, value in given.items()} if all(v.exact for v in given.values()) else None


def _subject(call: Any) -> tuple[Any, int]:
    """The path that the call is about (its first argument, or the path whose method it is) and how many arguments name it."""
    if call.receiver is not None and not isinstance(call.receiver, type):
        return path_of(exact(call.receiver)), 0
    return path_of(call.args[0] if call.args else None), 1


def _changed(interp: Any, call: Any, result: Value) -> Value:
    interp.world.files = interp.world.imports = False
    interp.lose(call.node, "the disk is changed")
    return result


def _make_folder(interp: Any, call: Any) -> Value | None:
    """``os.mkdir``, ``os.makedirs``, ``Path.mkdir``."""
    name = call.key.rpartition(".")[2]
    path, skip = _subject(call)
    if "Path" in call.key:
        places: tuple[str, ...] = ("mode", "parents", "exist_ok")
    else:
        places = ("mode", "exist_ok") if name == "makedirs" else ("mode",)
    options = _options(call, places, skip)
    if path is None or options is None or not interp.world.files:
        return None
    bare = os.fspath(path).rstrip("/")
    if not bare:
        return None
    if name != "makedirs" and not options.get("parents") and folder_is_missing(bare):
        refuse(interp, call, errno.ENOENT, path)
    if os.path.lexists(bare) and not (options.get("exist_ok") and os.path.isdir(bare)):
        refuse(interp, call, errno.EEXIST, path)
    return _changed(interp, call, exact(None))


def _remove(interp: Any, call: Any) -> Value | None:
    """``os.remove``, ``os.unlink``, ``os.rmdir`` and the same of a path."""
    path, skip = _subject(call)
    options = _options(call, ("missing_ok",) if "Path.unlink" in call.key else (), skip)
    if path is None or options is None or not interp.world.files:
        return None
    if is_missing(path):
        if not options.get("missing_ok"):
            refuse(interp, call, errno.ENOENT, path)
    elif call.key.endswith("rmdir"):
        if not os.path.isdir(path):
            refuse(interp, call, errno.ENOTDIR, path)
        elif os.listdir(path):
            refuse(interp, call, errno.ENOTEMPTY, path)
    return _changed(interp, call, exact(None))


def _rename(interp: Any, call: Any) -> Value | None:
    """``os.rename``, ``os.replace`` and the same of a path."""
    path, skip = _subject(call)
    target = path_of(call.args[skip] if len(call.args) == skip + 1 else None)
    if path is None or target is None or call.kwargs or not call.complete or not interp.world.files:
        return None
    slash = os.fspath(target).endswith("/")  # a folder may be given a name that ends so
    if is_missing(path) or not slash and folder_is_missing(target):
        refuse(interp, call, errno.ENOENT, path, target)
    return _changed(interp, call, unknown() if skip == 0 else exact(None))


def _chdir(interp: Any, call: Any) -> Value | None:
    path = path_of(call.argument(0, "path"))
    if path is None or not call.complete or not interp.world.files:
        return None
    if is_missing(path):
        refuse(interp, call, errno.ENOENT, path)
    if os.path.isfile(path):
        refuse(interp, call, errno.ENOTDIR, path)
    return None


def _copy(interp: Any, call: Any) -> Value | None:
    """``shutil.copy``, ``copy2``, ``copyfile`` and ``move``: a source that is missing."""
    source, target = path_of(call.argument(0, "src")), path_of(call.argument(1, "dst"))
    if source is None or target is None or len(call.args) + len(call.kwargs) != 2 or not interp.world.files:
        return None
    if is_missing(source) and is_missing(target):
        refuse(interp, call, errno.ENOENT, source)
    return None


def _remove_tree(interp: Any, call: Any) -> Value | None:
    path = path_of(call.argument(0, "path"))
    if path is None or len(call.args) + len(call.kwargs) != 1 or not interp.world.files:
        return None
    if is_missing(path):
        refuse(interp, call, errno.ENOENT, path)
    return _changed(interp, call, exact(None))


def _pathlib(names: str, handler: Any) -> dict[str, Any]:
    return {f"{module}.Path.{name}": handler for module in ("pathlib", "pathlib._local") for name in names.split()}


MODELS: dict[str, Any] = (
    {
        "posix.mkdir": _make_folder,
        "os.makedirs": _make_folder,
        "posix.remove": _remove,
        "posix.unlink": _remove,
        "posix.rmdir": _remove,
        "posix.rename": _rename,
        "posix.replace": _rename,
        "posix.chdir": _chdir,
        **{f"shutil.{name}": _copy for name in ("copy", "copy2", "copyfile", "move")},
        "shutil.rmtree": _remove_tree,
        **_pathlib("mkdir", _make_folder),
        **_pathlib("unlink rmdir", _remove),
        **_pathlib("rename replace", _rename),
    }
    if os.name == "posix"
    else {}
)
