"""The surface survey of Meridian Ridge: 240 bottom-of-hole auger samples on a rotated grid.

A shear along the contact of mafic rocks (south-west) and felsic rocks (north-east) holds a lens of
sulphide alteration; nine neighbouring samples in it carry gold, arsenic and antimony on top.
Invariant: the planted population and anomaly are fixed by place before any chemistry is drawn.
"""

import math
from dataclasses import dataclass

import numpy as np
from generate_lab import SURFACE, Bools, Floats, Reported, report
from numpy.typing import NDArray

GRID = "GDA2020 / MGA zone 51"
ORIGIN = (352_400.0, 6_611_800.0)
STRIKE_DEG = 330.0
LINE_STATIONS = (16, 18, 20, 21, 22, 23, 23, 22, 21, 20, 18, 16)
LINE_SPACING, STATION_SPACING = 100.0, 50.0
ANOMALY_STRIKE = 60.0
ANOMALY_SIZE = 9

POPULATIONS = ("mafic", "felsic", "altered")
ROCKS = {
    "Basalt": "mafic",
    "Dolerite": "mafic",
    "Dacite": "felsic",
    "Sericite schist": "felsic",
    "Sulphidic schist": "altered",
}

# Median per population (mafic, felsic, altered), spread in log10 units, loading on each factor.
# Factors: M mineralisation, B base metals, F mafic minerals, K potassic alteration.
TRACE = {
    "Au": ((3.0, 1.25, 46.0), (0.27, 0.29, 0.32), {"M": 0.75}),
    "As": ((4.8, 11.0, 260.0), (0.21, 0.22, 0.28), {"M": 0.8}),
    "Cu": ((98.0, 20.0, 205.0), (0.17, 0.22, 0.22), {"B": 0.6}),
    "Sb": ((0.27, 0.75, 5.2), (0.22, 0.22, 0.28), {"M": 0.75}),
    "Ag": ((0.08, 0.06, 0.75), (0.20, 0.20, 0.26), {"B": 0.5, "M": 0.4}),
    "Pb": ((4.2, 17.0, 26.0), (0.15, 0.17, 0.25), {"B": 0.6, "K": 0.3}),
    "Zn": ((96.0, 52.0, 142.0), (0.11, 0.15, 0.20), {"B": 0.7}),
    "Ni": ((124.0, 9.5, 82.0), (0.16, 0.20, 0.18), {"F": 0.85}),
    "Co": ((45.0, 5.2, 37.0), (0.10, 0.17, 0.16), {"F": 0.7, "B": 0.2}),
    "Cr": ((255.0, 15.0, 185.0), (0.18, 0.22, 0.20), {"F": 0.85}),
    "Mo": ((0.68, 1.5, 2.3), (0.17, 0.20, 0.24), {"B": 0.3}),
    "Bi": ((0.06, 0.13, 1.3), (0.18, 0.20, 0.30), {"M": 0.6}),
    "W": ((0.65, 1.3, 5.6), (0.19, 0.20, 0.30), {"M": 0.5, "K": 0.3}),
    "Ba": ((92.0, 610.0, 330.0), (0.17, 0.15, 0.18), {"K": 0.8}),
    "S": ((0.12, 0.06, 1.9), (0.18, 0.20, 0.22), {"M": 0.6}),
    "Fe": ((8.7, 2.2, 8.9), (0.05, 0.10, 0.07), {"F": 0.4, "B": 0.2}),
    "MgO": ((7.1, 1.05, 4.9), (0.09, 0.15, 0.13), {"F": 0.85}),
    "K2O": ((0.38, 3.3, 2.2), (0.18, 0.10, 0.14), {"K": 0.85}),
}
# Silica and alumina are near normal: median and spread in per cent.
MAJOR = {
    "SiO2": ((50.3, 70.2, 55.2), (1.5, 1.9, 2.4), {"F": -0.6}),
    "Al2O3": ((14.4, 14.7, 13.5), (0.6, 0.7, 0.8), {"F": -0.3}),
}
# Height of the planted anomaly at its centre as a factor on the altered background.
ANOMALY_FACTOR = {"Au": 40.0, "As": 32.0, "Sb": 18.0, "Bi": 3.0, "W": 2.0, "S": 1.6}


@dataclass(frozen=True)
class Survey:
    """The sampled places, what was planted there, and what the laboratory reported."""

    ids: tuple[str, ...]
    easting: Floats
    northing: Floats
    depth: Floats
    population: NDArray[np.int64]
    anomaly: Bools
    lithology: tuple[str, ...]
    columns: tuple[Reported, ...]

    def column(self, symbol: str) -> Reported:
        """Return the reported column of one element or oxide."""
        return next(column for column in self.columns if column.analyte.symbol == symbol)


def to_grid(strike: Floats, across: Floats) -> tuple[Floats, Floats]:
    """Turn distances along and across strike (m, shape (n,)) into easting and northing (m)."""
    angle = math.radians(STRIKE_DEG)
    east = ORIGIN[0] + strike * math.sin(angle) + across * math.cos(angle)
    north = ORIGIN[1] + strike * math.cos(angle) - across * math.sin(angle)
    return east, north


def contact(strike: Floats) -> Floats:
    """Give the across-strike place (m) of the wavy contact at distances along strike (m)."""
    return 60.0 + 35.0 * np.sin(strike / 190.0)


