"""SciPy: solvers that call the notebook's functions, signals, images, splines, statistics. Every case is checked, then run."""

from __future__ import annotations

import pytest
from claims import expect
from kernel import Kernel

pytest.importorskip("scipy")
pytest.importorskip("pandas")

STATE = """
import numpy as np, pandas as pd
from scipy import fft, integrate, interpolate, linalg, ndimage, optimize, signal, spatial, special, stats
from scipy.cluster import hierarchy
from scipy.optimize import curve_fit, minimize
df = pd.DataFrame({'x': [1.0, 2.0, 3.0, 4.0], 'y': [2.0, 4.1, 6.2, 7.9]})
A = np.arange(12.0).reshape(4, 3)
b = np.ones(4)
wave = np.sin(np.linspace(0, 20, 200))
image = np.arange(25.0).reshape(5, 5)
seen = []
def loss(w): return ((A @ w - b) ** 2).sum()
def traced(w):
    seen.append(len(w))
    return float((w ** 2).sum())
def line(x, a, c): return a * x + c
def decay(t, y, rate): return -rate * y
def cached_rate(t, y): return -rates['k'] * y
"""
# (cell, exception that it ends with; None: it runs)
SOLVERS = [
    ("minimize(loss, np.zeros(4))", "ValueError"),
    ("minimize(loss, np.zeros(3)).x.shape", None),
    ("minimize(loss, np.zeros(3), method='Neldermead')", "ValueError"),
    ("minimize(lambda w: w, [0.0, 0.0])", "ValueError"),
    ("minimize(lambda w: missing_name + w.sum(), [0.0])", "NameError"),
    ("minimize(loss, np.zeros(3), bounds=[(0, 1)] * 2)", "ValueError"),
    ("minimize(loss, np.zeros(3), bounds=[(0, 1)] * 3, method='L-BFGS-B')", None),
    ("r = minimize(loss, np.zeros(3))\nr.x_best", "AttributeError"),
    ("r = minimize(traced, [1.0, 2.0])\nassert seen[0] == 2\nseen[10 ** 6]", "IndexError"),
    ("curve_fit(line, df.x, df.y, p0=[1.0])", "TypeError"),
    ("curve_fit(line, df.x, df.y[:2])", "ValueError"),
    ("curve_fit(lambda x, a: a * df['z'], df.x, df.y)", "KeyError"),
    ("(a, c), cov = curve_fit(line, df.x, df.y)\nassert cov.shape == (2, 2)", None),
    ("a, c, d = curve_fit(line, df.x, df.y)[0]", "ValueError"),
    ("optimize.brentq(lambda x: x * x + 1, -1, 1)", "ValueError"),
    ("assert abs(optimize.brentq(lambda x: x * x - 2, 0, 2) - 2 ** 0.5) < 1e-6", None),
    ("optimize.newton(lambda x: x ** 2 + 1, 1.0)", "RuntimeError"),
    ("optimize.fsolve(lambda v: [v[0], v[1], 0], [1.0, 2.0])", "TypeError"),
    ("optimize.root(lambda v: [v[0] - 1, v[1]], [1.0, 2.0]).x.reshape(3)", "ValueError"),
    ("optimize.linprog([1, 2], A_ub=[[1, 2, 3]], b_ub=[1])", "ValueError"),
    ("optimize.linear_sum_assignment(np.ones(3))", "ValueError"),
    ("optimize.nnls(A, np.ones(3))", "ValueError"),
    ("integrate.quad(lambda t: t / 'a', 0, 1)", "TypeError"),
    ("integrate.quad(lambda t: 1 / (t - t), 0, 1)", "ZeroDivisionError"),
    ("area, error = integrate.quad(lambda t: t ** 2, 0, 1)\nassert abs(area - 1 / 3) < 1e-9", None),
    ("integrate.solve_ivp(cached_rate, (0, 1), [1.0])", "NameError"),
    ("integrate.solve_ivp(decay, (0, 1), [1.0])", "TypeError"),
    ("integrate.solve_ivp(decay, (0, 1), [1.0], args=(0.5,)).y.shape", None),
    ("integrate.odeint(lambda y, t: [y[0], 1.0], [1.0], np.linspace(0, 1, 5))", "RuntimeError"),
    ("integrate.cumulative_trapezoid([1, 2, 3], x=[1, 2])", "ValueError"),
]  # fmt: skip
NUMBERS = [
    ("signal.butter(4, 1.5)", "ValueError"),
    ("signal.filtfilt(*signal.butter(3, 0.2), wave[:5])", "ValueError"),
    ("signal.filtfilt(*signal.butter(3, 0.2), wave).shape", None),
    ("signal.convolve(wave, image)", "ValueError"),
    ("signal.fftconvolve(wave, image)", "ValueError"),
    ("f, t, z = signal.spectrogram(wave, fs=10, nperseg=64)\nz.reshape(7, 7, 7)", "ValueError"),
    ("signal.savgol_filter(wave, 4, 9)", "ValueError"),
    ("signal.get_window('hamburg', 10)", "ValueError"),
    ("fft.fft(['a'])", "ValueError"),
    ("fft.ifft(wave, n=0)", "ValueError"),
    ("assert fft.rfft(wave).shape == (101,)", None),
    ("ndimage.convolve(image, np.ones(3))", "RuntimeError"),
    ("ndimage.gaussian_filter1d(image, -1)", "ValueError"),
    ("labels, count = ndimage.label(image > 3)\nlabels[count + 99]", "IndexError"),
    ("out = np.zeros((5, 5))\nndimage.uniform_filter(image, 3, out)\nassert out.sum() > 0", None),
    ("interpolate.interp1d([1, 2], [1, 2])(3)", "ValueError"),
    ("interpolate.CubicSpline([1, 1, 2], [1, 2, 3])", "ValueError"),
    ("interpolate.UnivariateSpline([1, 2, 3], [1, 2, 3])", "error"),
    ("interpolate.NearestNDInterpolator(image[:, :2], np.ones(4))", "ValueError"),
    ("interpolate.RegularGridInterpolator((np.arange(5), np.arange(5)), image)([9, 9])", "ValueError"),
    ("interpolate.splev(2.5, interpolate.splrep(df.x, df.y)).shape", None),
    ("linalg.solve(np.zeros((2, 2)), [1, 2])", "LinAlgError"),
    ("linalg.lu_factor(A)", None),
    ("linalg.cho_factor(np.array([[1.0, 2.0], [2.0, 1.0]]))", "LinAlgError"),
    ("linalg.solve_triangular(A, b)", "ValueError"),
    ("spatial.KDTree(A).query(np.ones(2))", "ValueError"),
    ("special.expit('a')", "TypeError"),
    ("assert special.expit(0.0) == 0.5\nspecial.xlogy(A, b)", "ValueError"),
    ("hierarchy.fcluster(hierarchy.ward(A), 2, criterion='distances')", "ValueError"),
    ("hierarchy.ward(np.ones(5))", "ValueError"),
]  # fmt: skip
STATISTICS = [
    ("stats.norm(0, 1, 2, 3)", "TypeError"),
    ("d = stats.norm(loc=1)\nassert 0.8 < d.cdf(2) < 0.9\nd.probability(2)", "AttributeError"),
    ("stats.norm.fit(['a'])", "TypeError"),
    ("stats.expon.fit([1.0, -3.0], floc=0)", "FitDataError"),
    ("stats.norm.rvs(size=3).reshape(2, 2)", "ValueError"),
    ("stats.gaussian_kde([1.0])", "ValueError"),
    ("stats.gaussian_kde(df.x)(df.y).shape", None),
    ("stats.friedmanchisquare([1, 2], [2, 3])", "ValueError"),
    ("stats.binned_statistic(df.x, df.y, statistic='average')", "ValueError"),
    ("stats.binned_statistic(df.x, df.y, statistic=lambda v: v['a'])", "IndexError"),
    ("stats.binned_statistic(df.x, df.y, statistic=lambda v: len(v), bins=2).statistic.tolist() == [2, 2]", None),
    ("stats.kstest(df.x, 'normall')", "AttributeError"),
    ("stats.multivariate_normal([0, 0], [[1, 0], [0, -1]]).pdf([0, 0])", "ValueError"),
    ("stats.ttest_rel([1, 2], [1, 2, 3])", "ValueError"),
]  # fmt: skip


@pytest.fixture(scope="module")
def kernel() -> Kernel:
    made = Kernel()
    made.setup(STATE)
    return made


@pytest.mark.parametrize(("cell", "exception"), SOLVERS + NUMBERS + STATISTICS, ids=lambda value: str(value)[:60])
def test_scipy(kernel: Kernel, cell: str, exception: str | None) -> None:
    expect(kernel, cell, exception)


def test_a_function_called_too_often_is_given_up(kernel: Kernel) -> None:
    """A solver that would take longer than a check may leaves its result unknown; nothing after it is claimed."""
    cell = "r = integrate.quad(lambda t: sum(i * t for i in range(3_000)), 0, 1)\nassert r[0] < 0"
    report = kernel.check(cell)
    assert report.finding is None
    assert report.seconds < 1.6
