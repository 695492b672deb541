"""One test an origin case, on a real kernel driven by execute requests with cell ids."""

from __future__ import annotations

import json

import pytest

from crane_bridge import payload


def key_error(name, label, variable="df"):
    return {"exception": "KeyError", "message": repr(label), "variables": [variable]}


# Assignments


def test_the_last_assignment_and_its_line(session):
    session.run("a", "x = 1")
    session.run("b", "y = 2\n\nx = 3")
    session.run("c", "z = x")
    assert session.brief("x") == [("assigned", "b", 3)]


def test_out_of_order_runs_follow_the_order_of_running(session):
    session.run("a", "x = [1]")
    session.run("b", "x = [2]")
    session.kernel.run("x = [1]", "a")
    assert session.brief("x") == [("assigned", "a", 1)]
    [step] = session.origins("x")["x"]
    assert step["cell"]["order"] == 3 and step["cell"]["runs"] == 2


def test_assigning_an_equal_value_again_is_the_last_assignment(session):
    session.run("a", "x = 5")
    session.run("b", "x = 5")
    assert session.brief("x") == [("assigned", "b", 1)]


@pytest.mark.parametrize(
    "source, line",
    [
        ("import json as x", 1),
        ("from os import path as x", 1),
        ("def x():\n    pass", 1),
        ("\nclass x:\n    pass", 2),
        ("for x in [1, 2]:\n    pass", 1),
        ("with open('f', 'w') as x:\n    pass", 1),
        ("(y, [x, *z]) = 1, [2, 3]", 1),
        ("print(x := 4)", 1),
        ("%time x = 4", 1),
        ("%%time\n\nx = 4", 3),
        ("%%capture\nx = 4", 2),
        ("x: int = 4", 1),
        ("globals()['x'] = 3", None),
        ("def f():\n    global x\n    x = 9\nf()", 4),
        ("import asyncio\nawait asyncio.sleep(0)\nx = 1", 3),
        ("!true\nx = !echo hello", 2),
        ("if 1:\n    x = 1\nelse:\n    x = 2", 1),
    ],
)
def test_every_way_to_bind_a_name(session, source, line):
    session.run("a", source)
    assert session.brief("x") == [("assigned", "a", line)]


def test_a_cell_that_holds_a_lot_of_data_is_read_all_the_same(session):
    session.run("a", "other = [1]")
    session.run("b", 'text = """\n' + "word " * 160_000 + '"""\nother.append(2)\nlast = 1')
    assert session.brief("text") == [("assigned", "b", 1)]
    assert session.brief("last") == [("assigned", "b", 4)]
    assert session.brief("other") == [("assigned", "a", 1), ("modified", "b", 3)]


def test_a_cell_with_too_much_code_is_known_without_its_line(session):
    session.run("a", "\n".join(f"value_{n} = {n}" for n in range(20_000)))
    assert session.brief("value_3") == [("assigned", "a", None)]


def test_reruns_are_one_step_with_a_count(session):
    session.run("a", "x = []")
    for _ in range(3):
        session.run("b", "x.append(1)")
    [assigned, modified] = session.origins("x")["x"]
    assert (assigned["action"], modified["action"]) == ("assigned", "modified")
    assert modified["cell"]["runs"] == 3 and modified["cell"]["order"] == 4
    assert modified["detail"] == "length 2 → 3 (append())"


# Changes in place


