"""Cost: bytes known before reading, deterministic samples that say so, nothing stated of the whole from a part."""

import random
import tracemalloc

import pytest

from crane_llm.summary.budget import Budget, sample_blocks, sample_positions

np = pytest.importorskip("numpy")


@pytest.mark.parametrize("count", [0, 1, 5, 64, 100, 1000, 8191, 8193, 10**6, 5 * 10**7])
@pytest.mark.parametrize("wanted", [1, 7, 64, 1024, 8192])
def test_samples_cover_both_ends_without_repeats(count, wanted):
    positions = sample_positions(count, wanted, 8)
    assert positions == sorted(set(positions)) and all(0 <= position < count for position in positions)
    assert len(positions) <= max(wanted, 1) and (len(positions) == count if count <= wanted else len(positions) > 0)
    if count > wanted >= 16:
        assert positions[0] == 0 and positions[-1] == count - 1
    assert sample_blocks(count, wanted) == sample_blocks(count, wanted)


def test_budget_shares_and_portions():
    budget = Budget(1000)
    budget.divide(2)
    assert not budget.afford(501) and budget.afford(500) and budget.left == 500
    budget.divide(1)
    spent = []
    for turn in budget.portions(5):
        spent.append(budget.share)
        budget.afford(50 if turn % 2 else 0)
    assert spent[0] == 100 and spent[-1] > 100 and budget.left == 400
    assert Budget(10, deadline=-1).expired()


def test_exact_below_and_sampled_above(summary):
    values = np.zeros(3_000_000)
    values[1_234_567] = np.nan
    exact = summary("x", {"budget_bytes": 1 << 25}, x=values).to_json()["variables"][0]
    assert "NaN 1" in exact["notes"] and not exact["sampled"]
    part = summary("x", {"budget_bytes": 1 << 20}, x=values)
    told = part.to_json()["variables"][0]
    assert told["sampled"] and any(note.startswith("sampled 8192 of 3000000") for note in told["notes"])
    assert "no NaN in the sample" in told["notes"] and "no NaN" not in told["notes"]
    assert "constant" not in part.to_text() and "binary" not in part.to_text()


def test_nothing_is_read_on_a_budget_of_nothing(summary):
    pd = pytest.importorskip("pandas")
    told = summary(
        "x; y", {"budget_bytes": 0}, x=np.arange(100_000.0), y=pd.DataFrame({"a": np.arange(1000.0)})
    ).to_text()
    assert "values not read" in told and "(100000,)" in told and "a: float64" in told
    assert "continuous" not in told and "no NaN" not in told and "no missing" not in told


def test_every_state_of_a_sample_is_marked(summary):
    """Whatever a sampled summary says of values names the sample."""
    pd = pytest.importorskip("pandas")
    size = 2_000_000
    frame = pd.DataFrame({"f": np.zeros(size), "i": np.ones(size, dtype="int64"), "b": np.zeros(size, dtype=bool)})
    frame["t"] = pd.Series(np.array(["same"] * size, dtype=object), dtype=object)
    told = summary("df", {"budget_bytes": 1 << 20}, df=frame).to_json()["variables"][0]
    assert "no missing value" not in told["notes"]
    for column in told["columns"]:
        notes = [note for note in column["notes"] if not note.startswith(("'", "values not read"))]
        assert notes == [] or notes[0].startswith("sampled "), column
        assert all("sample" in note for note in notes), column


def test_lists_above_the_budget_are_sampled(summary):
    values = [0] * 500_000
    told = summary("x", {"budget_bytes": 1 << 18}, x=values).to_json()["variables"][0]
    assert told["sampled"] and "of int in the sample" in told["notes"] and "constant" not in told["notes"]


def test_the_same_twice_and_no_random_state(summary):
    state, numpy_state = random.getstate(), np.random.get_state()[1].tolist()
    values = np.random.RandomState(0).rand(5_000_000)
    first = summary("x", x=values).to_text()
    assert first == summary("x", x=values).to_text() and "sampled" in first
    assert random.getstate() == state and np.random.get_state()[1].tolist() == numpy_state


@pytest.mark.parametrize("shape", [(4_000_000,), (2000, 2000), (200, 200, 100), (1, 4_000_000)])
@pytest.mark.parametrize("view", ["plain", "transposed", "strided"])
def test_memory_does_not_grow(summary, shape, view):
    values = np.zeros(shape)
    values = values.T if view == "transposed" else values[..., ::2] if view == "strided" else values
    summary("x", x=values)
    tracemalloc.start()
    summary("x", x=values)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 4 << 20, peak


def test_sizes_are_bounded(summary):
    pd = pytest.importorskip("pandas")
    wide = pd.DataFrame(np.zeros((3, 5000)), columns=[f"a rather long column name number {i}" for i in range(5000)])
    namespace = {f"v{i}": wide for i in range(60)}
    found = summary("; ".join(namespace), **namespace)
    assert len(found.to_text()) < 20_000
    assert any("more variables" in entry for entry in found.left_out)
    assert "shortened for length" in found.to_text()


def test_past_the_deadline_shapes_are_still_told(summary, monkeypatch):
    pd = pytest.importorskip("pandas")
    monkeypatch.setattr(Budget, "expired", lambda self: True)
    told = summary("df; x", df=pd.DataFrame({"a": np.arange(9.0)}), x=np.zeros((3, 400))).to_text()
    assert (
        "df: DataFrame (9, 1)" in told
        and "a: float64" in told
        and "x: ndarray (3, 400) float64; values not read" in told
    )
    assert "0.0" not in told


def test_a_deadline_gives_types(summary):
    told = summary("x; y", {"deadline": 0.0}, x=np.zeros(10), y=[1])
    assert told.to_json()["variables"][0]["type"] == "numpy.ndarray" and "x: out of time" in told.left_out


@pytest.mark.parametrize("enabled", [True, False])
def test_the_garbage_collector_waits_and_is_as_before(summary, monkeypatch, enabled):
    import gc

    from crane_llm.summary import summary as inner

    seen = []
    monkeypatch.setattr(
        inner, "describe", lambda *_: seen.append(gc.isenabled()) or (_ for _ in ()).throw(KeyboardInterrupt)
    )
    was = gc.isenabled()
    (gc.enable if enabled else gc.disable)()
    try:
        with pytest.raises(KeyboardInterrupt):
            summary("x", x=1)
        assert seen == [False] and gc.isenabled() is enabled
    finally:
        (gc.enable if was else gc.disable)()
