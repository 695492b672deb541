"""The experiments: notebook pairs, resumable runs, scores and tests checked against other implementations."""

from __future__ import annotations

import json
import math
import os
import random
import re
from pathlib import Path

import pytest

from crane_bridge import cli
from crane_bridge.bench.dataset import load_pair
from crane_bridge.bench.metrics import score
from crane_bridge.bench.replies import Answer, Recording, case_of, library_of, vote_of
from crane_bridge.bench.run_command import recorded_counts
from crane_bridge.bench.significance import compare, holm, mcnemar_exact
from crane_bridge.bench.tables import figure
from tests.bridge import faulty_server as fault
from tests.bridge.planted import PLANTED


@pytest.fixture(autouse=True)
def nowhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


# --- figures -------------------------------------------------------------------------------------------------------------


def test_scores_against_scikit_learn():
    metrics = pytest.importorskip("sklearn.metrics")
    draw = random.Random(1)
    for _ in range(50):
        truth = [draw.random() < 0.5 for _ in range(40)]
        said = [draw.random() < 0.4 for _ in range(40)]
        ours = score(zip(truth, said))
        wanted = [f(truth, said) for f in (metrics.precision_score, metrics.recall_score, metrics.f1_score)]
        assert ours.figures() == pytest.approx([*wanted, metrics.accuracy_score(truth, said)])


def test_scores_without_predictions():
    ours = score([(True, False), (False, False)])
    assert math.isnan(ours.precision) and ours.recall == 0 and ours.accuracy == 0.5
    assert [figure(x) for x in (math.nan, 0, 1, 0.7634, -0.02)] == ["–", ".000", "1.000", ".763", "-.020"]


def test_mcnemar_against_scipy_and_statsmodels():
    stats = pytest.importorskip("scipy.stats")
    try:
        from statsmodels.stats.contingency_tables import mcnemar
    except ImportError:
        mcnemar = None
    for b in range(0, 25, 3):
        for c in range(0, 25, 2):
            if b + c:
                assert mcnemar_exact(b, c) == pytest.approx(stats.binomtest(b, b + c).pvalue)
            if mcnemar is not None:
                assert mcnemar_exact(b, c) == pytest.approx(mcnemar([[5, b], [c, 5]], exact=True).pvalue)
    assert mcnemar_exact(0, 0) == 1.0
    # A textbook case (Agresti, 25 against 13 would be 0.073; 10 against 2 is 0.0386).
    assert mcnemar_exact(10, 2) == pytest.approx(0.03857421875)


def test_wilcoxon_against_scipy():
    stats = pytest.importorskip("scipy.stats")
    draw = random.Random(2)
    truth = [draw.random() < 0.5 for _ in range(60)]
    first, second = ([draw.randrange(6) / 5 for _ in truth] for _ in range(2))
    ours = compare(truth, [x > 0.5 for x in first], [x > 0.5 for x in second], first, second)
    wanted = stats.wilcoxon([round(b - a, 9) for a, b in zip(first, second)])
    assert ours.p_wilcoxon == pytest.approx(wanted.pvalue)
    same = compare(truth, truth, truth, first, first)
    assert math.isnan(same.p_wilcoxon) and same.p_mcnemar == 1.0 and (same.f1_low, same.f1_high) == (0, 0)


def test_the_bootstrap_interval_is_sane_and_repeatable():
    truth = [True, False] * 30
    good, bad = truth, [False] * 60
    one = compare(truth, bad, good, [0.0] * 60, [1.0] * 60)
    assert one == compare(truth, bad, good, [0.0] * 60, [1.0] * 60)
    assert one.f1_difference == 1.0 and one.f1_low <= one.f1_difference <= one.f1_high


def test_holm_against_statsmodels():
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([]) == []
    try:
        from statsmodels.stats.multitest import multipletests
    except ImportError:
        return
    draw = random.Random(3)
    values = [draw.random() ** 3 for _ in range(12)]
    assert holm(values) == pytest.approx(list(multipletests(values, method="holm")[1]))


# --- recorded replies ------------------------------------------------------------------------------------------------------


