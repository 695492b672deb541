"""Allow-list: pandas.

Methods are listed under every class that may define them (``NDFrame``, ``DataFrame``, ``Series``, ``OpsMixin``, ``Index`` …), functions
under their old module and under ``pandas`` itself, so that one list serves pandas 1 to 3. What changes its receiver, writes files,
plots or prints more than text is not here (see ``models/pandas``).
"""

from __future__ import annotations

import re
from typing import Any

from ..registry import Pure
from . import data_costs as cost


def _no_flag(args: list[Any], kwargs: dict[str, Any]) -> bool:
    """``inplace`` given by position: no bare True among the positional arguments."""
    return not any(a is True for a in args[1:] if a is not None) and kwargs.get("inplace", False) is False


_IN_FORMULA = frozenset(
    "isin isnull notnull isna notna contains startswith endswith str lower upper strip len abs between sin cos exp log sqrt log10 mean max min sum std median and or not in".split()
)


def _formula(args: list[Any], kwargs: dict[str, Any]) -> bool:
    """``query`` and ``eval``: text that names columns alone, without variables of the caller or calls that could do more."""
    text = next((a for a in args if isinstance(a, str)), kwargs.get("expr"))
    if (
        not isinstance(text, str)
        or "@" in text
        or "__" in text
        or len(text) > 500
        or (set(kwargs) - {"expr", "inplace"})
        or True in args
    ):
        return False
    return all(name in _IN_FORMULA for name in re.findall(r"([A-Za-z_]\w*)\s*\(", text))


def _to_text(position: int, *names: str) -> Any:
    """Writers that return text when no path is given; ``position`` counts the arguments behind the receiver."""

    def allowed(args: list[Any], kwargs: dict[str, Any]) -> bool:
        return all(given is None for given in args[position:]) and all(kwargs.get(name) is None for name in names)

    return allowed


_cheap = Pure(cost=cost.metadata, when=_no_flag)
_pass = Pure(cost=cost.passes(3, 2e-8), when=_no_flag)
_rows = Pure(cost=cost.passes(6, 1e-7), when=_no_flag)
_sort = Pure(cost=cost.passes(12, 3e-7), when=_no_flag)
_group = Pure(cost=cost.passes(20, 3e-7), when=_no_flag)
_slow = Pure(cost=cost.passes(40, 2e-6), when=_no_flag)
_text = Pure(cost=cost.passes(8, 5e-7))
_squared = Pure(cost=cost.columns_squared)
_join = Pure(cost=cost.merge)
_blow = Pure(cost=cost.blow_up)

_CHEAP = """get keys head tail filter rename rename_axis add_prefix add_suffix set_axis reset_index droplevel swaplevel reorder_levels select_dtypes
transpose swapaxes first_valid_index last_valid_index squeeze pipe groupby rolling expanding ewm set_flags memory_usage item to_frame xs take
infer_objects ravel view bool nlevels set_names get_level_values to_flat_index identical is_ to_series holds_integer is_numeric is_integer is_floating
is_object is_boolean is_categorical __len__ __contains__ __array__ __array_wrap__ truncate get_indexer_for slice_indexer slice_locs get_slice_bound
__bool__ __nonzero__ _get_level_values""".split()
_PASS = """copy abs add sub subtract mul multiply div divide truediv floordiv mod pow radd rsub rmul rdiv rtruediv rfloordiv rmod rpow divmod rdivmod eq ne lt gt
le ge all any sum mean min max prod product std var sem skew kurt kurtosis count cumsum cumprod cummax cummin argmax argmin idxmax idxmin isna isnull notna
notnull fillna ffill bfill pad backfill clip between round astype shift diff pct_change where mask set_index drop dropna to_numpy to_list tolist
dot equals at_time between_time first last tz_localize tz_convert to_period to_timestamp convert_dtypes assign append
get_indexer get_loc is_unique searchsorted asof autocorr case_when rename_categories""".split()
_ROWS = """isin replace map duplicated drop_duplicates unique nunique factorize mode value_counts cov combine combine_first compare align reindex reindex_like update_
join_ union intersection difference symmetric_difference get_indexer_non_unique interpolate asfreq_ describe quantile median rank nlargest nsmallest
corr to_dict to_records apply_ agg_ sample stack melt_ argsort sort_index sort_values sortlevel reindex_axis""".split()
_CALLING = "apply applymap map agg aggregate transform combine pipe".split()

