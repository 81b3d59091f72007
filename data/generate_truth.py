"""What was planted, as one JSON document for tests and worked examples.

Invariant: every entry comes from the arrays that the files were written from; no file is read.
"""

from collections import Counter

import numpy as np
from generate_certificate import (
    BATCH,
    CARRY_OVER,
    JOB,
    SHEETS,
    STANDARDS,
    Line,
    header,
    preamble,
)
from generate_groups import adjusted_rand, kmeans, standardised
from generate_holes import ZONE_HALF_WIDTH, Hole
from generate_lab import HOLE, SURFACE, Bools, Floats, Reported
from generate_log import CURVES, NULL, STEP, Log
from generate_surface import GRID, POPULATIONS, ROCKS, Survey

FEATURES = ("Au", "As", "Cu", "Sb")
PAIRS = (("As", "Sb"), ("As", "Au"), ("Sb", "Au"), ("Ni", "Cr"), ("Ni", "MgO"), ("K2O", "Ba"))


def survey_truth(survey: Survey, rng: np.random.Generator) -> dict[str, object]:
    """State populations, anomaly, columns, groups and correlations of the surface survey."""
    names = [POPULATIONS[code] for code in survey.population.tolist()]
    planted = zip(names, survey.lithology, strict=True)
    agree = sum(ROCKS[rock] == name for name, rock in planted)
    return {
        "grid": GRID,
        "columns": {column.analyte.column: column.counts() for column in survey.columns},
        "populations": {name: names.count(name) for name in POPULATIONS},
        "population_of_sample": dict(zip(survey.ids, names, strict=True)),
        "population_medians": _population_medians(survey),
        "lithology": {
            "population_of_rock": ROCKS,
            "counts": dict(sorted(Counter(survey.lithology).items())),
            "agreement": round(agree / len(names), 4),
        },
        "anomaly": _anomaly(survey),
        "groups": _groups(survey, rng),
        "pearson_log10": {f"{a}-{b}": _pearson(survey, a, b) for a, b in PAIRS},
    }


def _population_medians(survey: Survey) -> dict[str, dict[str, float]]:
    """Take medians with half the limit below it, so that no population loses its low end."""
    return {
        name: {
            column.analyte.column: round(
                float(np.nanmedian(column.half_limit()[survey.population == code])), 6
            )
            for column in survey.columns
        }
        for code, name in enumerate(POPULATIONS)
    }


def _anomaly(survey: Survey) -> dict[str, object]:
    east, north = survey.easting[survey.anomaly], survey.northing[survey.anomaly]
    centre = (float(east.mean()), float(north.mean()))
    radius = np.hypot(east - centre[0], north - centre[1]).max()
    return {
        "samples": [survey.ids[i] for i in np.flatnonzero(survey.anomaly)],
        "elements": ["Au_ppb", "As_ppm", "Sb_ppm"],
        "centre": [round(centre[0], 1), round(centre[1], 1)],
        "radius_m": round(float(radius), 1),
    }


def _groups(survey: Survey, rng: np.random.Generator) -> dict[str, object]:
    found = {}
    for label, symbols in (("key", FEATURES), ("all", tuple(a.symbol for a in SURFACE))):
        values = np.column_stack([survey.column(symbol).half_limit() for symbol in symbols])
        whole = np.isfinite(values).all(axis=1)
        labels = kmeans(standardised(values[whole]), len(POPULATIONS), rng)
        found[label] = {
            "columns": [survey.column(symbol).analyte.column for symbol in symbols],
            "rows": int(whole.sum()),
            "adjusted_rand": round(adjusted_rand(survey.population[whole], labels), 4),
        }
    return {
        "method": "k-means, k = 3, standardised log10, half the limit below, the limit above",
        "k": len(POPULATIONS),
        **found,
    }


def _pearson(survey: Survey, first: str, second: str) -> dict[str, float]:
    """Correlation of logs over pairs in which both numbers are plain."""
    pair = np.column_stack([survey.column(first).value, survey.column(second).value])
    logs = np.log10(pair[np.isfinite(pair).all(axis=1)])
    return {"r": round(float(np.corrcoef(logs.T)[0, 1]), 3), "n": len(logs)}