def test_votes():
    assert vote_of({"detection": True}) is True and vote_of('```json\n{"prediction": false}\n```') is False
    assert vote_of("no idea") is None and vote_of(None) is None and vote_of({"detection": "maybe"}) is None
    answers = [Answer(True), Answer(True), Answer(None), Answer(None)]
    assert Recording("m", "s", {"t": answers}).majority("t") is False, "half is no majority"
    assert Recording("m", "s", {"t": answers[:3]}).majority("t") is True


def test_names():
    assert (library_of("pandas_3_reproduced"), case_of("NBspecific_11_fixed")) == ("pandas", "NBspecific_11")


def recorded(folder, **targets):
    folder.mkdir(parents=True, exist_ok=True)
    replies = {name: [{"reasoning": "", "detection": vote} for vote in votes] for name, votes in targets.items()}
    (folder / "gpt_5__crash_detection_code.json").write_text(json.dumps(replies))
    return folder


def test_score_prints_and_writes(tmp_path, capsys):
    folder = recorded(
        tmp_path / "r",
        pandas_1_reproduced=[1 == 1] * 5,
        pandas_1_fixed=[True, True, True, False, False],
        torch_2_reproduced=[False] * 5,
        torch_2_fixed=[False] * 5,
    )
    assert cli.main(["bench", "score", str(folder), "--csv", str(tmp_path / "csv")]) == 0
    out = capsys.readouterr().out
    assert "| GPT-5 | .500 .500 .500 .500 |" in out
    assert "| pandas | GPT-5 | code only | .500 | 1.000 | .667 | .500 | 1 | 1 | 0 | 2 |" in out
    assert (tmp_path / "csv" / "overall.csv").read_text().startswith("model,setting,precision")
    assert cli.main(["bench", "score", str(folder), "--markdown", str(tmp_path / "o" / "r.md")]) == 0
    assert "GPT-5" in (tmp_path / "o" / "r.md").read_text() and not capsys.readouterr().out


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("m__code.json", "{", "cannot be read"),
        ("m__code.json", "[]", "no JSON object"),
        ("m__code.json", '{"pandas_1_fixed": 3}', "no list of replies"),
        ("m__code.json", '{"pandas_1": []}', "neither"),
        ("m__code.jsonl", '{"target": "x"}\n', "line 1"),
        ("notes.txt", "", "no recorded replies"),
    ],
)
def test_score_says_what_is_wrong(tmp_path, capsys, name, text, words):
    (tmp_path / name).write_text(text)
    assert cli.main(["bench", "score", str(tmp_path)]) == 2
    assert words in capsys.readouterr().err


def test_the_published_table():
    """The study's own table, from a folder named in the environment."""
    folder = os.environ.get("CRANE_JUNO")
    if not folder:
        pytest.skip("CRANE_JUNO names no benchmark folder")
    from crane_bridge.bench.replies import load_folder
    from crane_bridge.bench.tables import summary_markdown

    wanted = re.search(r"^\| model \|.*?(?=\n\n)", Path(folder, "README.md").read_text(), re.M | re.S).group()
    assert summary_markdown(load_folder(Path(folder, "recorded"))) == wanted


# --- the checker's report card ----------------------------------------------------------------------------------------------


def test_combinations(tmp_path, capsys):
    folder = recorded(
        tmp_path / "r",
        a_1_reproduced=[False] * 5,  # the checker alone sees it
        a_1_fixed=[True] * 5,  # a false alarm of the model, where the walk is complete
        a_2_reproduced=[True] * 5,  # the model alone sees it
        a_2_fixed=[True] * 5,  # a false alarm, and the walk lost track
    )
    inspections = tmp_path / "prepared" / "inspections"
    inspections.mkdir(parents=True)
    for name, crash, complete in [
        ("a_1_reproduced", True, False),
        ("a_1_fixed", False, True),
        ("a_2_reproduced", False, False),
        ("a_2_fixed", False, False),
    ]:
        item = {
            "target": name,
            "verdict": {"outcome": "crash" if crash else "nothing_certain"},
            "walk": {"complete": complete},
        }
        (inspections / f"{name}.json").write_text(json.dumps(item))
    assert cli.main(["bench", "checker", str(tmp_path / "prepared"), "--replies", str(folder)]) == 0
    out = capsys.readouterr().out
    head = out.split("By library")[0]
    rows = {tuple(c.strip() for c in line.split("|")[1:3]): line for line in head.splitlines() if line.startswith("|")}
    assert "| 1.000 | .500 |" in rows["checker", "alone"]
    assert "| .333 | .500 |" in rows["GPT-5, code only", "alone"]
    assert "| .500 | 1.000 |" in rows["GPT-5, code only", "crash if checker or model says so"]
    assert "| .667 | 1.000 |" in rows["GPT-5, code only", "the same, model overruled where the walk is complete"]


