"""Linear models of scikit-learn: elastic net by stochastic gradients, or l1 logistic regression by cross-validation."""
import json
import sys
import warnings

import numpy as np
import sklearn
from sklearn.linear_model import LogisticRegressionCV, SGDClassifier

warnings.simplefilter("ignore")  # of passes that end before they converge


def model(kind, seed, p):
    if kind == "elastic-net":
        return SGDClassifier(loss="log_loss", penalty="elasticnet", alpha=p["alpha"], l1_ratio=p["l1_ratio"],
                             average=bool(p.get("average", 0)), random_state=seed)
    return LogisticRegressionCV(Cs=8, cv=5, penalty="l1", solver="liblinear", random_state=seed)


def say(**answer):
    print(json.dumps(answer), flush=True)


json.loads(sys.stdin.readline())  # the hello
say(name=sys.argv[1], version="1.0", info={"numpy": np.__version__, "sklearn": sklearn.__version__})
for line in sys.stdin:
    q = json.loads(line)
    x, y = np.load(q["train_x"], mmap_mode="r"), np.load(q["train_y"])
    try:
        for n in q["checkpoints"]:
            fitted = model(sys.argv[1], q["seed"], q["parameters"]).fit(x[:n], y[:n])
            w = fitted.coef_[0]
            places = np.flatnonzero(w)
            say(cell=q["cell"], checkpoint=n, indices=places.tolist(), values=w[places].tolist(),
                intercept=float(fitted.intercept_[0]))
    except ValueError as err:  # as of samples of one class
        say(cell=q["cell"], error=str(err))
