"""Online logistic regression with NumPy alone: stochastic gradient steps alpha/sqrt(t), one pass over the samples."""
import json
import sys

import numpy as np


def say(**answer):
    print(json.dumps(answer), flush=True)


json.loads(sys.stdin.readline())  # the hello
say(name="online-logistic", version="1.0", info={"numpy": np.__version__})
for line in sys.stdin:
    q = json.loads(line)
    x = np.load(q["train_x"], mmap_mode="r")
    y = np.load(q["train_y"])
    valid, test = np.load(q["valid_x"], mmap_mode="r"), np.load(q["test_x"], mmap_mode="r")
    w, b, done = np.zeros(x.shape[1]), 0.0, 0
    for checkpoint in q["checkpoints"]:
        online = []
        for t in range(done, checkpoint):
            z = float(x[t] @ w + b)
            online.append(z)
            step = q["parameters"]["alpha"] / np.sqrt(t + 1) * y[t] / (1 + np.exp(min(y[t] * z, 500)))
            w += step * x[t]
            b += step
        done = checkpoint
        say(cell=q["cell"], checkpoint=checkpoint, weights=w.tolist(), intercept=float(b), online_scores=online,
            scores={"valid": (valid @ w + b).tolist(), "test": (test @ w + b).tolist()})