@pytest.mark.parametrize(
    "setup, change, line, words",
    [
        ("x = [1, 2]", "x.append(3)", 1, "length 2 → 3"),
        ("x = [1, 2]", "\nx[0] = 9", 2, "values changed"),
        ("x = [1, 2]", "x += [3]", 1, "length 2 → 3"),
        ("x = {'a': 1}", "del x['a']", 1, "key removed: 'a'"),
        ("x = {'a': [1]}", "x['a'].append(2)", 1, "values changed"),
        ("x = {1, 2}", "x.discard(1)", 1, "length 2 → 1"),
        ("x = [3, 1]", "import random\nrandom.shuffle(x); x.sort(); x.reverse(); x.pop()", 2, "length 2 → 1"),
        ("import numpy as np\nx = np.zeros(10)", "x[3] = 1", 1, "values changed"),
        ("import numpy as np\nx = np.zeros(10)", "x.fill(2)", 1, "values changed"),
        ("class C: pass\nx = C()", "x.field = 1", 1, "attribute added: 'field'"),
        ("class C:\n    def put(self):\n        self.field = 1\nx = C()", "x.put()", 1, "attribute added: 'field'"),
        ("x = (i for i in range(3))", "for i in x:\n    pass", 1, "used up"),
        ("import pandas as pd\nx = pd.DataFrame({'a': [1, 2]})", "x['b'] = 0", 1, "column added: 'b'"),
        ("import pandas as pd\nx = pd.DataFrame({'a': [1, 2]})", "x.loc[0, 'a'] = 7", 1, "values changed"),
        ("import pandas as pd\nx = pd.DataFrame({'a': [1, 2]})", "x.drop(0, inplace=True)", 1, "rows 2 → 1"),
        (
            "import pandas as pd\nx = pd.DataFrame({'a': [1, 2]})",
            "x['a'] = x['a'] * .5",
            1,
            "dtype of 'a' int64 → float64",
        ),
        (
            "from sklearn.linear_model import LinearRegression\nx = LinearRegression()",
            "x.fit([[1], [2]], [1, 2])",
            1,
            "fitted",
        ),
    ],
)
def test_a_change_in_place_is_seen_and_said(session, setup, change, line, words):
    assert session.run("a", setup).ok
    assert session.run("b", change).ok
    session.run("c", "print(x)")
    steps = session.origins("x")["x"]
    assert [(s["action"], s["cell"]["id"]) for s in steps] == [("assigned", "a"), ("modified", "b")]
    assert steps[1]["line"] == line and words in steps[1]["detail"]


def test_a_change_through_an_alias(session):
    session.run("a", "x = [1]\ny = x")
    session.run("b", "y.append(2)")
    assert session.brief("x") == [("assigned", "a", 1), ("modified", "b", 1)]
    assert "through y" in session.origins("x")["x"][1]["detail"]


def test_a_change_through_a_view(session):
    session.run("a", "import numpy as np\nx = np.zeros((4, 4))")
    session.run("b", "row = x[1]")
    session.run("c", "row[:] = 7")
    assert session.brief("x") == [("assigned", "a", 2), ("modified", "c", 1)]


def test_a_change_inside_a_function_of_the_notebook(session):
    session.run("a", "x = [1]\nn = 0")
    session.run(
        "b",
        "def grow(times):\n    for _ in range(times):\n        x.append(0)\n\ndef twice(items):\n    items.append(2)",
    )
    session.run("c", "n += 1\ngrow(2)")
    session.run("d", "n += 1\ntwice(x)")
    assert session.brief("x") == [("assigned", "a", 1), ("modified", "c", 2), ("modified", "d", 2)]
    details = [s["detail"] for s in session.origins("x")["x"]]
    assert "in grow()" in details[1] and "in twice()" in details[2]


def test_looking_at_a_value_is_no_change(session):
    session.run("a", "import pandas as pd\nx = pd.DataFrame({'a': [1, 2], 'b': [3., 4.]})\nx['c'] = 1")
    session.run("b", "x.describe(); x.values; x.sum(); print(x.to_string()); y = x.copy(); len(x)")
    session.run("c", "def show(frame):\n    return frame.head()\nshow(x)")
    assert session.brief("x") == [("assigned", "a", 2), ("modified", "a", 3)]


def test_a_change_that_makes_no_difference_is_no_change(session):
    session.run("a", "import pandas as pd\nx = pd.DataFrame({'a': [1, 2]})\nl = [1, 2]")
    session.run("b", "x.dropna(inplace=True)\nl.sort()\nl.append(3); l.pop()")
    assert session.brief("x") == [("assigned", "a", 2)]
    assert session.brief("l") == [("assigned", "a", 3)]


def test_what_a_sample_cannot_see_is_modified_only_when_the_text_leaves_no_doubt(session):
    session.run("a", "import numpy as np\nx = np.zeros(100_000)\ny = np.zeros(100_000)\nz = np.zeros(100_000)")
    session.run("b", "x[5] = 1\nif len(y) > 5:\n    y[5] = 1\nz.copy()")
    assert session.brief("x") == [("assigned", "a", 2), ("modified", "b", 1)]
    assert session.brief("y") == [("assigned", "a", 3), ("possibly_modified", "b", 3)]
    assert session.brief("z") == [("assigned", "a", 4)]


