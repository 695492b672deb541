"""Which variables, paths and labels a cell uses."""

import pytest

from crane_llm.summary import summarize_cell


def names(source, **namespace):
    return [variable.name for variable in summarize_cell(source, namespace=namespace, deadline=None).variables]


def test_only_what_the_cell_reads_in_order():
    assert names("b + a\nc = 1", a=1, b=2, c=3, d=4) == ["b", "a"]
    assert names("a += 1", a=1) == ["a"]
    assert names("print(len(a))", a=[1]) == ["a"]
    assert names("[a for a in b]; (lambda c: c)(1)", a=1, b=[2], c=3) == ["b"]
    assert names("def f(a):\n    return a + b\n", a=1, b=2) == ["b"]


def test_undefined_names():
    assert names("x + y\ny2 = z\n", x=1) == ["x", "y", "z"]
    assert names("z = 1\nprint(z)") == []
    assert names("import os\nos.sep\nfrom a import *") == []
    assert names("df.apply(lambda row: row.a)", df=1) == ["df"]
    assert names("try:\n    1\nexcept Exception as e:\n    e\n") == []
    told = summarize_cell("missing_one", namespace={}).to_json()["variables"][0]
    assert told["kind"] == "undefined" and told["notes"] == ["not defined in the kernel"]


def notebook(source):
    namespace = {"__name__": "__main__"}
    exec(source, namespace)
    return namespace


def test_state_read_by_notebook_functions():
    namespace = notebook(
        "rate = 3\ntable = {'k': 1}\ndef inner(): return rate * gone\ndef outer(): return inner() + table['k']\nother = 1"
    )
    found = summarize_cell("outer()", namespace=namespace, deadline=None)
    listed = [variable.name for variable in found.variables]
    assert listed == ["outer", "inner", "table", "rate", "gone"]
    assert "gone: undefined; not defined in the kernel, read by inner" in found.to_text()


def test_paths():
    inner = {"a": {"b": [10, 20]}}
    import types

    config = types.SimpleNamespace(paths=types.SimpleNamespace(depth=types.SimpleNamespace(root=[5])))
    found = summarize_cell(
        "x['a']['b']; config.paths.depth.root; key = 1; x[key]", namespace={"x": inner, "config": config}, deadline=None
    )
    told = found.to_text()
    assert "x['a']['b']: list length 2; of int; [10, 20]" in told
    assert "config.paths.depth.root: list length 1; of int; [5]" in told


def test_paths_through_locals_are_not_followed():
    assert names("def f(x):\n    return x['a']['b']\n", x={"a": {"b": [1]}}) == []
    assert "x['a']" not in names("for x in y:\n    x['a']\n", x={"a": [1]}, y=[1])


def test_calls_that_do_not_bind(tmp_path):
    namespace = notebook("def f(a, b=1, *, c=2): pass\ndef g(*args): pass\n")
    told = summarize_cell("f(1, 2, 3); g(1, 2, 3)", namespace=namespace, deadline=None).to_text()
    assert "f: function; takes (a, b=…, *, c=…)" in told and "g: function; takes" not in told
    assert "takes" not in summarize_cell("f(1, c=2); f(*x); f(**x)", namespace=namespace, deadline=None).to_text()
    assert "takes" in summarize_cell("f(1, a=2)", namespace=namespace, deadline=None).to_text()
    assert "takes" in summarize_cell("f(d=2)", namespace=namespace, deadline=None).to_text()


def test_functions_that_the_cell_imports_from_loaded_modules():
    import json  # noqa: F401

    assert (
        "dumps: function; takes (obj, *, "
        in summarize_cell("from json import dumps\ndumps(1, 2)", namespace={}).to_text()
    )
    assert (
        "takes"
        not in summarize_cell("from json import dumps\ndumps(1)\nfrom nowhere import x\nx(1)", namespace={}).to_text()
    )


@pytest.mark.parametrize(
    ("cell", "absent"),
    [
        ("x.nope", "nope"),
        ("x.y.nope", "nope"),
        ("x.late = 1\nx.late", None),
        ("fit(x)\nx.late", None),
        ("fit(x)\nx.late()", "late"),
        ("x.known", None),
        ("x.__class__", None),
    ],
)
def test_missing_attributes(cell, absent):
    namespace = notebook("class A:\n    known = 1\nx = A()\nx.y = A()\n")
    told = summarize_cell(cell, namespace=namespace, deadline=None).to_text()
    assert ("no attribute" in told) is (absent is not None)


def test_dynamic_attributes_are_not_called_missing():
    namespace = notebook(
        "class A:\n    def __getattr__(self, name): return 1\nclass B:\n    def __getattribute__(self, name): return 1\nx, y = A(), B()"
    )
    assert "no attribute" not in summarize_cell("x.any; y.any", namespace=namespace, deadline=None).to_text()


def test_shell_namespace_is_the_default():
    from IPython.core.interactiveshell import InteractiveShell

    shell = InteractiveShell.instance()
    shell.user_ns["value_of_shell"] = 5
    try:
        assert summarize_cell("value_of_shell; In; Out", shell).to_text() == "value_of_shell: int; 5"
    finally:
        del shell.user_ns["value_of_shell"]
        InteractiveShell.clear_instance()


def test_sources_on_demand():
    from IPython.core.interactiveshell import InteractiveShell

    shell = InteractiveShell.instance()
    try:
        shell.run_cell("def told(a):\n    return a + 1\nother = 3", store_history=True)
        assert "return a + 1" in summarize_cell("told(1)", shell, sources=True, deadline=None).to_text()
        assert "return" not in summarize_cell("told(1)", shell, deadline=None).to_text()
        assert "return" not in summarize_cell("told(1)", shell, sources=True, schema_only=True, deadline=None).to_text()
    finally:
        shell.reset(new_session=False)
        InteractiveShell.clear_instance()
