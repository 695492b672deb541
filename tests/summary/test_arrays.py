"""NumPy and pandas objects."""

import pytest

np = pytest.importorskip("numpy")


def test_array(line):
    told = line(np.arange(1000.0).reshape(10, 100))
    assert told == "x: ndarray (10, 100) float64; no NaN; continuous 0.0..999.0"


def test_nan_inf_and_range(line):
    values = np.linspace(-1, 1, 5000)
    values[3:7] = np.nan
    values[10] = np.inf
    told = line(values)
    assert "NaN 4" in told and "infinite 1" in told and "-1.0..1.0" in told


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (np.array([0, 1] * 50), "binary {0, 1}"),
        (np.array([0.0, 1.0] * 50), "binary {0.0, 1.0}"),
        (np.array([3] * 50), "constant 3"),
        (np.arange(10).repeat(10), "categorical (10) 0..9"),
        (np.array([True, False] * 20), "binary"),
        (np.arange(20000) % 300 - 150, "300 distinct -150..149"),
        (np.arange(20000).astype("int8"), "256 distinct -128..127"),
        (np.full(30, np.nan), "all NaN"),
        (np.array([1.5, 2.5] * 50), "continuous, 2 distinct {1.5, 2.5}"),
        (np.zeros((0, 4)), "(0, 4) float64; empty"),
        (np.array([[0, 1]]), "[[0, 1]]"),
        (np.float32(2.5), "x: float32; 2.5"),
        (np.array(["a", "b"] * 9), "str (width 1); binary; 'a', 'b'"),
        (np.array(["2020-01-01", "NaT"] * 9, dtype="datetime64[D]"), "NaT 9"),
    ],
)
def test_scales(line, value, expected):
    assert expected in line(value)


def test_object_arrays_say_kinds_and_shapes(line):
    ragged = np.empty(5, dtype=object)
    for i in range(5):
        ragged[i] = np.zeros((64, 64) if i == 2 else (64, 64, 3))
    assert "2 different shapes: (64, 64, 3) float64 ×4, (64, 64) float64 ×1" in line(ragged)
    assert "2 different shapes" in line(list(ragged))


def test_strided_and_fortran_views(line):
    base = np.arange(40000.0).reshape(200, 200)
    assert "0.0..39999.0" in line(base.T)
    assert "0.0..39998.0" in line(base[:, ::2])
    assert "(2, 5, 4)" in line(np.arange(40).reshape(4, 5, 2).T)


def test_unusual_dtypes_give_at_least_their_type(line):
    assert "structured (a int32, b float64)" in line(np.zeros(3, dtype=[("a", "i4"), ("b", "f8")]))
    assert "ndarray" in line(np.arange(5).astype(">i4")) and "complex128" in line(np.ones(9, dtype=complex))
    assert "some values masked" in line(np.ma.masked_equal(np.arange(5), 3))


pd = pytest.importorskip("pandas")


def test_frame(summary):
    frame = pd.DataFrame(
        {"a": range(100), "b": ["x", "y"] * 50, "c": [1.5, None] * 50, "when": pd.date_range("2020", periods=100)}
    )
    told = summary("df", df=frame).to_text()
    assert "df: DataFrame (100, 4)" in told
    assert "  a: int64, 100 distinct 0..99" in told
    assert "NaN 50, constant 1.5" in told
    assert "datetime64" in told and "2020-01-01" in told
    assert "binary, 'x', 'y'" in told


def test_columns_the_cell_uses_come_first(summary):
    wide = pd.DataFrame(np.zeros((3, 300)), columns=[f"col{i}" for i in range(300)])
    found = summary("df['col250']", df=wide)
    frame = found.to_json()["variables"][0]
    assert frame["columns"][0]["name"] == "col250" and len(frame["columns"]) <= 20
    assert "df: 280 columns not described" in found.left_out


def test_missing_columns_and_labels(summary):
    frame = pd.DataFrame({"a": [1, 2], "b": [3, 4]}, index=[10, 12])
    told = summary(
        "df[['a', 'zz']]; df.drop([11]); df.drop(columns=['q', 'b']); df.groupby('g'); df.loc[12]", df=frame
    ).to_text()
    assert "no column 'zz', 'q', 'g'" in told
    assert "not in the index: 11" in told


@pytest.mark.parametrize(
    "cell",
    [
        "df['new'] = 1\ndf['new']",
        "df.insert(0, 'new', 1)\ndf['new']",
        "add(df)\ndf['new']",
        "df.columns = ['new']\ndf['new']",
        "for i in range(2):\n    df = df.rename(columns={'a': 'new'})\n    df['new']",
        "df = df.rename(columns={'a': 'new'})\ndf['new']",
        "df.drop(columns='new', errors='ignore')",
        "f = lambda df: df['new']",
    ],
)
def test_columns_that_the_cell_may_make_are_not_called_missing(summary, cell):
    assert "no column" not in summary(cell, df=pd.DataFrame({"a": [1]}), add=lambda frame: frame).to_text()


