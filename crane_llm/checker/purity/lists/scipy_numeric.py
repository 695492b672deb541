"""Allow-list: SciPy's solvers, which call functions that they are given, and its signals, images, transforms and splines.

Solvers call the notebook's function as often as they like: an interpreted one counts its steps and ends the call where they are too many.
Methods that draw random numbers of their own are left out, and hulls: their errors carry a number that is another one each time.
"""

from __future__ import annotations

from typing import Any

from ..registry import Pure
from . import data_costs as cost

MOST_UNKNOWNS = 2_000  # of a solver: each step costs their square


def _few_unknowns(args: list[Any], kwargs: dict[str, Any], weight: int) -> float:
    most = max((cost.size(value) for value in (*args[1:], *kwargs.values())), default=1)
    return 2e-3 + weight * 2e-8 if most <= MOST_UNKNOWNS else cost.INFINITE


def _many_points(args: list[Any], kwargs: dict[str, Any], weight: int) -> float:
    """Fits and systems over data: several passes, a matrix of points × unknowns."""
    return 2e-3 + weight * 2e-7


def _of_length(args: list[Any], kwargs: dict[str, Any], weight: int) -> float:
    """A result as long as a number among the arguments says."""
    longest = max((abs(v) for v in (*args, *kwargs.values()) if type(v) is int), default=1)
    return 2e-4 + weight * 3e-7 + longest * 2e-7 if longest < 10_000_000 else cost.INFINITE


def _pairs(args: list[Any], kwargs: dict[str, Any], weight: int) -> float:
    """Every element of one with every element of another."""
    sizes = sorted((cost.size(value) for value in (*args, *kwargs.values())), reverse=True)
    return 1e-4 + sizes[0] * (sizes[1] if len(sizes) > 1 else 1) * 2e-9 if sizes else 1e-4


def _points_squared(args: list[Any], kwargs: dict[str, Any], weight: int) -> float:
    return 5e-4 + cost.rows(args[0] if args else None) ** 2 * 2e-8


_solver = Pure(cost=_few_unknowns)
_fit = Pure(cost=_many_points)
_signal = Pure(cost=_of_length)
_kernel = Pure(cost=_pairs)
_pass = Pure(cost=cost.passes(60))
_dense = Pure(cost=cost.cubed)
_tree = Pure(cost=lambda args, kwargs, weight: 2e-3 + weight * 2e-6)
_matched = Pure(cost=_points_squared)
_file = Pure(files=True, callbacks=False, cost=lambda a, k, w: cost.small_file(a, k, w, 30_000_000, 4e-9))

