"""scikit-learn, scipy, PIL."""

import pytest

np = pytest.importorskip("numpy")
sklearn = pytest.importorskip("sklearn")

from sklearn.compose import ColumnTransformer  # noqa: E402
from sklearn.datasets import load_iris  # noqa: E402
from sklearn.linear_model import LogisticRegression  # noqa: E402
from sklearn.model_selection import GridSearchCV  # noqa: E402
from sklearn.pipeline import make_pipeline  # noqa: E402
from sklearn.preprocessing import OneHotEncoder, StandardScaler  # noqa: E402


def test_parameters_and_fitted_state(line):
    model = LogisticRegression(C=0.5, solver="liblinear")
    assert line(model) == "x: LogisticRegression; C=0.5, solver='liblinear'; not fitted"
    model.fit(np.array([[0.0, 1.0], [1.0, 0.0], [2.0, 1.0], [3.0, 3.0]]), np.array(["no", "yes", "no", "yes"]))
    told = line(model)
    assert (
        "; fitted; " in told
        and "n_features_in_ 2" in told
        and "2 classes; classes 'no', 'yes'" in told
        and "coef_ (1, 2)" in told
    )


def test_feature_names(summary):
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"a": [1.0, 2.0, 3.0], "b": [3.0, 4.0, 5.0], "c": [1.0, 1.0, 2.0]})
    scaler = StandardScaler().fit(frame)
    told = summary("scaler.transform(df)", scaler=scaler, df=frame.drop(columns="b")).to_text()
    assert "feature names in: a, b, c" in told
    assert "compared with those scaler was fitted with: lacks b" in told


def test_pipelines_and_search(line):
    told = line(make_pipeline(StandardScaler(), LogisticRegression()))
    assert "standardscaler: StandardScaler; not fitted" in told and "logisticregression: LogisticRegression" in told
    told = line(ColumnTransformer([("text", OneHotEncoder(), ["city", "job"])]))
    assert "text takes city, job" in told and "OneHotEncoder" in told
    assert "estimator: LogisticRegression" in line(GridSearchCV(LogisticRegression(), {"C": [1]}))


def test_bunch(line):
    told = line(load_iris())
    assert "['data']: ndarray (150, 4) float64" in told and "['target']: ndarray (150,)" in told


def test_scipy_sparse(line):
    sparse = pytest.importorskip("scipy.sparse")
    told = line(sparse.csr_matrix(np.eye(40)))
    assert "(40, 40)" in told and "float64" in told and "sparse csr" in told and "40 stored" in told


def test_image(line):
    image = pytest.importorskip("PIL.Image")
    assert "32×16 (width×height)" in line(image.new("L", (32, 16))) and "mode L" in line(image.new("L", (32, 16)))


def test_boosters(line):
    xgboost = pytest.importorskip("xgboost")
    model = xgboost.XGBClassifier(n_estimators=3)
    assert "not fitted" in line(model) and "n_estimators=3" in line(model)
    model.fit(np.random.RandomState(0).rand(20, 3), [0, 1] * 10)
    assert "; fitted" in line(model)


def test_lightgbm(line):
    lightgbm = pytest.importorskip("lightgbm")
    model = lightgbm.LGBMClassifier(n_estimators=3, verbose=-1)
    assert "not fitted" in line(model)
    model.fit(np.random.RandomState(0).rand(40, 3), [0, 1] * 20)
    told = line(model)
    assert "; fitted" in told and "3 features in" in told


def test_polars(summary):
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame({"a": [1, None], "b": ["x", "y"]})
    told = summary("df.select('zz'); df['nope']; lazy; s", df=frame, lazy=frame.lazy(), s=frame["a"]).to_text()
    assert "df: DataFrame (2, 2)" in told and "a: Int64, null 1" in told and "no column 'nope'" in told
    assert "lazy: LazyFrame; lazy; not computed" in told and "null 1" in told
