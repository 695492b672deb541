"""Allow-list: SciPy."""

from __future__ import annotations

from ..registry import Pure
from . import data_costs as cost

_pass = Pure(cost=cost.passes(20))
_square = Pure(cost=cost.cubed)
_test = Pure(cost=lambda args, kwargs, weight: 2e-3 + weight * 6e-8)

_TESTS = """ttest_ind ttest_rel ttest_1samp pearsonr spearmanr kendalltau linregress chi2_contingency chisquare f_oneway kruskal mannwhitneyu
shapiro normaltest skew kurtosis zscore mode sem iqr gmean hmean describe levene bartlett wilcoxon ks_2samp anderson boxcox probplot rankdata trim_mean
friedmanchisquare ranksums fisher_exact median_abs_deviation tmean tstd tvar tmin tmax tsem trim1 trimboth sigmaclip zmap gzscore circmean circstd circvar theilslopes
siegelslopes power_divergence kstest ks_1samp ansari mood fligner yeojohnson median_test ttest_ind_from_stats weightedtau energy_distance wasserstein_distance gstd pmean expectile
binned_statistic binned_statistic_2d binned_statistic_dd binomtest tukey_hsd alexandergovern brunnermunzel cramervonmises cramervonmises_2samp combine_pvalues boxcox_llf bayes_mvs differential_entropy
entropy pointbiserialr jarque_bera skewtest kurtosistest moment variation cumfreq relfreq percentileofscore scoreatpercentile""".split()
_PLACES = "stats _stats_py _stats_mstats_common _hypotests _morestats contingency _mannwhitneyu _entropy _correlation _binned_statistic _binomtest _variation".split()

PURE: dict[str, Pure | None] = {
    **{f"scipy.stats.{place}.{name}": _test for place in _PLACES for name in _TESTS},
    **{f"scipy.stats.{name}": _test for name in _TESTS},
    **{f"scipy.stats._distn_infrastructure.{kind}.{name}": _pass for kind in ("rv_continuous", "rv_discrete", "rv_generic") for name in "pdf cdf ppf sf isf pmf logpdf logcdf logpmf mean std var median interval stats entropy".split()},
    **{f"scipy.stats._distn_infrastructure.{kind}.{name}": _pass for kind in ("rv_frozen", "rv_continuous_frozen", "rv_discrete_frozen") for name in "pdf cdf ppf sf isf pmf logpdf logcdf logpmf mean std var median interval stats entropy".split()},
    **{f"scipy.stats._distn_infrastructure.{kind}.rvs": Pure(random="numpy", cost=cost.numbers) for kind in ("rv_continuous", "rv_discrete", "rv_generic", "rv_frozen")},
    **{f"scipy.stats._multivariate.multivariate_normal_gen.{name}": _pass for name in ("__call__", "pdf", "logpdf", "cdf")},
    **{f"scipy.stats._multivariate.multivariate_normal_frozen.{name}": _pass for name in ("pdf", "logpdf", "cdf")},
    "scipy.stats._distn_infrastructure.rv_generic.__call__": _pass,
    "scipy.stats._distn_infrastructure.rv_continuous.fit": Pure(cost=lambda args, kwargs, weight: 3e-3 + weight * 3e-6),
    **{f"scipy.stats._continuous_distns.{name}_gen.fit": _pass for name in "norm expon uniform lognorm gamma beta pareto weibull_min rayleigh laplace logistic".split()},
    **{f"scipy.stats._kde.gaussian_kde{name}": Pure(cost=cost.outer) for name in ("", ".__call__", ".evaluate", ".pdf", ".logpdf")},
    **{f"scipy.linalg.{place}{name}": _square for place in ("", "_basic.", "_decomp.", "_decomp_svd.", "_decomp_cholesky.", "_decomp_qr.", "_matfuncs.", "_misc.") for name in "inv det solve lstsq pinv eig eigh svd cholesky qr expm norm lu".split()},
    **{f"scipy.spatial.distance.{name}": Pure(cost=cost.outer) for name in ("cdist", "pdist")},
    **{f"scipy.spatial.distance.{name}": _pass for name in "euclidean cosine cityblock minkowski hamming jaccard correlation chebyshev braycurtis canberra squareform".split()},
    **{f"scipy.special.{name}": Pure(cost=cost.broadcast) for name in "expit logit gamma beta erf erfc factorial comb softmax logsumexp gammaln".split()},
    **{f"scipy.special.{place}.{name}": _pass for place in ("_basic", "_logsumexp") for name in ("factorial", "comb", "perm", "softmax", "logsumexp", "log_softmax")},
    **{f"scipy.sparse.{place}.{name}": _pass for place in ("_csr", "_csc", "_coo", "_lil", "_construct") for name in "csr_matrix csc_matrix coo_matrix csr_array csc_array coo_array eye identity hstack vstack diags".split()},
    **{f"scipy.sparse.{place}.{name}": _pass for place in ("_base._spbase", "_base.spmatrix", "_csr._csr_base", "_csc._csc_base", "_coo._coo_base", "_compressed._cs_matrix", "_data._data_matrix", "_matrix.spmatrix") for name in "sum mean getnnz count_nonzero get_shape transpose tocsr tocsc tocoo getrow getcol diagonal multiply dot copy astype max min getformat __len__".split()},
    **{f"scipy.sparse.{place}.{name}": Pure(cost=lambda a, k, w: 2e-5 + 8e-9 * cost.size(a[0]) if cost.size(a[0]) < 20_000_000 else cost.INFINITE) for place in ("_base._spbase", "_base.spmatrix", "_csr._csr_base", "_compressed._cs_matrix", "_csc._csc_base", "_coo._coo_base", "_matrix.spmatrix") for name in ("toarray", "todense")},
    "scipy.ndimage._filters.gaussian_filter": _pass,
    "scipy.ndimage._interpolation.zoom": None,
    "scipy.interpolate._interpolate.interp1d": Pure(cost=cost.passes(10)),
    "scipy.signal._savitzky_golay.savgol_filter": _pass,
    "scipy.signal._peak_finding.find_peaks": _pass,
    "scipy.cluster.hierarchy.linkage": Pure(cost=lambda a, k, w: 1e-3 + 3e-8 * cost.rows(a[0]) ** 2 * max(1, cost.size(a[0]) // max(1, cost.rows(a[0]))) if a else 1e-3),
    **{f"scipy.interpolate.{name}.__call__": Pure(cost=cost.passes(60)) for name in ("_polyint._Interpolator1D", "_interpolate._PPolyBase")},
    **{f"scipy.interpolate._cubic.{name}": Pure(cost=cost.passes(60)) for name in ("CubicSpline", "PchipInterpolator", "Akima1DInterpolator")},
    **{f"scipy.signal._filter_design.{name}": Pure(cost=lambda args, kwargs, weight: 2e-3) for name in ("butter", "firwin")},
    **{f"scipy.signal._signaltools.{name}": Pure(cost=cost.passes(80)) for name in ("filtfilt", "lfilter", "sosfilt", "detrend", "hilbert")},
    "scipy.signal._spectral_py.welch": Pure(cost=cost.passes(80)),
    "scipy.spatial._kdtree.distance_matrix": Pure(cost=cost.outer),
    "scipy.integrate._quadrature.trapezoid": _pass,
    "scipy.integrate._quadrature.simpson": _pass,
}  # fmt: skip
