"""Allow-list: NumPy.

Keys are ``numpy.<name>`` for what the top level exports, in both NumPy 1 and 2 (the functions say so themselves).
"""

from __future__ import annotations

from typing import Any

from ..registry import Pure
from . import data_costs as cost

_pass = Pure(cost=cost.passes(2))
_slow = Pure(cost=cost.passes(12))
_cheap = Pure(cost=cost.metadata)
_wide = Pure(cost=cost.broadcast)
_square = Pure(cost=cost.cubed)


def _positional_out(limit: int) -> Any:
    """Ufuncs and reductions take ``out`` by position too: refuse calls with that many arguments."""
    return lambda args, kwargs: len(args) <= limit


def _no_target(args: list[Any], kwargs: dict[str, Any]) -> bool:
    """Reductions take ``out`` as a late positional argument: refuse an array there."""
    return not any(type(getattr(a, "shape", None)) is tuple and a.shape for a in args[2:])


_REDUCTIONS = """sum prod mean std var min max amin amax ptp argmin argmax nansum nanprod nanmean nanstd nanvar nanmin nanmax cumsum cumprod all any
round around concatenate stack take trace compress vstack hstack""".split()
_UNARY = """absolute abs fabs sqrt square cbrt exp exp2 expm1 log log2 log10 log1p sin cos tan arcsin arccos arctan sinh cosh tanh arcsinh arccosh
arctanh deg2rad rad2deg degrees radians floor ceil trunc rint sign signbit isnan isinf isfinite isnat negative positive reciprocal conjugate conj
logical_not invert bitwise_not spacing modf frexp""".split()
_BINARY = """add subtract multiply divide true_divide floor_divide power float_power mod remainder fmod divmod matmul maximum minimum fmax fmin
equal not_equal less less_equal greater greater_equal logical_and logical_or logical_xor bitwise_and bitwise_or bitwise_xor left_shift right_shift
arctan2 hypot copysign nextafter ldexp gcd lcm heaviside logaddexp logaddexp2""".split()
_META = "shape ndim size result_type can_cast promote_types iscomplexobj isrealobj isscalar issubdtype broadcast_shapes iterable finfo iinfo dtype typename min_scalar_type".split()
_PASS = """array asarray asanyarray ascontiguousarray asfortranarray copy zeros_like ones_like empty_like full_like reshape ravel transpose swapaxes
moveaxis rollaxis expand_dims squeeze atleast_1d atleast_2d atleast_3d flip fliplr flipud rot90 roll concatenate stack vstack hstack dstack
column_stack row_stack block append insert delete split array_split hsplit vsplit dsplit take take_along_axis choose compress diagonal diag diagflat
trace tril triu where nonzero argwhere flatnonzero extract select piecewise clip around round round_ fix nan_to_num real imag angle real_if_close
sum prod mean std var min max amin amax ptp argmin argmax nansum nanprod nanmean nanstd nanvar nanmin nanmax nanargmin nanargmax cumsum cumprod
nancumsum nancumprod all any count_nonzero average diff ediff1d gradient trapz trapezoid isclose allclose array_equal array_equiv isin in1d
isneginf isposinf isreal iscomplex broadcast_to broadcast_arrays unwrap interp searchsorted digitize bincount histogram_bin_edges
packbits unpackbits dot vdot inner tensordot cross asarray_chkfinite require matrix bmat squeeze ndenumerate ix_ ravel_multi_index unravel_index
vander trim_zeros tril_indices triu_indices tril_indices_from triu_indices_from diag_indices diag_indices_from mask_indices common_type cumulative_sum cumulative_prod product cumproduct alltrue sometrue msort asmatrix mat isfortran unique_all unique_inverse base_repr binary_repr poly polyval polyadd polysub polymul polyder polyint roots indices fromiter logical_or concat permute_dims astype unstack matrix_transpose vecdot""".split()
_SLOW = """sort argsort lexsort partition argpartition unique unique_values unique_counts union1d intersect1d setdiff1d setxor1d median nanmedian percentile
nanpercentile quantile nanquantile histogram histogram2d histogramdd corrcoef cov convolve correlate polyfit array2string array_str array_repr
apply_along_axis apply_over_axes einsum hanning hamming blackman bartlett kaiser i0 sinc""".split()
_SHAPED = "zeros ones empty full".split()
_RANDOM = """rand randn randint random random_sample ranf sample choice normal uniform permutation binomial poisson exponential beta gamma
standard_normal multivariate_normal lognormal geometric laplace logistic multinomial chisquare dirichlet f gumbel hypergeometric logseries
negative_binomial noncentral_chisquare noncentral_f pareto power rayleigh standard_cauchy standard_exponential standard_gamma standard_t
triangular vonmises wald weibull zipf random_integers bytes""".split()
_METHODS_OUT = {"sum": 3, "mean": 3, "std": 3, "var": 3, "min": 2, "max": 2, "prod": 3, "cumsum": 3, "cumprod": 3, "argmax": 2, "argmin": 2,
                "all": 2, "any": 2, "ptp": 2, "round": 2, "clip": 3, "take": 3, "dot": 2, "trace": 5, "choose": 2, "compress": 3}  # fmt: skip
_METHODS = """astype reshape ravel flatten transpose swapaxes squeeze repeat nonzero searchsorted diagonal copy tolist item tobytes view conj conjugate
argsort argpartition __len__ __contains__ __copy__ __array__ tostring""".split()
_DTYPES = """bool bool_ int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 longdouble complex64 complex128 clongdouble str str_
bytes bytes_ datetime64 timedelta64 intc longlong ulonglong uintc object_ dtype ndarray half single double csingle cdouble intp uintp void""".split()

