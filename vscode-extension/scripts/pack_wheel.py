"""Packs the bridge as a wheel, for the environment that the extension makes. Standard library only.

``python pack_wheel.py ROOT OUT`` reads ROOT/pyproject.toml and the two packages beside it. The same sources give the
same bytes: file times are fixed. (A build with the project's own backend needs that backend installed; the extension's
build shall not.)
"""

import base64
import hashlib
import re
import sys
import zipfile
from pathlib import Path

import tomllib

PACKAGES = ("crane_llm", "crane_bridge")
LEFT_OUT = re.compile(r"__pycache__|(^|/)bench/")
TIME = (2020, 1, 1, 0, 0, 0)


def metadata(project: dict, version: str) -> str:
    """The core metadata: name, version, Python, requirements with their extras."""
    lines = [
        "Metadata-Version: 2.1",
        f"Name: {project['name']}",
        f"Version: {version}",
        f"Summary: {project['description']}",
        f"Requires-Python: {project['requires-python']}",
    ]
    lines += [f"Requires-Dist: {requirement}" for requirement in project.get("dependencies", [])]
    for extra, requirements in project.get("optional-dependencies", {}).items():
        lines.append(f"Provides-Extra: {extra}")
        lines += [f'Requires-Dist: {requirement}; extra == "{extra}"' for requirement in requirements]
    return "\n".join(lines) + "\n"


def entry_points(project: dict) -> str:
    scripts = "".join(f"{name} = {target}\n" for name, target in project.get("scripts", {}).items())
    return f"[console_scripts]\n{scripts}"


def digest(data: bytes) -> str:
    return "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


def pack(root: Path, out: Path) -> Path:
    """Writes the wheel and returns its path. FileNotFoundError when a package is missing."""
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    found = re.search(r'__version__ = "([^"]+)"', (root / "crane_llm" / "_version.py").read_text(encoding="utf-8"))
    if not found:
        raise ValueError("crane_llm/_version.py holds no version")
    version = found.group(1)
    name = project["name"].replace("-", "_")
    info = f"{name}-{version}.dist-info"
    files: dict[str, bytes] = {}
    for package in PACKAGES:
        sources = sorted((root / package).rglob("*.py"))
        if not sources:
            raise FileNotFoundError(f"There are no sources in {root / package}.")
        for file in sources:
            path = file.relative_to(root).as_posix()
            if not LEFT_OUT.search(path):
                files[path] = file.read_bytes()
    files[f"{info}/METADATA"] = metadata(project, version).encode()
    files[f"{info}/WHEEL"] = b"Wheel-Version: 1.0\nGenerator: crane\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    files[f"{info}/entry_points.txt"] = entry_points(project).encode()
    record = "".join(f"{path},{digest(data)},{len(data)}\n" for path, data in files.items())
    files[f"{info}/RECORD"] = (record + f"{info}/RECORD,,\n").encode()

    out.mkdir(parents=True, exist_ok=True)
    wheel = out / f"{name}-{version}-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for path, data in files.items():
            entry = zipfile.ZipInfo(path, TIME)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, data)
    return wheel


if __name__ == "__main__":
    print(pack(Path(sys.argv[1]), Path(sys.argv[2])))