_FRAMES = (
    "pandas.core.frame.DataFrame",
    "pandas.core.generic.NDFrame",
    "pandas.core.series.Series",
    "pandas.core.base.IndexOpsMixin",
    "pandas.core.arraylike.OpsMixin",
    "pandas.core.base.SelectionMixin",
    "pandas.core.base.PandasObject",
    "pandas.core.indexing.IndexingMixin",
)
_INDEXES = tuple(
    f"pandas.core.indexes.{module}.{name}"
    for module, name in (
        ("base", "Index"), ("multi", "MultiIndex"), ("range", "RangeIndex"), ("datetimes", "DatetimeIndex"), ("timedeltas", "TimedeltaIndex"), ("period", "PeriodIndex"),
        ("category", "CategoricalIndex"), ("interval", "IntervalIndex"), ("extension", "ExtensionIndex"), ("extension", "NDArrayBackedExtensionIndex"), ("numeric", "Int64Index"),
        ("numeric", "Float64Index"), ("datetimelike", "DatetimeIndexOpsMixin"), ("datetimelike", "DatetimeTimedeltaMixin"),
    )
)  # fmt: skip


def _everywhere(names: list[str], spec: Any, owners: tuple[str, ...] = _FRAMES + _INDEXES) -> dict[str, Any]:
    return {f"{owner}.{name}": spec for owner in owners for name in names}


def _function(places: dict[str, str], spec: Any) -> dict[str, Any]:
    made = {}
    for name, module in places.items():
        made[f"pandas.{name}"] = spec
        made[f"{module}.{name}"] = spec
    return made


_READ = dict.fromkeys(("read_csv", "read_table"), "pandas.io.parsers.readers")


def _plain_reader(args: list[Any], kwargs: dict[str, Any]) -> bool:
    return not set(kwargs) & {
        "iterator",
        "chunksize",
        "memory_map",
        "date_parser",
        "converters",
        "storage_options",
        "engine",
        "dtype_backend",
    } and kwargs.get("compression", "infer") in ("infer", None)