_MINIMISERS = """_minimize.minimize _minimize.minimize_scalar _optimize.fmin _optimize.fmin_bfgs _optimize.fmin_cg _optimize.fmin_ncg _optimize.fmin_powell
_optimize.fminbound _optimize.golden _optimize.brent _optimize.bracket _optimize.brute _optimize.approx_fprime _optimize.check_grad
_lbfgsb_py.fmin_l_bfgs_b _tnc.fmin_tnc _slsqp_py.fmin_slsqp _cobyla_py.fmin_cobyla _root.root _root_scalar.root_scalar
_minpack_py.fsolve _minpack_py.fixed_point _zeros_py.bisect _zeros_py.brentq _zeros_py.brenth _zeros_py.ridder _zeros_py.newton _zeros_py.toms748
_optimize.rosen _optimize.rosen_der _constraints.Bounds _constraints.LinearConstraint _constraints.NonlinearConstraint""".split()
_FITS = "_minpack_py.curve_fit _minpack_py.leastsq _lsq.least_squares.least_squares _lsq.lsq_linear.lsq_linear _nnls.nnls".split()
_PROGRAMS = "_linprog.linprog _milp.milp".split()
_INTEGRALS = """_quadpack_py.quad _quadpack_py.dblquad _quadpack_py.tplquad _quadpack_py.nquad _quadrature.fixed_quad _quad_vec.quad_vec _odepack_py.odeint
_ivp.ivp.solve_ivp _bvp.solve_bvp""".split()
_FILTERS = """_filter_design.bessel _filter_design.buttord _filter_design.cheby1 _filter_design.cheby2 _filter_design.ellip _filter_design.freqz _filter_design.sosfreqz
_filter_design.freqz_sos _filter_design.iirfilter _filter_design.iirdesign _filter_design.iirnotch _filter_design.iirpeak _filter_design.sos2tf _filter_design.tf2sos
_filter_design.tf2zpk _filter_design.zpk2tf _filter_design.zpk2sos _fir_filter_design.firwin2 _fir_filter_design.firwin _fir_filter_design.kaiserord _waveforms.chirp
_waveforms.gausspulse _waveforms.sawtooth _waveforms.square _waveforms.unit_impulse windows._windows.get_window""".split()
_SIGNALS = """_signaltools.resample _signaltools.resample_poly _signaltools.decimate _signaltools.medfilt _signaltools.wiener _signaltools.sosfiltfilt
_signaltools.lfilter_zi _signaltools.sosfilt_zi _signaltools.envelope _signaltools.correlation_lags _spectral_py.periodogram _spectral_py.csd _spectral_py.coherence
_spectral_py.spectrogram _spectral_py.stft _spectral_py.istft _spectral_py.lombscargle _peak_finding.argrelextrema _peak_finding.argrelmax _peak_finding.argrelmin
_peak_finding.peak_prominences _peak_finding.peak_widths _savitzky_golay.savgol_coeffs""".split()
_CONVOLUTIONS = """_signaltools.convolve _signaltools.convolve2d _signaltools.correlate _signaltools.correlate2d _signaltools.fftconvolve _signaltools.oaconvolve
_signaltools.deconvolve _signaltools.medfilt2d""".split()
_IMAGE_FILTERS = """gaussian_filter1d gaussian_laplace gaussian_gradient_magnitude laplace sobel prewitt uniform_filter uniform_filter1d maximum_filter maximum_filter1d
minimum_filter minimum_filter1d""".split()
_IMAGE_KERNELS = (
    "convolve convolve1d correlate correlate1d median_filter percentile_filter rank_filter generic_filter".split()
)
_MEASUREMENTS = "label center_of_mass find_objects mean sum sum_labels variance standard_deviation minimum maximum minimum_position maximum_position extrema histogram".split()
_MORPHOLOGY = "binary_erosion binary_dilation binary_opening binary_closing binary_fill_holes grey_erosion grey_dilation grey_opening grey_closing distance_transform_edt".split()
_SPLINES = """_fitpack2.UnivariateSpline _fitpack2.InterpolatedUnivariateSpline _fitpack2.LSQUnivariateSpline _fitpack2.RectBivariateSpline _fitpack2.SmoothBivariateSpline
_fitpack2.UnivariateSpline.__call__ _fitpack2._BivariateSplineBase.__call__ _fitpack2.BivariateSpline.ev _fitpack2.UnivariateSpline.derivative _fitpack_py.splrep
_fitpack_py.splev _fitpack_py.splprep _fitpack_py.splint _fitpack_py.splder _fitpack_py.sproot _bsplines.make_interp_spline _bsplines.BSpline _bsplines.BSpline.__call__
_rgi.RegularGridInterpolator _rgi.RegularGridInterpolator.__call__ _rgi.interpn _interpolate.lagrange _polyint.BarycentricInterpolator _polyint.KroghInterpolator
_cubic.CubicHermiteSpline _cubic.pchip_interpolate""".split()
_SCATTERED = "_ndgriddata.NearestNDInterpolator _ndgriddata.NearestNDInterpolator.__call__".split()
_FFTPACK = "fft ifft rfft irfft fft2 ifft2 fftn ifftn".split()