PURE: dict[str, Pure | None] = {
    **{f"numpy.{name}": Pure(cost=cost.broadcast, when=_positional_out(1)) for name in _UNARY},
    **{f"numpy.{name}": Pure(cost=cost.broadcast, when=_positional_out(2)) for name in _BINARY},
    **{f"numpy.{name}": _cheap for name in _META},
    **{f"numpy.{name}": _pass for name in _PASS},
    **{f"numpy.{name}": _slow for name in _SLOW},
    **{f"numpy.{name}": Pure(cost=cost.product_of_ints) for name in _SHAPED},
    **{f"numpy.{name}": Pure(cost=cost.square) for name in ("eye", "identity", "tri")},
    **{f"numpy.{name}": Pure(cost=cost.steps) for name in ("arange", "linspace", "logspace", "geomspace")},
    **{f"numpy.{name}": Pure(cost=cost.blow_up) for name in ("repeat", "tile", "pad", "resize")},
    **{f"numpy.{name}": Pure(cost=cost.outer) for name in ("outer", "kron", "meshgrid")},
    **{f"numpy.{name}": Pure(cost=cost.passes(2), when=_no_target) for name in _REDUCTIONS},
    **{f"numpy.{name}": Pure(cost=cost.matrix, when=_positional_out(2)) for name in ("matmul", "dot", "inner", "vdot")},
    "numpy.indices": Pure(cost=cost.product_of_ints),
    "numpy.fromfunction": Pure(cost=lambda args, kwargs, weight: cost.product_of_ints(args[1:], kwargs, weight)),
    "numpy.vectorize": _cheap,
    **{f"numpy.{name}": None for name in ("frompyfunc", "fromiter")},
    **{f"numpy.{name}": _pass for name in _DTYPES},
    "numpy.dtypes.*": _pass,
    "numpy.load": Pure(files=True, cost=lambda a, k, w: cost.small_file(a, k, w, 30_000_000, 2e-9), when=lambda args, kwargs: not kwargs.get("allow_pickle") and not kwargs.get("mmap_mode") and len(args) == 1),
    "numpy.loadtxt": Pure(files=True, callbacks=False, cost=lambda a, k, w: cost.small_file(a, k, w, 1_000_000, 3e-7)),
    "numpy.genfromtxt": Pure(files=True, callbacks=False, cost=lambda a, k, w: cost.small_file(a, k, w, 300_000, 1e-6)),
    "numpy.fromstring": _pass,
    "numpy.frombuffer": _pass,
    **{f"numpy.linalg.{name}": _square for name in "inv det slogdet solve lstsq eig eigh eigvals eigvalsh svd svdvals qr cholesky pinv matrix_rank matrix_power cond tensorinv tensorsolve".split()},
    **{f"numpy.linalg.{name}": _pass for name in "norm matrix_norm vector_norm diagonal trace cross outer matrix_transpose".split()},
    "numpy.linalg.multi_dot": _square,
    "numpy.linalg.matmul": Pure(cost=cost.matrix),
    "numpy.fft.*": Pure(cost=cost.passes(30), when=lambda args, kwargs: all(not isinstance(a, int) or abs(a) < 10_000_000 for a in args)),
    "numpy.random.seed": None,
    **{f"numpy.random.mtrand.RandomState.{name}": Pure(random="numpy", cost=cost.numbers) for name in _RANDOM},
    **{f"numpy.random.{place}{name}": Pure(random="numpy", cost=cost.numbers) for place in ("mtrand.", "", "RandomState.") for name in _RANDOM},
    **dict.fromkeys(("numpy.random._generator.default_rng", "numpy.random.default_rng"), Pure(when=lambda args, kwargs: bool(args or kwargs) and (args[0] if args else kwargs.get("seed")) is not None and not hasattr(args[0] if args else None, "bit_generator"))),
    **dict.fromkeys(("numpy.random.mtrand.RandomState", "numpy.random.RandomState"), Pure(when=lambda args, kwargs: bool(args or kwargs) and (args[0] if args else kwargs.get("seed")) is not None)),
    **{f"numpy.ndarray.{name}": Pure(cost=cost.passes(2), when=_positional_out(limit)) for name, limit in _METHODS_OUT.items()},
    **{f"numpy.ndarray.{name}": _pass for name in _METHODS},
    "numpy.ndarray.repeat": Pure(cost=cost.blow_up),
    "numpy.ndarray.dot": Pure(cost=cost.matrix, when=_positional_out(2)),
    "numpy.ndarray.tolist": Pure(cost=cost.passes(10)),
    "numpy.ndarray.argsort": _slow,
    "numpy.ufunc.reduce": _pass,
    "numpy.ufunc.accumulate": _pass,
    "numpy.ufunc.reduceat": _pass,
    "numpy.ufunc.outer": Pure(cost=cost.outer),
    "numpy.generic.*": _cheap,
    "numpy.generic.setflags": None,
    "numpy.generic.tofile": None,
    "numpy.generic.dump": None,
    **{f"numpy.{kind}.*": _cheap for kind in "float64 float32 int64 int32 bool_ bool str_ integer floating number datetime64 timedelta64 complex128".split()},
    "numpy.char.*": _slow,
    "numpy.strings.*": _slow,
    "numpy.polynomial.polynomial.Polynomial": _pass,
    "numpy.poly1d": _pass,
    "numpy.lib.polynomial.poly1d.*": _pass,
    "numpy.lib._polynomial_impl.poly1d.*": _pass,
    "numpy.lib.stride_tricks.sliding_window_view": _cheap,
    "numpy.geterr": _cheap,
    "numpy.ma.*": None,
}  # fmt: skip
