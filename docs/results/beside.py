#!/usr/bin/env python3
"""GraphDA on tables of samples beside glmnet (R) and scikit-learn, where the truth is known.

    python3 beside.py GDRUN FOLDER [DRAWS [KIND ...]]

draws data of each kind, gives the same files to the three programs as a user would, and adds a line for each to
FOLDER/beside.csv: F1 of the features found, AUC (of times: Harrell's C) on 2,000 fresh samples, processor seconds and
memory. scikit-learn has no model of times. Lines that are there are not made again. beside.py --table FOLDER prints
their means. It needs R with glmnet, and Python with numpy, pandas and scikit-learn, as in Debian's packages
r-cran-glmnet, python3-pandas and python3-sklearn.
"""
import csv, os, resource, subprocess, sys, time
import numpy as np

KINDS = {  # features, samples, shift of 30 connected features, share of cases, shift of 200 features by a batch
    "1,000 features": (1000, 300, 0.4, 0.5, 0),
    "not connected": (1000, 300, 0.4, 0.5, 0),
    "batch": (1000, 300, 0.4, 0.5, 0.8),
    "5 % cases": (1000, 400, 0.7, 0.05, 0),
    "genome scale": (12000, 300, 0.5, 0.5, 0),
    "times of an event": (1000, 300, 0.25, 0.5, 0),  # Weibull; the shift is of the log hazard, half are censored
}
FRESH = 2000

GLMNET = r"""
library(glmnet); set.seed(1)
train <- read.csv("samples.csv", check.names = FALSE); fresh <- read.csv("fresh.csv", check.names = FALSE)
skip <- c("id", "status", "site", "days", "died")
design <- function(d) {
  x <- as.matrix(d[, !names(d) %in% skip]); if ("site" %in% names(train)) x <- cbind(site = d$site == "north", x); x }
x <- design(train); free <- colnames(x) %in% c("site", "age")
fit <- if ("days" %in% names(train)) {
  cv.glmnet(x, survival::Surv(train$days, train$died), family = "cox", type.measure = "C")
} else cv.glmnet(x, train$status == "ill", family = "binomial", type.measure = "auc", penalty.factor = 1 - free)
for (s in c("lambda.min", "lambda.1se")) {
  new <- design(fresh); if ("site" %in% colnames(new)) new[, "site"] <- mean(x[, "site"])
  b <- as.matrix(coef(fit, s = s))[, 1][colnames(x)]; write(colnames(x)[b != 0 & !free], paste0(s, ".found"))
  write(predict(fit, new, s = s), paste0(s, ".scores"), ncolumns = 1)
}
"""


def draw(kind, seed, folder):
    """Writes samples.csv, fresh.csv and edges.csv, and returns the names of the true features."""
    p, n, shift, cases, batch = KINDS[kind]
    rng = np.random.default_rng([seed, sorted(KINDS).index(kind)])
    if p == 1000:
        edges = [(j, j + 1) for j in range(p) if j % 25 < 24] + [(j, j + 25) for j in range(p - 25)]
    else:  # preferential attachment, 5 edges a node
        ends, edges = list(range(5)), []
        for j in range(5, p):
            for k in {ends[i] for i in rng.integers(len(ends), size=5)}:
                edges.append((k, j))
                ends += [k, j]
    near = [[] for _ in range(p)]
    for a, b in edges:
        near[a].append(b)
        near[b].append(a)
    truth = [int(rng.integers(p))]
    while len(truth) < 30:
        if kind == "not connected":
            u = int(rng.integers(p))
        else:
            u = near[truth[rng.integers(len(truth))]]
            u = u[rng.integers(len(u))]
        if u not in truth:
            truth.append(u)
    others = rng.permutation([j for j in range(p) if j not in truth])
    moved, sign = others[:200], rng.choice([-1.0, 1.0], 200)
    aged = others[200:300]

    def table(path, n, reverse):
        y = np.zeros(n, bool)
        y[rng.permutation(n)[: round(n * cases)]] = True
        x = rng.standard_normal((n, p))
        if kind == "times of an event":
            days = (rng.exponential(size=n) / np.exp(shift * x[:, truth].sum(axis=1))) ** (1 / 1.5)
            seen = 2.3 * rng.random(n)
            y = np.where(days <= seen, days, -seen)  # negative: censored
            cells = [[f"s{i}", f"{abs(v):.6f}", int(v > 0)] for i, v in enumerate(y)]
            with open(path, "w") as f:
                csv.writer(f).writerows([["id", "days", "died"] + [f"g{j}" for j in range(p)]] +
                                        [c + [f"{v:.4f}" for v in r] for c, r in zip(cells, x)])
            return y
        x[np.ix_(y, truth)] += shift
        head, rows = ["id", "status"], [[f"s{i}", "ill" if y[i] else "well"] for i in range(n)]
        if batch:
            north = rng.random(n) < np.where(y != reverse, 0.72, 0.28)
            age = 0.3 * np.where(y, 1, -1) + rng.standard_normal(n)
            x[:, moved] += np.outer(north - 0.5, sign * batch)
            x[:, aged] += 0.5 * age[:, None]
            head += ["age", "site"]
            for i in range(n):
                rows[i] += [f"{age[i]:.3f}", "north" if north[i] else "south"]
        with open(path, "w") as f:
            f.write(",".join(head + [f"g{j}" for j in range(p)]) + "\n")
            for i in range(n):
                f.write(",".join(rows[i]) + "," + ",".join(f"{v:.4f}" for v in x[i]) + "\n")
        return y

    table(f"{folder}/samples.csv", n, False)
    y = table(f"{folder}/fresh.csv", FRESH, True)
    with open(f"{folder}/edges.csv", "w") as f:
        f.write("a,b\n" + "".join(f"g{a},g{b}\n" for a, b in edges))
    return {f"g{j}" for j in truth}, y