PURE: dict[str, Pure | None] = {
    **_everywhere(_CHEAP, _cheap),
    **_everywhere(_PASS, _pass),
    **_everywhere(_ROWS, _rows),
    **_everywhere(_CALLING, _rows),
    **_everywhere(["sort_index", "sort_values", "argsort", "rank", "sortlevel"], _sort),
    **_everywhere(["replace"], _slow),
    **_everywhere(["corr", "cov", "corrwith"], _squared),
    **_everywhere(["merge", "join"], _join, _FRAMES),
    **_everywhere(["join"], _rows, _INDEXES),
    **_everywhere(["pivot", "pivot_table", "unstack", "melt", "explode", "stack"], Pure(cost=lambda a, k, w: 3e-3 + w * 1.5e-9 * 60 + cost.rows(a[0]) * 1e-6 if cost.rows(a[0]) < 50_000 else cost.INFINITE), _FRAMES),
    **_everywhere(["repeat"], _blow),
    **_everywhere(["resample", "asfreq"], _cheap, _FRAMES),
    **_everywhere(["query", "eval"], Pure(cost=cost.passes(6, 2e-8), when=_formula), _FRAMES),
    **_everywhere(["sample"], Pure(cost=cost.passes(4, 5e-8), random="numpy"), _FRAMES),
    **_everywhere(["to_csv", "to_json", "to_string", "to_html", "to_latex", "to_markdown"], Pure(cost=cost.passes(100, 1e-5), when=_to_text(0, "path_or_buf", "buf", "path")), _FRAMES),
    **_everywhere(["info"], Pure(cost=cost.passes(3), when=_to_text(1, "buf")), _FRAMES),
    **_everywhere(["to_dict", "to_records"], Pure(cost=cost.passes(30, 2e-6)), _FRAMES),
    **_everywhere(["tolist", "to_list"], Pure(cost=cost.passes(6, 5e-8))),
    **_everywhere(["from_dict", "from_records", "from_arrays", "from_tuples", "from_product", "from_frame", "from_breaks"], _slow),
    **_everywhere(["describe"], Pure(cost=lambda a, k, w: 5e-3 + w * 4e-8)),
    **_everywhere(["insert", "delete"], _pass, _INDEXES),
    **_everywhere("strftime normalize floor ceil day_name month_name to_pydatetime total_seconds isocalendar as_unit set_categories add_categories remove_categories as_ordered as_unordered reorder_categories remove_unused_categories to_julian_date snap date time".split(), _text, _INDEXES),
    **{f"pandas.core.indexes.base.Index.{name}": None for name in ("format", "groupby")},
    "pandas.core.accessor.PandasDelegate._add_delegate_accessors.<locals>._create_delegator_method.<locals>.f": _text,
    **_everywhere("""strftime normalize floor ceil round day_name month_name to_pydatetime total_seconds isocalendar as_unit tz_localize tz_convert to_period to_timestamp asfreq
        rename_categories set_categories add_categories remove_categories as_ordered as_unordered reorder_categories remove_unused_categories unique astype copy isna fillna
        to_numpy tolist value_counts""".split(), _text, tuple(f"pandas.core.arrays.{name}" for name in (
        "categorical.Categorical", "datetimelike.DatelikeOps", "datetimelike.TimelikeOps", "datetimelike.DatetimeLikeArrayMixin", "datetimes.DatetimeArray", "timedeltas.TimedeltaArray",
        "period.PeriodArray", "base.ExtensionArray", "_mixins.NDArrayBackedExtensionArray", "datetimelike.DatetimelikeDelegateMixin"))),
    "pandas.core.indexes.accessors.*": _text,
    "pandas.core.strings.accessor.*": Pure(cost=cost.texts),
    "pandas.core.strings.object_array.*": None,
    "pandas.core.arrays.categorical.CategoricalAccessor.*": _text,
    "pandas.core.groupby.*": _group,
    "pandas.core.groupby.groupby.BaseGroupBy.__iter__": None,
    "pandas.core.groupby.generic.DataFrameGroupBy.hist": None,
    "pandas.core.groupby.generic.SeriesGroupBy.hist": None,
    "pandas.core.groupby.generic.DataFrameGroupBy.boxplot": None,
    "pandas.core.groupby.groupby.GroupBy.sample": Pure(cost=cost.passes(20, 3e-7), random="numpy"),
    "pandas.core.groupby.groupby.GroupBy.plot": None,
    "pandas.core.resample.*": Pure(cost=lambda a, k, w: cost.INFINITE if _upsampled(a[0]) else 2e-3 + w * 1.5e-9 * 20),
    "pandas.core.window.*": Pure(cost=cost.passes(30, 1e-6)),
    **_function({"concat": "pandas.core.reshape.concat"}, Pure(cost=cost.passes(6, 0), consumes=True)),
    **_function({"merge": "pandas.core.reshape.merge", "merge_asof": "pandas.core.reshape.merge", "merge_ordered": "pandas.core.reshape.merge"}, _join),
    **_function({"get_dummies": "pandas.core.reshape.encoding", "from_dummies": "pandas.core.reshape.encoding"}, Pure(cost=cost.dummies)),
    "pandas.core.reshape.reshape.get_dummies": Pure(cost=cost.dummies),
    **_function({"to_datetime": "pandas.core.tools.datetimes"}, Pure(cost=lambda a, k, w: 2e-3 + cost.rows(a[0] if a else None) * 1.5e-5 if a and hasattr(a[0], "dtype") and str(a[0].dtype) in ("object", "str", "string") else 1e-3 + w * 1e-8 + (cost.rows(a[0]) if a else 0) * 2e-6)),
    **_function({"to_numeric": "pandas.core.tools.numeric", "to_timedelta": "pandas.core.tools.timedeltas"}, _text),
    **_function({"cut": "pandas.core.reshape.tile", "qcut": "pandas.core.reshape.tile", "factorize": "pandas.core.algorithms", "unique": "pandas.core.algorithms", "value_counts": "pandas.core.algorithms"}, _group),
    **_function({"crosstab": "pandas.core.reshape.pivot", "pivot_table": "pandas.core.reshape.pivot", "pivot": "pandas.core.reshape.pivot", "melt": "pandas.core.reshape.melt", "wide_to_long": "pandas.core.reshape.melt"}, Pure(cost=lambda a, k, w: 5e-3 + w * 1.5e-9 * 60 if w < 3_000_000 else cost.INFINITE)),
    **_function(dict.fromkeys(("isna", "isnull", "notna", "notnull"), "pandas.core.dtypes.missing"), _pass),
    **_function({"date_range": "pandas.core.indexes.datetimes", "bdate_range": "pandas.core.indexes.datetimes", "period_range": "pandas.core.indexes.period", "timedelta_range": "pandas.core.indexes.timedeltas", "interval_range": "pandas.core.indexes.interval"}, Pure(cost=lambda a, k, w: _range_cost(a, k))),
    **{f"pandas.{name}": _pass for name in "Timestamp Timedelta Period Interval NaT Categorical CategoricalDtype Int64Dtype DatetimeTZDtype StringDtype NamedAgg Grouper IndexSlice DateOffset array".split()},
    "pandas._libs.tslibs.*": Pure(when=lambda args, kwargs: True),
    "pandas._libs.tslibs.timestamps.Timestamp.now": None,
    "pandas._libs.tslibs.timestamps.Timestamp.today": None,
    "pandas._libs.tslibs.timestamps.Timestamp.utcnow": None,
    "pandas._libs.interval.*": _pass,
    "pandas.core.arrays.categorical.Categorical": _rows,
    "pandas.core.dtypes.dtypes.*": _cheap,
    "pandas.core.groupby.grouper.Grouper": _cheap,
    **{f"pandas.core.{place}": spec for place, spec in (("frame.DataFrame", _slow), ("series.Series", _slow), ("indexes.base.Index", _slow), ("indexes.multi.MultiIndex", _slow), ("indexes.datetimes.DatetimeIndex", _slow), ("indexes.range.RangeIndex", _slow), ("indexes.category.CategoricalIndex", _slow), ("indexes.timedeltas.TimedeltaIndex", _slow))},
    **{f"pandas.{name}": _slow for name in "DataFrame Series Index MultiIndex DatetimeIndex RangeIndex CategoricalIndex TimedeltaIndex".split()},
    "pandas.core.indexing._LocIndexer.*": None,
    **_function(_READ, Pure(files=True, callbacks=False, cost=cost.small_file, when=_plain_reader)),
    **_function({"read_json": "pandas.io.json._json"}, Pure(files=True, callbacks=False, cost=lambda a, k, w: cost.small_file(a, k, w, 500_000, 2e-7) if not (a and isinstance(a[0], str) and a[0].lstrip()[:1] in "[{") else 1e-3)),
    **_function({"read_excel": "pandas.io.excel._base"}, Pure(files=True, callbacks=False, cost=lambda a, k, w: cost.small_file(a, k, w, 20_000, 5e-6))),
    **_function({"read_parquet": "pandas.io.parquet", "read_feather": "pandas.io.feather_format", "read_hdf": "pandas.io.pytables"}, Pure(files=True, callbacks=False, cost=lambda a, k, w: cost.small_file(a, k, w, -1))),
    **_function({"read_pickle": "pandas.io.pickle"}, Pure(files=True, callbacks=False, cost=lambda a, k, w: cost.small_file(a, k, w, -1))),
    "pandas.api.types.*": _cheap,
    "pandas._config.config.get_option": _cheap,
    "pandas._config.config.CallableDynamicDoc.__call__": None,
    **_function({"json_normalize": "pandas.io.json._normalize", "infer_freq": "pandas.tseries.frequencies"}, _slow),
    "pandas.core.dtypes.common.*": _cheap,
    "pandas.core.dtypes.inference.*": _cheap,
    "pandas._libs.lib.is_*": _cheap,
    "pandas.core.flags.*": _cheap,
    "pandas.Series.list": None,
}  # fmt: skip


def _upsampled(resampler: Any) -> bool:
    """Whether resampling makes many more rows than there are."""
    try:
        found = resampler._grouper if hasattr(resampler, "_grouper") else resampler.grouper
        return len(found.result_index) > 200_000
    except Exception:
        return True


def _range_cost(args: list[Any], kwargs: dict[str, Any]) -> float:
    """Ranges of dates: the number of periods, or the span at a frequency no finer than a day."""
    periods = kwargs.get("periods", args[2] if len(args) > 2 else None)
    if isinstance(periods, int):
        return 2e-4 + abs(periods) * 5e-8 if abs(periods) < 3_000_000 else cost.INFINITE
    freq = kwargs.get("freq", args[3] if len(args) > 3 else "D")
    letter = str(freq).lstrip("0123456789")[:1]
    return 2e-3 if letter in "DBWMQYA" else 5e-2 if letter in "Hh" else cost.INFINITE