def test_a_name_is_the_kernels_until_the_cell_binds_it(summary):
    frame = pd.DataFrame({"a": [1]})
    told = summary("df = df.drop(columns=['gone'])\ndf['later']", df=frame).to_text()
    assert "no column 'gone'" in told and "later" not in told


def test_missing_attributes(summary):
    frame = pd.DataFrame({"a": [1]})
    told = summary("df.append(1); df.a; df.shape; s.foo; x.bar", df=frame, s=frame["a"], x=np.zeros(3)).to_text()
    assert "no attribute append" in told and "no attribute foo" in told and "no attribute bar" in told
    assert "no attribute a\n" not in told and "shape" not in told


def test_removed_numpy_alias(summary):
    assert "no attribute float" in summary("np.float(3)", np=np).to_text()


def test_series_index_categorical(line):
    series = pd.Series(["a", "b", None] * 10, name="grade", dtype=object)
    told = line(series)
    assert "(30,)" in told and "name 'grade'" in told and "NaN 10" in told and "2 distinct" in told or "binary" in told
    assert "2 categories, ordered" in line(
        pd.Series(pd.Categorical(["lo", "hi"], categories=["lo", "hi"], ordered=True))
    )
    assert "RangeIndex" in line(pd.RangeIndex(5)) and "3 distinct {1, 2, 5}" in line(pd.Index([1, 2, 5]))
    assert "2 levels: p, q" in line(pd.MultiIndex.from_product([[1, 2], [3]], names=["p", "q"]))


def test_nullable_and_period_columns(summary):
    frame = pd.DataFrame(
        {"i": pd.array([1, None, 3], dtype="Int64"), "b": pd.array([True, None, False], dtype="boolean")}
    )
    frame["p"] = pd.period_range("2020", periods=3, freq="M")
    told = summary("df", df=frame).to_text()
    assert "i: Int64, NaN 1" in told and "b: boolean, NaN 1" in told and "p: period[M]" in told


def test_mixed_object_column(summary):
    frame = pd.DataFrame({"m": pd.Series([1, "1"] * 10, dtype=object)})
    assert "mixed: int 10, str 10" in summary("df", df=frame).to_text()


def test_index_kinds(summary):
    indexed = pd.DataFrame({"a": [1, 2, 3]}, index=pd.Index(["u", "v", "u"], name="key"))
    told = summary("df", df=indexed).to_text()
    assert "named 'key'" in told and "has duplicates" in told
    multi = pd.DataFrame(np.ones((2, 2)), columns=pd.MultiIndex.from_product([["a"], ["x", "y"]]))
    assert "column labels have 2 levels" in summary("df", df=multi).to_text()
    twice = pd.DataFrame(np.ones((2, 2)), columns=["a", "a"])
    assert "duplicate column labels: a" in summary("df", df=twice).to_text()
    assert "blanks around them: ' a'" in summary("df", df=pd.DataFrame({" a": [1]})).to_text()


def test_groupby_is_not_computed(summary):
    frame = pd.DataFrame({"a": [1, 2], "b": [3, 4]})
    told = summary("g.mean()", g=frame.groupby("a")).to_text()
    assert "by 'a'" in told and "DataFrame (2, 2)" in told


def test_frames_are_compared(summary):
    train = pd.DataFrame(np.ones((3, 6)), columns=list("abcdef"))
    test = train.drop(columns="c").assign(z=1)
    told = summary("fit(train); predict(test)", train=train, test=test).to_text()
    assert "compared with columns of train: lacks c; has besides z" in told


def test_twins_are_compared_however_different(summary):
    train = pd.DataFrame(np.ones((3, 4)), columns=["age", "city_a", "city_b", "city_c"])
    test = pd.DataFrame(np.ones((3, 5)), columns=["age", "city_d", "city_e", "city_f", "city_g"])
    told = summary(
        "train_df; test_df; other", train_df=train, test_df=test, other=test.drop(columns="city_g")
    ).to_text()
    assert "compared with columns of train_df: lacks city_a, city_b, city_c; has besides city_d" in told
    assert told.count("compared") == 1


def test_block_layouts(summary):
    """Consolidated, fragmented, transposed and sliced frames give the same columns the same facts."""
    frame = pd.DataFrame({"a": [1.0, np.nan, 3.0], "b": [1, 2, 3], "c": [4.0, 5.0, 6.0]})
    sliced = pd.concat([frame, frame], axis=1).iloc[:, 1:4]
    assert "b: int64, 3 distinct {1, 2, 3}" in summary("df", df=sliced).to_text()
    frame.insert(1, "z", [0.5, 0.5, 0.5])
    told = summary("df", df=frame).to_text()
    assert "a: float64, NaN 1, binary {1.0, 3.0}" in told
    assert "z: float64, constant 0.5" in told


def test_labels_that_are_no_text(summary):
    told = summary("df[3]", df=pd.DataFrame(np.ones((2, 2)), columns=[3, "a"])).to_text()
    assert "column labels are int and str" in told and "3, a: float64" in told
