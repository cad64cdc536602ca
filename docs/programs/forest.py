"""A random forest of scikit-learn: it has no weights, and answers scores of the validation and test samples."""
import json
import sys

import numpy as np
import sklearn
from sklearn.ensemble import RandomForestClassifier


def say(**answer):
    print(json.dumps(answer), flush=True)


json.loads(sys.stdin.readline())  # the hello
say(name="forest", version="1.0", info={"numpy": np.__version__, "sklearn": sklearn.__version__})
for line in sys.stdin:
    q = json.loads(line)
    x, y = np.load(q["train_x"], mmap_mode="r"), np.load(q["train_y"])
    splits = {"valid": np.load(q["valid_x"], mmap_mode="r"), "test": np.load(q["test_x"], mmap_mode="r")}
    for n in q["checkpoints"]:
        forest = RandomForestClassifier(n_estimators=q["parameters"]["trees"], random_state=q["seed"],
                                        max_features=q["parameters"]["features"]).fit(x[:n], y[:n])
        up = list(forest.classes_).index(1)  # a sample with half of the trees' votes scores 0
        say(cell=q["cell"], checkpoint=n,
            scores={name: (forest.predict_proba(s)[:, up] - 0.5).tolist() for name, s in splits.items()})
