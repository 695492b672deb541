"""scikit-learn estimators, pipelines, bunches; xgboost, lightgbm and catboost models."""

from __future__ import annotations

import types
from typing import Any

from . import plain, safe, values
from .context import Context, Handler
from .model import Variable

MAX_PARAMETERS = 12
_FACTS = ("n_features_in_", "n_outputs_", "n_clusters", "n_components_", "n_iter_", "best_score_", "n_samples_fit_")


def estimator(variable: Variable, value: Any, context: Context, depth: int) -> None:
    """Any estimator: parameters that differ from their defaults, fitted or not, features in, outputs, classes."""
    held = safe.dict_of(value) or {}
    defaults = _defaults(type(value))
    changed = []
    for name, default in defaults.items():
        if name in held and not _same(held[name], default):
            changed.append((name, held[name]))
    _parameters(variable, changed, context)
    fitted = sorted(name for name in held if type(name) is str and name.endswith("_") and not name.startswith("_"))
    stateless = not fitted and safe.class_name(type(value)) in _STATELESS
    context.note(variable, "V", "fitted" if fitted else "needs no fit" if stateless else "not fitted")
    if fitted:
        _fitted(variable, held, context)
    _steps(variable, held, defaults, context, depth)


# Transformers that learn nothing: no attribute appears on fit.
_STATELESS = frozenset({"FunctionTransformer", "HashingVectorizer", "FeatureHasher"})


def _defaults(cls: type) -> dict[str, Any]:
    """Constructor parameters with defaults along the MRO (scikit-learn reads its parameters from there, too)."""
    found: dict[str, Any] = {}
    for base in type.__getattribute__(cls, "__mro__"):
        init = safe.class_dict(base).get("__init__")
        while type(init) is types.FunctionType and type(init.__dict__.get("__wrapped__")) is types.FunctionType:
            init = init.__dict__["__wrapped__"]
        if type(init) is not types.FunctionType:
            continue
        code = init.__code__
        names = code.co_varnames[: code.co_argcount]
        for name, default in zip(reversed(names), reversed(init.__defaults__ or ())):
            found.setdefault(name, default)
        for name in names[1:]:
            found.setdefault(name, safe.MISSING)
        for name in code.co_varnames[code.co_argcount : code.co_argcount + code.co_kwonlyargcount]:
            found.setdefault(name, (init.__kwdefaults__ or {}).get(name, safe.MISSING))
        if not code.co_flags & 0x08:  # without **kwargs the base's constructor adds nothing
            break
    return found


def _same(value: Any, default: Any) -> bool:
    if value is default:
        return True
    return values.is_plain(value) and type(value) is type(default) and value == default


def _parameters(variable: Variable, changed: list[tuple[str, Any]], context: Context) -> None:
    shown = [(name, value) for name, value in changed if name not in ("steps", "transformers", "estimators")][
        :MAX_PARAMETERS
    ]
    if not shown:
        return
    if context.schema_only:
        context.note(variable, "R", f"parameters set: {', '.join(name for name, _ in shown)}")
        return
    context.note(variable, "R", ", ".join(f"{name}={values.short(value)}" for name, value in shown))


def _fitted(variable: Variable, held: dict[str, Any], context: Context) -> None:
    for name in _FACTS:
        value = held.get(name)
        plain_value = values.numpy_scalar(value) if not values.is_plain(value) else value
        if type(plain_value) in (int, float):
            category = "S" if name.startswith("n_") else "V"
            context.note(variable, category, f"{name} {values.number(plain_value)}", data=category == "V")
    names = _list(held.get("feature_names_in_"))
    if names:
        context.note(variable, "R", f"feature names in: {context.names(names, 30, 'f')}")
    classes = held.get("classes_")
    found = _list(classes)
    if found is not None:
        context.note(variable, "S", f"{len(found)} classes")
        limit = 10 if sum(len(label) for label in found[:10] if type(label) is str) < 120 else 3
        shown = ", ".join(values.short(label, 20) for label in found[:limit] if type(label) is not list)
        dtype = getattr(classes, "dtype", None) if safe.top_package(type(classes)) == "numpy" else None
        context.note(
            variable,
            "V",
            f"classes {shown}{', …' if len(found) > limit else ''}" + (f" ({dtype})" if dtype is not None else ""),
            data=True,
        )
    categories = held.get("categories_")
    if type(categories) is list:
        counts = [len(_list(part) or ()) for part in categories]
        context.note(variable, "S", f"categories per feature {counts[:20]}")
    vocabulary = held.get("vocabulary_")
    if type(vocabulary) is dict:
        context.note(variable, "S", f"vocabulary of {len(vocabulary)}")
    for name in ("coef_", "components_", "cluster_centers_", "support_vectors_", "mean_", "scale_"):
        shape = getattr(held.get(name), "shape", None) if safe.top_package(type(held.get(name))) == "numpy" else None
        if shape is not None:
            context.note(variable, "S", f"{name} {tuple(shape)}")
    best = held.get("best_estimator_")
    if best is not None:
        context.note(variable, "R", f"best estimator {safe.class_name(type(best))}")


