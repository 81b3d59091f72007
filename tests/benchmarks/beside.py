"""Tools beside the direct call of the library under them, on a long table: part of ``make bench``.

Reading the columns and writing the result are told apart: a direct call on arrays has neither.
"""

from __future__ import annotations

import contextlib
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import duckdb
import numpy as np
import pandas as pd

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from toolbench import Bench

NAMES = [f"{element}_ppm" for element in ("Cu", "Zn", "Pb", "Ni", "Co", "As", "Sb", "Mo")]
K, SEED = 4, 42
Work = Callable[[], object]


def _timed(work: Work) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def beside(folder: Path, rows: int) -> Iterator[tuple[str, str]]:
    """Yield a line for each tool: ours, of which reading, the direct call, and their ratio."""
    place = folder / "beside"
    (place / "data").mkdir(parents=True)
    frame = _table(rows)
    frame.to_parquet(place / "data" / "long.parquet")
    with contextlib.closing(Bench(place / "data", place / "results")) as bench:
        first = _timed(lambda: bench.context.table("long.parquet"))
        yield f"tools on {rows:,} × 10, first opening", f"{first:.2f} s"
        table = bench.context.table("long.parquet")
        for what, tool, options, columns, direct in _pairs(frame, place):
            reading = _timed(lambda c=columns: bench.context.connection.frame(table, c))  # type: ignore[misc]
            ours = min(_timed(lambda t=tool, o=options: _called(bench, t, o))  # type: ignore[misc]
                       for _ in range(2))  # fmt: skip
            theirs = min(_timed(direct) for _ in range(2))
            ratio = max(ours - reading, 0.0) / theirs
            parts = f"{ours:.2f} s, of it reading {reading:.2f} s; direct {theirs:.2f} s"
            yield f"  {what}", f"{parts}; beyond reading {ratio:.2f} ×"
    shutil.rmtree(place)


def _table(rows: int) -> pd.DataFrame:
    draw = np.random.default_rng(SEED)
    centres = draw.normal(3, 1, (K, len(NAMES)))
    logs = centres[draw.integers(0, K, rows)] + draw.normal(0, 0.4, (rows, len(NAMES)))
    frame = pd.DataFrame(np.exp(logs), columns=NAMES)
    frame.insert(0, "Northing", draw.uniform(0, 50_000, rows).round(1))
    frame.insert(0, "Easting", draw.uniform(0, 50_000, rows).round(1))
    return frame


def _pairs(
    frame: pd.DataFrame, place: Path
) -> Iterator[tuple[str, str, dict[str, object], list[str], Work]]:
    """Yield what is compared: a tool with its options and columns, and the direct call."""
    from scipy.stats import rankdata
    from sklearn.cluster import KMeans
    from sklearn.decomposition import PCA
    from sklearn.preprocessing import StandardScaler

    group_sql = (
        "SELECT round(Easting / 1000) AS x, count(*) AS n, median(Cu_ppm) AS m FROM long GROUP BY x"
    )
    values = frame[NAMES].to_numpy()
    out = place / "direct.csv"

    def grouped() -> None:
        scaled = StandardScaler().fit_transform(np.log10(values))
        labels = KMeans(K, n_init=10, random_state=SEED).fit(scaled).labels_
        frame.assign(cluster=labels).to_csv(out, index=False)

    def components() -> None:
        logs = np.log(values)
        scores = PCA(2).fit_transform(logs - logs.mean(axis=1, keepdims=True))
        frame.assign(pc1=scores[:, 0], pc2=scores[:, 1]).to_csv(out, index=False)

    def ranks() -> None:
        np.corrcoef(np.column_stack([rankdata(values[:, at]) for at in range(len(NAMES))]).T)

    def high() -> None:
        # As ours: the flagged rows, highest first, and the score of every row.
        logs = np.log10(frame["Cu_ppm"])
        middle = logs.median()
        spread = (logs - middle).abs().median() * 1.4826
        told = frame[["Easting", "Northing", "Cu_ppm"]].assign(
            score=(logs - middle) / spread, threshold=10 ** (middle + 2 * spread)
        )
        told["anomalous"] = told["score"] > 2
        told[told["anomalous"]].sort_values("Cu_ppm", ascending=False).to_csv(out, index=False)
        told.to_csv(out, index=False)

    def query() -> None:
        con = duckdb.connect()
        sql = group_sql.replace("FROM long", "FROM read_parquet(?)")
        con.execute(
            f"COPY ({sql.replace('?', repr(str(place / 'data' / 'long.parquet')))}) TO '{out}'"
        )

    def drawn() -> None:
        # As ours: as many points, in classes by percentiles of all rows.
        import plotly.express as px

        ends = frame["Cu_ppm"].quantile([0.5, 0.75, 0.9, 0.95, 0.98])
        few = frame.sample(50_000, random_state=SEED)
        classes = np.searchsorted(ends, few["Cu_ppm"]).astype(str)
        px.scatter(few, x="Easting", y="Northing", color=classes).write_html(out)

    yield "k-means", "cluster", {"columns": NAMES, "k": K}, NAMES, grouped
    yield "principal components", "pca", {"columns": NAMES}, NAMES, components
    yield "rank correlations", "correlate", {"columns": NAMES}, NAMES, ranks
    yield "anomalies", "anomaly", {"column": "Cu_ppm", "method": "mad"}, ["Cu_ppm"], high
    yield "map", "plot_map", {"color": "Cu_ppm"}, ["Easting", "Northing", "Cu_ppm"], drawn
    yield "query", "sql", {"query": group_sql, "paths": ["long.parquet"]}, [], query


def _called(bench: Bench, tool: str, options: dict[str, object]) -> None:
    path = {} if tool == "sql" else {"path": "long.parquet"}
    bench.call(tool, **path, **options)