def test_a_list_of_outcomes_is_read_too(tmp_path, capsys):
    rows = [{"case": "a_1", "variant": v, "outcome": o} for v, o in (("buggy", "wrong cause"), ("fixed", "quiet"))]
    (tmp_path / "v.json").write_text(json.dumps(rows))
    assert cli.main(["bench", "checker", str(tmp_path / "v.json")]) == 0
    assert "| checker | alone | 1.000 |" in capsys.readouterr().out
    (tmp_path / "v.json").write_text("[3]")
    assert cli.main(["bench", "checker", str(tmp_path / "v.json")]) == 2


# --- prepare and run, on a small benchmark of our own ------------------------------------------------------------------------


def pair(folder, name, buggy, fixed, error=("KeyError", "'b'")):
    """A notebook pair: each a list of (source, execution count); the last cell of ``buggy`` holds the error."""
    (folder / name).mkdir(parents=True)
    for suffix, cells in (("reproduced", buggy), ("fixed", fixed)):
        made = [
            {"cell_type": "code", "metadata": {}, "source": s, "execution_count": n, "outputs": []} for s, n in cells
        ]
        if suffix == "reproduced":
            made[-1]["outputs"] = [{"output_type": "error", "ename": error[0], "evalue": error[1], "traceback": []}]
        data = {"nbformat": 4, "nbformat_minor": 4, "metadata": {}, "cells": made}
        (folder / name / f"{name}_{suffix}.ipynb").write_text(json.dumps(data))


@pytest.fixture
def dataset(tmp_path):
    folder = tmp_path / "data"
    setup = [("open('seen', 'a').write('first ')\nd = {'a': 1}", 2), ("d['c'] = 2", 1), ("never = 1", None)]
    pair(folder, "python_1", [("d = {}\nd['a'] = 1", 1), ("x = d['b']", 2)], [("d = {'b': 1}", 1), ("x = d['b']", 2)])
    pair(
        folder, "python_2", [*setup[:1], ("later = 1", 9), ("d['b']", 5)], [*setup[:1], ("later = 1", 9), ("d['a']", 5)]
    )
    return folder


def test_which_cells_ran(dataset):
    buggy, fixed = load_pair(str(dataset / "python_2" / "python_2"))
    assert [cell.number for cell in buggy.executed] == [1] and buggy.target.source == "d['b']"
    assert fixed.target.source == "d['a']" and fixed.name == "python_2_fixed"


def test_marked_cells_run_again_before_the_target(tmp_path):
    cells = [("# [reexecute]\nx = 1", 8), ("y = 1", 3), ("z = 1", 2), ("boom", 5)]
    pair(tmp_path, "a_1", cells, cells)
    buggy, _ = load_pair(str(tmp_path / "a_1" / "a_1"))
    assert [cell.number for cell in buggy.executed] == [3, 2, 1]