def holes_truth(holes: tuple[Hole, ...]) -> dict[str, object]:
    """State depths, ends of holes, the planted zone of each hole and counts over all assays."""
    return {
        "grid": GRID,
        "holes": {hole.name: _hole(hole) for hole in holes},
        "columns": {
            analyte.column: _joined([hole.assays[i] for hole in holes])
            for i, analyte in enumerate(HOLE)
        },
        "metres": round(sum(hole.depth for hole in holes), 1),
        "zone": f"rows whose middle lies within {ZONE_HALF_WIDTH:g} m of the planted shear",
    }


def _hole(hole: Hole) -> dict[str, object]:
    zone = np.abs(hole.shear) < ZONE_HALF_WIDTH
    inside, length = hole.from_to[zone], np.diff(hole.from_to[zone]).ravel()
    gold = hole.assays[0].half_limit()[zone]
    return {
        "depth_m": hole.depth,
        "stations": len(hole.stations),
        "assays": len(hole.from_to),
        "logged": len(hole.logged),
        "end_of_hole": list(hole.bottom),
        "zone_from_m": float(inside[0, 0]),
        "zone_to_m": float(inside[-1, 1]),
        "zone_Au_ppm": round(float((gold * length).sum() / length.sum()), 4),
    }


def _joined(parts: list[Reported]) -> dict[str, object]:
    """Count one assay column over all holes."""
    return Reported(
        analyte=parts[0].analyte,
        true=np.concatenate([part.true for part in parts]),
        value=np.concatenate([part.value for part in parts]),
        below=np.concatenate([part.below for part in parts]),
        above=np.concatenate([part.above for part in parts]),
        missing=tuple(reason for part in parts for reason in part.missing),
        text=tuple(cell for part in parts for cell in part.text),
    ).counts()


def certificate_truth(survey: Survey, lines: tuple[Line, ...]) -> dict[str, object]:
    """State layout, quality control rows, and the standard and the blank that were made to fail."""
    symbols = [analyte.symbol for analyte in SURFACE]
    limit = next(a.lower for a in SURFACE if a.symbol == CARRY_OVER[0])
    first = len(preamble()) + len(header()) + 1
    failed, carried = [], []
    for row, line in enumerate(lines, start=first):
        cells = dict(zip(symbols, line.cells, strict=True))
        for symbol, (value, spread) in STANDARDS.get(line.name, {}).items():
            score = (_number(cells[symbol]) - value) / spread
            if abs(score) > 3.0:
                failed.append(
                    {"row": row, "standard": line.name, "analyte": symbol, "z": round(score, 2)}
                )
        if line.kind == "BLK" and isinstance(cells[CARRY_OVER[0]], float):
            gold = _number(cells[CARRY_OVER[0]])
            carried.append({"row": row, "analyte": CARRY_OVER[0], "times_limit": gold / limit})
    return {
        "job": JOB,
        "sheets": list(SHEETS),
        "header_first_row": len(preamble()) + 1,
        "header_rows": len(header()),
        "first_data_row": first,
        "rows": len(lines),
        "kinds": dict(sorted(Counter(line.kind for line in lines).items())),
        "samples": list(survey.ids[BATCH]),
        "standards_failed": failed,
        "blanks_failed": carried,
    }


def _number(cell: float | str | None) -> float:
    """Read a plain cell; a censored cell of a standard would be a planting mistake."""
    if not isinstance(cell, float):
        raise TypeError(f"a certified analyte must be a plain number, not {cell!r}")
    return cell


def log_truth(log: Log) -> dict[str, object]:
    """State the index, the curves, and what is null on each curve."""
    return {
        "hole": log.hole,
        "null": NULL,
        "start_m": float(log.depth[0]),
        "stop_m": float(log.depth[-1]),
        "step_m": STEP,
        "rows": int(log.depth.size),
        "curves": {
            name: {"unit": unit, "nulls": int(log.null[:, i].sum()), "median": _middle(log, i)}
            for i, (name, unit, *_) in enumerate(CURVES)
        },
    }


def _middle(log: Log, curve: int) -> float:
    present: Bools = ~log.null[:, curve]
    values: Floats = log.values[present, curve]
    return round(float(np.median(values)), 6)