def auc(scores, y):
    order = np.argsort(scores, kind="stable")
    values, ranks = np.asarray(scores)[order], np.empty(len(y))
    ranks[order] = np.arange(1, len(y) + 1)
    for v in np.unique(values[1:][np.diff(values) == 0]):
        tied = np.asarray(scores) == v
        ranks[tied] = ranks[tied].mean()
    k = y.sum()
    return (ranks[y].sum() - k * (k + 1) / 2) / (k * (len(y) - k))


def concordance(scores, y):
    """Harrell's C of scores of the hazard; a tie counts half."""
    time, event, scores, right, pairs = np.abs(y), y > 0, np.asarray(scores), 0.0, 0
    for i in np.flatnonzero(event):
        later = (time > time[i]) | ((time == time[i]) & ~event)
        right += (scores[i] > scores[later]).sum() + 0.5 * (scores[i] == scores[later]).sum()
        pairs += later.sum()
    return right / pairs


def run(folder, *command):
    """Runs a command in the folder; returns its processor seconds, its memory in MB and what it printed."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(["/usr/bin/time", "-f", "%M", "-o", "memory", *command], cwd=folder, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(command)}: {done.stderr}{done.stdout}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return seconds, int(open(f"{folder}/memory").read()) / 1024, done.stdout


def graphda(gdrun, folder, kind):
    covariates = ["--covariates", "age", "--batch", "site"] if KINDS[kind][4] else []
    outcome = ["--task", "survival", "--time", "days", "--event", "died"] if kind == "times of an event" else ["--label", "status", "--positive", "ill"]
    one = run(folder, gdrun, "import", "--samples", "samples.csv", "--id", "id", *outcome, "--edges", "edges.csv", "--standardise",
              "--out", "data", "--trials", "10", "--force", "-q", *covariates)
    two = run(folder, gdrun, "tune", "data", "--method", "graphda", "--out", "tuned", "--force", "-q", "-j", "1")
    three = run(folder, gdrun, "predict", "--model", "tuned/model.parquet", "--samples", "fresh.csv", "--id", "id", "--out",
                "scores.csv", "--force", "-q")
    rows = csv.DictReader(open(f"{folder}/tuned/features.csv"))
    found = {r["feature"] for r in rows if r["selected"] in ("yes", "true", "1")}
    scores = [float(r["score_ridge"]) for r in csv.DictReader(open(f"{folder}/scores.csv"))]
    told = two[2].splitlines()[0]
    yield "GraphDA (gdrun tune --method graphda)", found, scores, one[0] + two[0] + three[0], max(one[1], two[1], three[1]), told


def glmnet(gdrun, folder, kind):
    with open(f"{folder}/fit.R", "w") as f:
        f.write(GLMNET)
    seconds, memory, _ = run(folder, "Rscript", "fit.R")
    for s in ("lambda.min", "lambda.1se"):
        found = set(open(f"{folder}/{s}.found").read().split())
        yield f"glmnet, {s}", found, [float(v) for v in open(f"{folder}/{s}.scores")], seconds, memory, ""


def sklearn(gdrun, folder, kind):
    run_ = run(folder, sys.executable, os.path.abspath(__file__), "--sklearn")
    found = set(open(f"{folder}/sklearn.found").read().split())
    scores = [float(v) for v in open(f"{folder}/sklearn.scores")]
    yield "scikit-learn, LogisticRegressionCV, ℓ1", found, scores, run_[0], run_[1], ""


def fit_sklearn():
    import pandas as pd
    from sklearn.linear_model import LogisticRegressionCV
    from sklearn.preprocessing import StandardScaler
    train, fresh = pd.read_csv("samples.csv"), pd.read_csv("fresh.csv")

    def design(d):
        x = d.drop(columns=["id", "status"])
        return x.assign(site=x.site == "north").astype(float) if "site" in x else x

    x, new = design(train), design(fresh)
    if "site" in new:
        new["site"] = x["site"].mean()
    scale = StandardScaler().fit(x)
    fit = LogisticRegressionCV(penalty="l1", solver="liblinear", scoring="roc_auc", cv=10, Cs=20, max_iter=200)
    fit.fit(scale.transform(x), train.status == "ill")
    found = [c for c, b in zip(x.columns, fit.coef_[0]) if b != 0 and c not in ("age", "site")]
    open("sklearn.found", "w").write("\n".join(found))
    np.savetxt("sklearn.scores", fit.decision_function(scale.transform(new)))


def main(gdrun, folder, draws=10, *kinds):
    gdrun = os.path.abspath(gdrun)
    os.makedirs(folder, exist_ok=True)
    path = f"{folder}/beside.csv"
    done = {(r["kind"], r["draw"]) for r in csv.DictReader(open(path))} if os.path.exists(path) else set()
    for seed in range(int(draws)):
        for kind in kinds or KINDS:
            if (kind, str(seed)) in done:
                continue
            truth, y = draw(kind, seed, folder)
            lines = []
            for program in (graphda, glmnet) if kind == "times of an event" else (graphda, glmnet, sklearn):
                for name, found, scores, seconds, memory, told in program(gdrun, folder, kind):
                    hit = len(found & truth)
                    lines.append([kind, seed, name, len(found), hit, 2 * hit / max(1, len(found) + len(truth)),
                                  (concordance if kind == "times of an event" else auc)(scores, y), round(seconds, 1), round(memory), told])
            with open(path, "a") as f:
                w = csv.writer(f)
                if f.tell() == 0:
                    w.writerow("kind draw program found true f1 auc seconds megabytes told".split())
                w.writerows(lines)


def table(folder):
    rows = list(csv.DictReader(open(f"{folder}/beside.csv")))
    print("| data | draws | program | F1 | found | of them true | AUC, fresh | seconds | MB |\n|---|--:|---|--:|--:|--:|--:|--:|--:|")
    for kind in KINDS:
        for k, program in enumerate(dict.fromkeys(r["program"] for r in rows)):
            of = [r for r in rows if (r["kind"], r["program"]) == (kind, program)]
            if not of:
                continue
            v = {c: np.array([float(r[c]) for r in of]) for c in "f1 found true auc seconds megabytes".split()}
            mean = lambda c, d: f"{v[c].mean():.{d}f}" + (f" ± {v[c].std(ddof=1) / len(of) ** 0.5:.{d}f}" if c in ("f1", "auc") else "")
            print(f"| {'' if k else kind} | {'' if k else len(of)} | {program} | {mean('f1', 2)} | {mean('found', 1)} | "
                  f"{mean('true', 1)} | {mean('auc', 3)} | {np.median(v['seconds']):.1f} | {np.median(v['megabytes']):.0f} |")


if __name__ == "__main__":
    if sys.argv[1] == "--sklearn":
        fit_sklearn()
    elif sys.argv[1] == "--table":
        table(sys.argv[2])
    else:
        main(*sys.argv[1:])