def test_from_notebooks_to_scores(dataset, tmp_path, capsys, server):
    out = tmp_path / "prepared"
    assert cli.main(["bench", "prepare", str(dataset), "--out", str(out)]) == 0
    inspection = json.loads((out / "inspections" / "python_1_reproduced.json").read_text())
    assert inspection["verdict"]["exception"] == "KeyError"
    prompts = {p.parent.name for p in (out / "prompts").glob("*/python_1_reproduced.json")}
    assert prompts == {"code", "runinfo", "runinfo_rv", "runinfo_sv", "runinfo_sr"}
    code, full = (
        json.loads((out / "prompts" / s / "python_1_reproduced.json").read_text())["user"] for s in ("code", "runinfo")
    )
    assert "d['a'] = 1" in code and "Variables" not in code and "Variables" in full
    seen = dataset / "python_2" / "seen"
    assert seen.read_text() == "first first ", "once per variant"
    assert cli.main(["bench", "prepare", str(dataset), "--out", str(out)]) == 0
    assert seen.read_text() == "first first ", "what is there is not done again"

    replies = tmp_path / "replies"
    run = [
        "bench",
        "run",
        str(out),
        "--replies",
        str(replies),
        "--base-url",
        server.url,
        "--model",
        "org/m:1",
        "--setting",
        "code",
        "-n",
        "2",
        "--per-minute",
        "6000",
    ]
    assert cli.main(run) == 0
    path = replies / "org_m_1__code.jsonl"
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    assert len(lines) == 8 == len(server.requests)
    assert lines[0]["usage"] == {"input_tokens": 11, "output_tokens": 7} and lines[0]["seconds"] >= 0
    assert json.loads(lines[0]["raw"]) == fault.VERDICT

    # Broken off in the middle of a line: the run goes on with what is missing, and nothing else is asked.
    text = path.read_text()
    path.write_text(text[: text.rstrip().rindex("\n") + 20])
    assert cli.main(run) == 0
    assert len(server.requests) == 9 and sum(recorded_counts(path).values()) == 8

    capsys.readouterr()
    assert cli.main(["bench", "score", str(replies)]) == 0
    told = capsys.readouterr().out
    assert "| org_m_1 | .500 1.000 .667 .500 |" in told and "Tokens and time per query" in told
    assert cli.main(["bench", "checker", str(out), "--replies", str(replies)]) == 0
    assert "| checker | alone | 1.000 | 1.000 |" in capsys.readouterr().out


def test_a_run_stops_at_what_will_not_pass(tmp_path, capsys, server):
    folder = tmp_path / "p" / "prompts" / "code"
    folder.mkdir(parents=True)
    for n in range(4):
        (folder / f"a_{n}_fixed.json").write_text(
            json.dumps({"target": f"a_{n}_fixed", "system": "s", "user": f"u{n}"})
        )
    run = [
        "bench",
        "run",
        str(tmp_path / "p"),
        "--replies",
        str(tmp_path / "r"),
        "--base-url",
        server.url,
        "--jobs",
        "1",
        "--per-minute",
        "6000",
        "-n",
        "1",
    ]
    server.answers = [fault.status(401)]
    assert cli.main(run) == 2
    assert len(server.requests) == 1 and "Run the same command again" in capsys.readouterr().err
    server.answers = [fault.chat(json.dumps(fault.VERDICT))]
    assert cli.main(run) == 0
    assert len(server.requests) == 5


def test_no_secret_reaches_a_recorded_file(tmp_path, server):
    out = tmp_path / "p" / "prompts" / "code"
    out.mkdir(parents=True)
    (out / "a_1_fixed.json").write_text(json.dumps({"target": "a_1_fixed", "system": "s", "user": "u"}))
    secret = next(secret for name, _, secret in PLANTED if name == "OpenAI")
    server.answers = [fault.chat(json.dumps({**fault.VERDICT, "reasoning": f"uses {secret}"}))]
    assert (
        cli.main(
            ["bench", "run", str(tmp_path / "p"), "--replies", str(tmp_path / "r"), "--base-url", server.url, "-n", "1"]
        )
        == 0
    )
    (written,) = (tmp_path / "r").iterdir()
    assert secret not in written.read_text() and "prediction" in written.read_text()


def test_run_and_prepare_say_what_is_missing(tmp_path, capsys):
    assert cli.main(["bench", "prepare", str(tmp_path / "no"), "--out", str(tmp_path / "o")]) == 2
    assert cli.main(["bench", "prepare", str(tmp_path), "--out", str(tmp_path / "o")]) == 2
    assert (
        cli.main(
            ["bench", "run", str(tmp_path), "--replies", str(tmp_path / "r"), "--base-url", "http://127.0.0.1:1/v1"]
        )
        == 2
    )
    said = capsys.readouterr().err
    assert "no folder" in said and "no notebook pairs" in said and "holds no prompts" in said
