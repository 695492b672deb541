"""Allow-list: smaller libraries (statsmodels, the constructors of xgboost and lightgbm)."""

from __future__ import annotations

from typing import Any

from ..registry import Pure
from . import data_costs as cost


def _model_cost(args: list[Any], kwargs: dict[str, Any], weight: int) -> float:
    """Checks of the data and one decomposition of the design matrix."""
    design = next((a for a in args[1:] if len(getattr(a, "shape", ())) == 2), None)
    width = design.shape[1] if design is not None else 1
    return 3e-3 + weight * 4e-8 + cost.rows(design) * width * width * 2e-8


_model = Pure(cost=_model_cost, callbacks=False)
_test = Pure(cost=lambda args, kwargs, weight: 5e-3 + weight * 2e-7, callbacks=False)
_search = Pure(  # fits one regression for each lag
    when=lambda args, kwargs: sum(map(cost.rows, args)) <= 2_000,
    cost=lambda args, kwargs, weight: 2e-2 + sum(map(cost.rows, args)) ** 1.5 * 2e-6,
    callbacks=False,
)
_make = Pure(cost=lambda args, kwargs, weight: 2e-4, callbacks=True)

_MODELS = (
    "regression.linear_model.OLS", "regression.linear_model.WLS", "regression.linear_model.GLS", "discrete.discrete_model.Logit",
    "discrete.discrete_model.Probit", "discrete.discrete_model.Poisson", "discrete.discrete_model.MNLogit",
    "discrete.discrete_model.NegativeBinomial", "genmod.generalized_linear_model.GLM", "robust.robust_linear_model.RLM",
    "regression.quantile_regression.QuantReg",
)  # fmt: skip
_TESTS = (
    "tsa.stattools.acf", "tsa.stattools.pacf", "tsa.stattools.ccf", "tsa.seasonal.seasonal_decompose", "stats.stattools.durbin_watson",
    "stats.stattools.jarque_bera", "stats.proportion.proportions_ztest", "stats.proportion.proportion_confint", "stats.weightstats.ztest",
    "stats.weightstats.ttest_ind", "stats.multitest.multipletests", "stats.outliers_influence.variance_inflation_factor",
    "stats.diagnostic.acorr_ljungbox", "tools.tools.add_constant", "stats.multicomp.pairwise_tukeyhsd",
)  # fmt: skip
_BOOSTED = "Classifier Regressor Ranker RFClassifier RFRegressor Model".split()

PURE: dict[str, Pure | None] = {
    **{f"statsmodels.{name}": _model for name in _MODELS},
    **{f"statsmodels.{name}": _test for name in _TESTS},
    **{f"statsmodels.tsa.stattools._stattools.{name}": _test for name in ("acf", "pacf", "ccf")},
    "statsmodels.tsa.seasonal._seasonal.seasonal_decompose": _test,
    **{f"statsmodels.tsa.stattools.{place}{name}": _search for place in ("", "_stattools.") for name in ("adfuller", "kpss", "coint")},
    "xgboost.core.DMatrix": Pure(when=lambda args, kwargs: sum(map(cost.size, [*args, *kwargs.values()])) <= 200_000, cost=lambda args, kwargs, weight: 1e-2 + weight * 1e-7, callbacks=False),
    **{f"statsmodels.genmod.families.family.{name}": _make for name in "Binomial Poisson Gaussian Gamma NegativeBinomial Tweedie".split()},
    **{f"xgboost.sklearn.XGB{name}": _make for name in _BOOSTED},
    **{f"lightgbm.sklearn.LGBM{name}": _make for name in _BOOSTED},
}  # fmt: skip