def _list(value: Any) -> list[Any] | None:
    """Up to 2,000 elements of a one-dimensional array or list of labels."""
    if type(value) is list:
        return value[:2000]
    if (
        value is not None
        and safe.top_package(type(value)) == "numpy"
        and safe.class_name(type(value)) == "ndarray"
        and value.ndim == 1
    ):
        return value[:2000].tolist()
    return None


def _steps(variable: Variable, held: dict[str, Any], defaults: dict[str, Any], context: Context, depth: int) -> None:
    """The parts of a pipeline, column transformer, union or ensemble, each described."""
    for name in ("steps", "transformers_", "transformers", "transformer_list", "estimators"):
        parts = held.get(name)
        if type(parts) is not list or not parts or depth > 1:
            continue
        members = []
        for position, part in enumerate(parts[:10]):
            if type(part) is tuple and len(part) >= 2 and type(part[0]) is str:
                members.append((context.label(part[0], position, "step"), part[1]))
                if len(part) == 3:
                    columns = _list(part[2])
                    told = (
                        context.names(columns, 12)
                        if columns is not None
                        else values.short(part[2])
                        if not context.schema_only
                        else None
                    )
                    context.note(
                        variable, "R", f"{context.label(part[0], position, 'step')} takes {told}" if told else None
                    )
        context.nested(variable, members, depth, 10)
        return
    # a forest holds a template under this name that it was not given: only meta-estimators take one
    inner = next((held.get(name) for name in ("estimator", "base_estimator") if name in defaults), None)
    if inner is not None and safe.dict_of(inner) is not None:
        context.nested(variable, [("estimator", inner)], depth)


def bunch(variable: Variable, value: Any, context: Context, depth: int) -> None:
    """A Bunch: its keys and what they hold."""
    plain.mapping(variable, value, context, depth)


def booster(variable: Variable, value: Any, context: Context, depth: int) -> None:
    """A booster of xgboost or lightgbm used without the scikit-learn interface: what its plain attributes say."""
    held = safe.dict_of(value) or {}
    for name in ("feature_names", "_Booster__num_class", "best_iteration", "best_score", "pandas_categorical"):
        member = held.get(name)
        if type(member) is list:
            context.note(variable, "R", f"{name}: {context.names(member, 20, 'f')}")
        elif type(member) in (int, float):
            context.note(variable, "V", f"{name} {member}", data=True)


def boosted(variable: Variable, value: Any, context: Context, depth: int) -> None:
    """XGBModel, LGBMModel, CatBoost: parameters, fitted or not, features."""
    held = safe.dict_of(value) or {}
    defaults = _defaults(type(value))
    skip = ("kwargs", "_other_params", "missing", "importance_type")
    changed = [
        (name, held[name])
        for name, default in defaults.items()
        if name in held and name not in skip and not _same(held[name], default)
    ]
    _parameters(variable, [(name, member) for name, member in changed if member is not None], context)
    model = held.get("_Booster", held.get("_object"))
    context.note(variable, "V", "fitted" if model is not None or held.get("fitted_") else "not fitted")
    for name, word in (
        ("_n_features", "features in"),
        ("_n_features_in", "features in"),
        ("n_classes_", "classes"),
        ("_n_classes", "classes"),
    ):
        member = values.numpy_scalar(held.get(name)) if not values.is_plain(held.get(name)) else held.get(name)
        if type(member) is int and member >= 0:
            context.note(variable, "S", f"{member} {word}")
    names = held.get("_Booster")
    features = safe.field(names, "feature_names") if names is not None else None
    if type(features) is list:
        context.note(variable, "R", f"feature names in: {context.names(features, 30, 'f')}")


def matrix(variable: Variable, value: Any, context: Context, depth: int) -> None:
    """DMatrix, lightgbm Dataset: kind only (their size lives in C)."""
    context.note(variable, "R", "data held by the library; not read")


HANDLERS: dict[str, Handler] = {
    "BaseEstimator": estimator,
    "Bunch": bunch,
}
BOOSTERS: dict[str, Handler] = {
    "XGBModel": boosted,
    "LGBMModel": boosted,
    "CatBoost": boosted,
    "Booster": booster,
    "DMatrix": matrix,
    "Dataset": matrix,
}
