"""Writes test/fixtures/metric-vectors.json: what the published Vendi and PRDC packages say of small seeded vectors.

    python -m venv /tmp/reference && /tmp/reference/bin/pip install vendi-score prdc scikit-learn numpy
    /tmp/reference/bin/python scripts/reference-vectors.py

Rerunning with the recorded versions gives the same file; tests hold src/metrics to it within 1e-6.
"""

import contextlib
import importlib.metadata
import io
import json
import pathlib

import numpy as np
from prdc import compute_prdc
from vendi_score import vendi

PACKAGES = ["numpy", "prdc", "scikit-learn", "vendi-score"]


def rounded(matrix):
    # Six decimals keep the file readable; figures are computed from the rounded vectors.
    return np.round(matrix, 6)


def vendi_case(name, vectors):
    # score_X takes a q and ignores it, so only order 1 can be compared.
    return {
        "name": name,
        "columns": int(vectors.shape[1]),
        "vectors": vectors.ravel().tolist(),
        "vendi": float(vendi.score_X(vectors, q=1, normalize=True)),
        "vendiDual": float(vendi.score_dual(vectors, q=1, normalize=True)),
    }


def prdc_case(name, real, fake, k):
    with contextlib.redirect_stdout(io.StringIO()):  # It prints the sizes.
        scores = compute_prdc(real_features=real, fake_features=fake, nearest_k=k)
    return {
        "name": name,
        "columns": int(real.shape[1]),
        "k": k,
        "reference": real.ravel().tolist(),
        "data": fake.ravel().tolist(),
        "coverage": float(scores["coverage"]),
    }


def main():
    random = np.random.default_rng(20260817)
    normal = lambda rows, columns: rounded(random.standard_normal((rows, columns)))
    narrow = rounded(0.3 * random.standard_normal((40, 6)) + 1.0)
    with_twins = normal(12, 4)
    with_twins[6:] = with_twins[:6]
    people = normal(60, 5)
    cases = {
        "packages": {name: importlib.metadata.version(name) for name in PACKAGES},
        "vendi": [
            vendi_case("more rows than columns", normal(50, 8)),
            vendi_case("fewer rows than columns", normal(7, 20)),
            vendi_case("one cluster", narrow),
            vendi_case("every row twice", with_twins),
            vendi_case("orthogonal rows", np.eye(6)),
        ],
        "prdc": [
            prdc_case("one law", people, normal(60, 5), 5),
            prdc_case("narrow data", people, rounded(0.4 * random.standard_normal((60, 5))), 5),
            prdc_case("data far away", people, rounded(random.standard_normal((40, 5)) + 2.0), 3),
            prdc_case("fewer data rows", people, normal(15, 5), 5),
            prdc_case("the reference itself", people, people, 1),
        ],
    }
    target = pathlib.Path(__file__).resolve().parent.parent / "test" / "fixtures" / "metric-vectors.json"
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(json.dumps(cases, separators=(",", ":")) + "\n")
    print(target.name, {case["name"]: round(case.get("vendi", case.get("coverage")), 4) for key in ("vendi", "prdc") for case in cases[key]})


if __name__ == "__main__":
    main()