def survey(rng: np.random.Generator) -> Survey:
    """Draw the whole survey: places, populations, anomaly, chemistry, reported cells."""
    strike, across = _places(rng)
    distance = np.hypot(strike - ANOMALY_STRIKE, across - contact(np.array(ANOMALY_STRIKE)))
    anomaly = np.zeros(distance.size, dtype=bool)
    anomaly[np.argsort(distance, kind="stable")[:ANOMALY_SIZE]] = True
    host, intensity = _geology(strike, across, rng)
    intensity = np.where(anomaly, 1.0, intensity)
    population = np.where(intensity > 0.0, 2, host)
    true = _chemistry(host, intensity, rng)
    fade = np.exp(-((distance / 190.0) ** 2))
    for symbol, factor in ANOMALY_FACTOR.items():
        true[symbol] = np.where(anomaly, true[symbol] * factor**fade, true[symbol])
    missing = _missing(anomaly, rng)
    easting, northing = to_grid(strike, across)
    return Survey(
        ids=tuple(f"MR-{i:04d}" for i in range(1, distance.size + 1)),
        easting=np.round(easting),
        northing=np.round(northing),
        depth=_depths(distance.size, rng),
        population=population,
        anomaly=anomaly,
        lithology=_lithology(population, rng),
        columns=tuple(report(true[a.symbol], a, missing[a.symbol]) for a in SURFACE),
    )


def _places(rng: np.random.Generator) -> tuple[Floats, Floats]:
    """Lay out lines across strike; tracks, outcrop and scrub move stations off the pegs."""
    strike, across = [], []
    for line, stations in enumerate(LINE_STATIONS):
        along = (line - (len(LINE_STATIONS) - 1) / 2) * LINE_SPACING
        start = -(stations - 1) / 2 * STATION_SPACING + rng.normal(0.0, 18.0)
        strike.append(along + rng.normal(0.0, 9.0, stations))
        across.append(start + np.arange(stations) * STATION_SPACING + rng.normal(0, 8.0, stations))
    return np.concatenate(strike), np.concatenate(across)


def _depths(size: int, rng: np.random.Generator) -> Floats:
    """Auger to refusal: depths in metres to 0.1 m."""
    drilled: Floats = rng.normal(2.4, 0.9, size).clip(0.4, 5.0).round(1)
    return drilled


def _geology(
    strike: Floats, across: Floats, rng: np.random.Generator
) -> tuple[NDArray[np.int64], Floats]:
    """Give the host rock (0 mafic, 1 felsic) and the intensity of alteration, 0 outside the lens.

    Intensity fades towards the rim of the lens, which is where the populations honestly overlap.
    """
    offset = across - contact(strike) + rng.normal(0.0, 12.0, strike.size)
    lens = 55.0 + 80.0 * np.exp(-(((strike - ANOMALY_STRIKE) / 260.0) ** 2))
    intrusion = np.hypot((strike + 300.0) / 130.0, (across + 270.0) / 75.0) < 1.0
    host = np.where((offset > 0.0) | intrusion, 1, 0)
    inward = 1.0 - np.abs(offset) / lens
    return host, np.where(inward > 0.0, np.clip(0.45 + 1.8 * inward, 0.0, 1.0), 0.0)


def _chemistry(
    host: NDArray[np.int64], intensity: Floats, rng: np.random.Generator
) -> dict[str, Floats]:
    """Draw true values from a factor model, so that elements move together as they do in rock."""
    factors = {name: rng.standard_normal(host.size) for name in "MBFK"}
    true = {}
    for symbol, (medians, spreads, loads) in (TRACE | MAJOR).items():
        own = math.sqrt(1.0 - sum(load**2 for load in loads.values()))
        score = own * rng.standard_normal(host.size)
        for name, load in loads.items():
            score = score + load * factors[name]
        step = score * np.where(intensity > 0.0, spreads[2], np.array(spreads)[host])
        scale = np.log10(medians) if symbol in TRACE else np.array(medians)
        level = (1.0 - intensity) * scale[host] + intensity * scale[2] + step
        true[symbol] = 10.0**level if symbol in TRACE else level
    return true


def _lithology(population: NDArray[np.int64], rng: np.random.Generator) -> tuple[str, ...]:
    """Log a rock name per sample; about one in ten names another population than the planted."""
    names = tuple(ROCKS)
    shares = np.array(
        [
            [0.70, 0.22, 0.03, 0.02, 0.03],
            [0.03, 0.03, 0.62, 0.27, 0.05],
            [0.06, 0.02, 0.02, 0.07, 0.83],
        ]
    )
    draws = rng.random(population.size)
    picks = (draws[:, None] > np.cumsum(shares, axis=1)[population][:, :-1]).sum(axis=1)
    return tuple(names[pick] for pick in picks.tolist())


def _missing(anomaly: Bools, rng: np.random.Generator) -> dict[str, list[str]]:
    """Plant reasons: two samples never received, short charges, too little pulp, not asked for."""
    missing = {analyte.symbol: [""] * anomaly.size for analyte in SURFACE}
    free = rng.permutation(np.flatnonzero(~anomaly)).tolist()
    plan = (
        ("LNR", 2, tuple(missing)),
        ("NSS", 5, ("Au",)),
        ("I/S", 4, ("S",)),
        ("blank", 6, ("SiO2", "Al2O3", "MgO", "K2O")),
        ("blank", 3, ("Ba",)),
        ("I/S", 2, ("W", "Mo")),
    )
    for reason, count, symbols in plan:
        rows, free = free[:count], free[count:]
        for symbol in symbols:
            for row in rows:
                missing[symbol][row] = reason
    return missing