PURE: dict[str, Pure | None] = {
    **{f"scipy.optimize.{name}": _solver for name in _MINIMISERS},
    **{f"scipy.optimize.{name}": _fit for name in _FITS},
    **{f"scipy.optimize.{name}": Pure(cost=lambda a, k, w: 5e-3 + w * 1e-6) for name in _PROGRAMS},
    **dict.fromkeys(("scipy.optimize._lsap.linear_sum_assignment", "scipy.optimize.linear_sum_assignment"), _dense),
    **{f"scipy.integrate.{name}": _solver for name in _INTEGRALS},
    **{f"scipy.integrate._quadrature.{name}": _pass for name in ("cumulative_trapezoid", "cumulative_simpson", "romb", "cumtrapz", "simps", "trapz")},
    **{f"scipy.signal.{name}": _signal for name in (*_FILTERS, *_SIGNALS)},
    **{f"scipy.signal.{name}": _kernel for name in _CONVOLUTIONS},
    **{f"scipy.ndimage._filters.{name}": _pass for name in _IMAGE_FILTERS},
    **{f"scipy.ndimage._filters.{name}": _kernel for name in _IMAGE_KERNELS},
    **{f"scipy.ndimage._measurements.{name}": _pass for name in _MEASUREMENTS},
    **{f"scipy.ndimage._morphology.{name}": _pass for name in _MORPHOLOGY},
    **{f"scipy.ndimage._interpolation.{name}": _pass for name in ("rotate", "shift", "map_coordinates")},
    **{f"scipy.interpolate.{name}": _signal for name in _SPLINES},
    **{f"scipy.interpolate.{name}": _tree for name in _SCATTERED},
    **{f"scipy.fftpack._basic.{name}": _signal for name in _FFTPACK},
    **{f"scipy.fft._helper.{name}": _signal for name in ("fftfreq", "rfftfreq", "fftshift", "ifftshift")},
    **{f"scipy.spatial._kdtree.{name}": _tree for name in ("KDTree", "KDTree.query", "KDTree.query_ball_point")},
    **{f"scipy.spatial._ckdtree.{name}": _tree for name in ("cKDTree", "cKDTree.query", "cKDTree.query_ball_point")},
    "scipy.spatial._procrustes.procrustes": _pass,
    **{f"scipy.spatial.distance.{name}": _pass for name in "mahalanobis sqeuclidean seuclidean jensenshannon dice directed_hausdorff".split()},
    **{f"scipy.cluster.hierarchy.{name}": _pass for name in "fcluster cophenet inconsistent leaves_list cut_tree".split()},
    **{f"scipy.cluster.hierarchy.{name}": _matched for name in "ward single complete average centroid median weighted fclusterdata".split()},
    **{f"scipy.cluster.vq.{name}": _pass for name in ("whiten", "vq")},
    **{f"scipy.linalg._decomp.{name}": _dense for name in ("eigvals", "eigvalsh", "hessenberg")},
    **{f"scipy.linalg.{name}": _dense for name in "_decomp_lu.lu _decomp_lu.lu_factor _decomp_lu.lu_solve _decomp_cholesky.cho_factor _decomp_cholesky.cho_solve _decomp_svd.svdvals _decomp_svd.null_space _decomp_svd.orth _basic.solve_triangular _basic.solve_banded _matfuncs.sqrtm _matfuncs.logm _decomp_schur.schur _decomp_polar.polar _basic.pinvh".split()},
    **{f"scipy.linalg._special_matrices.{name}": Pure(cost=cost.outer) for name in ("toeplitz", "block_diag", "circulant", "hankel")},
    **{f"scipy.sparse.linalg.{name}": Pure(cost=lambda a, k, w: 2e-3 + w * 1e-6) for name in "_dsolve.linsolve.spsolve _norm.norm _isolve.iterative.cg _isolve.iterative.gmres _isolve.iterative.bicgstab _isolve.lsqr.lsqr _isolve.lsmr.lsmr".split()},
    **dict.fromkeys(("scipy.io.wavfile.read", "scipy.io.matlab._mio.loadmat"), _file),
    "uarray._Function.__call__": _signal,  # every function of scipy.fft
    "scipy.special.*": Pure(cost=cost.broadcast),
    **{f"scipy.special._basic.{name}": _pass for name in ("polygamma", "zeta", "softplus")},
}  # fmt: skip