def test_a_fill_that_may_have_found_nothing_is_only_possible(session):
    session.run("a", "import pandas as pd\nx = pd.DataFrame({'a': range(1000)})")
    session.run("b", "x.fillna(0, inplace=True)")
    assert session.brief("x") == [("assigned", "a", 2), ("possibly_modified", "b", 1)]


# Deletion and absence


def test_a_deleted_name(session):
    session.run("a", "x = 1")
    session.run("b", "y = 2\ndel x")
    assert session.brief("x") == [("assigned", "a", 1), ("deleted", "b", 2)]


def test_a_reset_namespace(session):
    session.run("a", "x = 1")
    session.run("b", "%reset_selective -f ^x$")
    assert session.brief("x") == [("assigned", "a", 1), ("deleted", "b", None)]


def test_a_name_whose_cell_has_not_run(session):
    session.run("a", "y = 1")
    session.cells["b"] = "\nx = 2"
    session.cells["t"] = "x + y"
    assert session.brief("x", target_id="t") == [("would_define", "b", 2, "not_run")]
    assert session.origins("x")["x"][0]["cell"] == {
        "id": "b",
        "order": None,
        "source": "\nx = 2",
        "recorded": True,
        "runs": 0,
    }


def test_a_name_that_a_failed_cell_would_have_set(session):
    session.run("a", "y = 1\nint('no')\nx = 2")
    assert session.brief("x") == [("would_define", "a", 3, "raised_before")]
    assert "line 2 of the cell raised ValueError first" in session.origins("x")["x"][0]["detail"]
    assert session.brief("y") == [("assigned", "a", 1)]


def test_a_name_whose_branch_did_not_run(session):
    session.run("a", "if 1 > 2:\n    x = 2\nfor i in []:\n    k = 3")
    assert session.brief("x") == [("would_define", "a", 2, "branch_not_run")]
    assert session.brief("k") == [("would_define", "a", 4, "branch_not_run")]


def test_a_line_written_after_the_cell_ran(session):
    session.run("a", "y = 1")
    session.cells["a"] = "y = 1\nx = 2"
    assert session.brief("x") == [("would_define", "a", 2, "edited_since")]
    assert session.origins("x")["x"][0]["cell"]["source"] == "y = 1\nx = 2"


def test_a_defining_cell_edited_or_deleted_since(session):
    session.run("a", "x = [1]")
    session.cells["a"] = "x = [1, 2]"
    assert session.brief("x") == [("assigned", "a", 1, "edited_since")]
    assert session.origins("x")["x"][0]["cell"]["source"] == "x = [1]"
    del session.cells["a"]
    assert session.brief("x") == [("assigned", "a", 1)]
    assert "no longer in the notebook" in session.origins("x")["x"][0]["detail"]


def test_a_failed_cell_that_was_deleted_since(session):
    session.run("a", "1 / 0\nx = 2")
    del session.cells["a"]
    assert session.brief("x") == [("would_define", "a", 2, "raised_before")]


def test_a_restart(session):
    session.run("a", "x = 1")
    session.run("b", "x += 1")
    session.kernel.restart()
    session.kernel.mount()
    session.run("c", "y = 1")
    assert session.brief("x") == [("would_define", "a", 1, "not_run")]
    assert session.executed() == [
        {"id": "c", "order": 1, "source": "y = 1", "success": True, "recorded": True, "runs": 1}
    ]


def test_a_name_that_is_only_local_to_a_function(session):
    session.run("a", "def f():\n    inner = 1\n    return inner\nf()")
    [step] = session.origins("inner")["inner"]
    assert (step["action"], step["line"], step["reason"]) == ("would_define", 2, None)
    assert "only inside f()" in step["detail"]


def test_a_name_that_nothing_knows_has_no_steps(session):
    session.run("a", "y = 1")
    assert session.brief("x") == []


# Columns, attributes, None, fits

FRAME = "import pandas as pd\ndf = pd.DataFrame({'price': [1., 2.], 'size': [3, 4], 'age': [5, 6]})"


@pytest.mark.parametrize(
    "change",
    [
        "df.drop(columns=['price'], inplace=True)",
        "df = df.drop('price', axis=1)",
        "del df['price']",
        "price = df.pop('price')",
        "df = df.rename(columns={'price': 'cost'})",
        "df.columns = ['cost', 'size', 'age']",
        "df = df[['size', 'age']]",
        "df = df.drop(columns=[c for c in df if c.startswith('p')])",
        "def clean(frame):\n    return frame.drop(columns='price')\n\ndf = clean(df)",
        "df.set_index('price', inplace=True)",
    ],
)
def test_a_missing_column_leads_to_the_cell_that_took_it_away(session, change):
    session.run("a", FRAME)
    assert session.run("b", "before = 1\n" + change).ok
    session.run("c", "df['double'] = df['size'] * 2")
    session.run("d", "df = df.fillna(0)\ndf.sort_values('age', inplace=True)")
    session.cells["t"] = "df['price']"
    steps = session.origins("df", target_id="t", finding=key_error("df", "price"))["df"]
    removal = next(s for s in steps if "'price'" in s["detail"])
    assert removal["cell"]["id"] == "b"
    assert removal["line"] == change.count("\n") + 2
    assert "renamed to 'cost'" in removal["detail"] or "removed" in removal["detail"]
    assert [s["cell"]["id"] for s in steps if s is not removal] in (["a"], ["d"])


def test_a_missing_column_of_data_made_from_a_frame_that_lost_it(session):
    session.run("a", FRAME)
    session.run("b", "df.drop(columns=['price'], inplace=True)")
    session.run("c", "train = df[df['size'] > 1]\ntest = train.copy()")
    steps = session.origins("test", finding=key_error("test", "price", "test"))["test"]
    assert [(s["action"], s["cell"]["id"], s["line"]) for s in steps] == [("modified", "b", 1), ("assigned", "c", 2)]
    assert "'price' removed" in steps[0]["detail"] and "(df)" in steps[0]["detail"]


def test_a_missing_column_of_data_made_without_it(session):
    session.run("a", FRAME)
    session.run("b", "X = df[['size', 'age']]")
    steps = session.origins("X", finding=key_error("X", "price", "X"))["X"]
    assert [(s["action"], s["cell"]["id"], s["line"]) for s in steps] == [("assigned", "b", 1)]
    assert "made from df without 'price'" in steps[0]["detail"]


def test_a_missing_column_that_a_cell_would_set(session):
    session.run("a", FRAME)
    session.cells["b"] = "df['total'] = df['price'] * df['size']"
    found = session.brief("df", finding=key_error("df", "total"))
    assert found == [("assigned", "a", 2), ("would_define", "b", 1, "not_run")]


def test_a_column_lost_by_rerunning_the_cell_that_loads(session):
    session.run("a", FRAME)
    session.run("b", "df['total'] = 1")
    session.run("a", FRAME)
    steps = session.origins("df", finding=key_error("df", "total"))["df"]
    assert [(s["action"], s["cell"]["id"], s["cell"]["runs"]) for s in steps] == [("assigned", "a", 2)]
    assert "'total' removed" in steps[0]["detail"]


def test_a_dropped_row_label(session):
    session.run("a", FRAME)
    session.run("b", "df.drop([1], inplace=True)")
    session.run("c", "df['size'] += 1")
    steps = session.origins("df", finding={"exception": "KeyError", "message": "'[1] not found in axis'"})["df"]
    assert ("modified", "b", 1) in [(s["action"], s["cell"]["id"], s["line"]) for s in steps]


def test_none_left_by_an_in_place_call(session):
    session.run("a", FRAME)
    session.run("b", "df = df.drop(columns='price', inplace=True)\nl = [2, 1]\nl = l.sort()")
    [step] = session.origins("df")["df"]
    assert (step["cell"]["id"], step["line"]) == ("b", 1)
    assert "drop(inplace=True), which is None" in step["detail"]
    [step] = session.origins("l")["l"]
    assert step["line"] == 3 and "sort(), which is None" in step["detail"]


def test_a_missing_attribute(session):
    session.run("a", "class Config: pass\nc = Config()\nc.rate = 1")
    session.run("b", "del c.rate")
    session.run("c", "c.size = 3")
    finding = {"exception": "AttributeError", "message": "'Config' object has no attribute 'rate'"}
    steps = session.origins("c", finding=finding)["c"]
    assert [(s["action"], s["cell"]["id"], s["line"]) for s in steps] == [("assigned", "a", 2), ("modified", "b", 1)]
    session.cells["d"] = "c.depth = 4"
    finding = {"exception": "AttributeError", "message": "'Config' object has no attribute 'depth'"}
    assert session.brief("c", finding=finding) == [("assigned", "a", 2), ("would_define", "d", 1, "not_run")]


def test_a_fit_that_has_not_run_and_one_that_was_lost(session):
    session.run("a", "from sklearn.linear_model import LinearRegression\nmodel = LinearRegression()")
    session.cells["b"] = "model.fit([[1], [2]], [1, 2])"
    finding = {"exception": "NotFittedError", "message": "This LinearRegression instance is not fitted yet."}
    assert session.brief("model", finding=finding) == [("assigned", "a", 2), ("would_define", "b", 1, "not_run")]
    session.run("b", session.cells["b"])
    session.run("a", session.cells["a"])
    steps = session.origins("model", finding=finding)["model"]
    assert [(s["action"], s["cell"]["id"]) for s in steps] == [("assigned", "a"), ("would_define", "b")]
    assert "before it was assigned again" in steps[1]["detail"]


# Before recording


def test_cells_from_before_mounting_are_known_from_history(bare):
    session = bare
    session.run("a", "x = [1]\ny = 2")
    session.run("b", "x.append(2)")
    session.run("c", "1 / 0\nz = 1")
    session.run("d", "if y > 1:\n    x.clear()")
    session.kernel.mount()
    session.run("e", "x.append(3)")
    steps = session.origins("x")["x"]
    # Only newer IPythons note which cells failed; without that, whether the line ran is not certain.
    told = session.kernel.value("hasattr(get_ipython().history_manager, 'exceptions')")
    assert [(s["action"], s["cell"]["id"], s["cell"]["recorded"]) for s in steps] == [
        ("assigned", "a", False),
        ("modified" if told else "possibly_modified", "b", False),
        ("possibly_modified", "d", False),
        ("modified", "e", True),
    ]
    assert [s["cell"]["order"] for s in steps] == [1, 2, 4, 5]
    assert session.brief("z") == [("would_define", "c", 2, "raised_before")]
    assert [(e["id"], e["recorded"]) for e in session.executed()] == [
        (None, False),
        (None, False),
        (None, False),
        (None, False),
        ("e", True),
    ]


# Executed cells


def test_executed_cells_leave_out_ours_the_target_and_other_tools(session):
    session.run("a", "x = 1")
    session.run("a", "x = 1")
    session.kernel.tool("hidden = 1\n")
    session.run("b", "# note\n%load_ext crane_llm")
    session.run("c", "boom")
    session.run("t", "y = x")
    assert [(e["id"], e["order"], e["success"], e["runs"]) for e in session.executed("y = x")] == [
        ("a", 2, True, 2),
        ("c", 4, False, 1),
    ]


def test_a_front_end_without_cell_ids_still_gets_origins(session):
    session.kernel.run("x = [1]")
    session.kernel.run("x.append(2)")
    steps = session.origins("x", cells=False)["x"]
    assert [(s["action"], s["cell"]["id"], s["cell"]["order"]) for s in steps] == [
        ("assigned", None, 1),
        ("modified", None, 2),
    ]


def test_origins_are_plain_json_and_nothing_is_raised_for_odd_questions(session):
    if session.kernel.value("__import__('sys').version_info >= (3, 11)"):  # older ipykernels never answer to null bytes
        session.run("a", "x = 1\n\x00")
    session.run("b", "((((" * 200)
    for finding in (None, {}, {"exception": "KeyError", "message": "'[['"}, {"exception": 3, "message": []}):
        json.dumps(session.origins("x", "no such", "", finding=finding))
    module = payload.module_name()
    assert session.kernel.value(f"__import__('sys').modules[{module + '.origin.trace'!r}].origins_of(['x'], None)") == [
        {"variable": "x", "steps": []}
    ]
