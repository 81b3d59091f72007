"""Twelve drillholes under the surface anomaly: collars, surveys, assays, lithology.

The holes are drilled down-dip from the felsic side towards a shear that dips 70 degrees to the
north-east and holds the grade. Invariant: intervals run from zero to the end of the hole with no
gap and no overlap, and grade depends only on the distance to the shear measured along the trace.
"""

import itertools
import math
from dataclasses import dataclass

import numpy as np
from generate_lab import HOLE, Floats, Reported, report
from generate_surface import ANOMALY_STRIKE, GRID, STRIKE_DEG, contact, to_grid

SURFACE_RL = 372.0
SHEAR_DIP_DEG = 70.0
SECTIONS = (-75.0, -25.0, 25.0, 75.0)
SETBACKS = (40.0, 72.0, 106.0)
ZONE_HALF_WIDTH = 4.0
NEAR_SHEAR = 14.0
STATION_STEP = 30.0
TRACE_STEP = 0.5

# Host and shear chemistry: felsic, mafic, height of the core, height of the halo.
LEVELS = {
    "Au": (0.006, 0.009, 4.2, 0.14),
    "As": (11.0, 6.0, 5200.0, 260.0),
    "Cu": (20.0, 98.0, 240.0, 60.0),
    "S": (0.08, 0.14, 3.4, 0.7),
}
SCATTER = {"Au": 0.30, "As": 0.22, "Cu": 0.17, "S": 0.17}


@dataclass(frozen=True)
class Hole:
    """One hole: where it starts, how it bends, and what was met on the way down.

    `stations` has shape (n, 3): depth (m), azimuth (degrees from grid north), dip (degrees, down
    negative). `from_to` has shape (m, 2) in metres; `logged` holds from, to, rock, weathering.
    """

    name: str
    easting: float
    northing: float
    rl: float
    depth: float
    stations: Floats
    from_to: Floats
    shear: Floats
    assays: tuple[Reported, ...]
    logged: tuple[tuple[float, float, str, str], ...]
    bottom: tuple[float, float, float]


@dataclass(frozen=True)
class Trace:
    """Points down a hole, all of shape (n,): depth (m) and distance to the shear (m)."""

    depth: Floats
    shear: Floats
    bottom: tuple[float, float, float]

    def distance(self, depth: Floats) -> Floats:
        """Distance to the shear (m) at depths (m); positive on the felsic side."""
        return np.interp(depth, self.depth, self.shear)

    def depth_at(self, distance: float) -> float:
        """Depth (m) at which the hole comes within `distance` of the shear, to 0.1 m."""
        return round(float(np.interp(-distance, -self.shear, self.depth)), 1)


def drill(rng: np.random.Generator) -> tuple[Hole, ...]:
    """Drill every setback on every section, named MRD001 onwards."""
    plan = [(section, setback) for section in SECTIONS for setback in SETBACKS]
    return tuple(
        _hole(f"MRD{number:03d}", section, setback, rng)
        for number, (section, setback) in enumerate(plan, start=1)
    )


def _hole(name: str, section: float, setback: float, rng: np.random.Generator) -> Hole:
    along = ANOMALY_STRIKE + section + rng.normal(0.0, 1.5)
    across = float(contact(np.array(along))) + setback + rng.normal(0.0, 1.5)
    east, north = to_grid(np.array(along), np.array(across))
    collar = (round(float(east), 2), round(float(north), 2))
    rl = round(SURFACE_RL + 0.012 * setback + rng.normal(0.0, 0.3), 2)
    depth = round(2.0 * (setback / 0.8152 + 38.0 + rng.uniform(0.0, 9.0))) / 2.0
    stations = _stations(depth, rng)
    trace = _trace((*collar, rl), depth, stations)
    from_to = _intervals(trace, depth)
    middle = from_to.mean(axis=1)
    fade = math.exp(-((section / 150.0) ** 2))
    base = round(rng.uniform(11.0, 17.0), 1)
    return Hole(
        name=name,
        easting=collar[0],
        northing=collar[1],
        rl=rl,
        depth=depth,
        stations=stations,
        from_to=from_to,
        shear=trace.distance(middle),
        assays=_assays(trace.distance(middle), middle > base + 12.0, fade, rng),
        logged=_logged(trace, depth, base, rng),
        bottom=trace.bottom,
    )


def _stations(depth: float, rng: np.random.Generator) -> Floats:
    """Survey the hole each 30 m and at its end; it lifts and swings a little on the way."""
    at = np.append(np.arange(0.0, depth, STATION_STEP), depth)
    lift = 0.018 * at + np.append(0.0, rng.normal(0.0, 0.15, at.size - 1))
    swing = 0.012 * at + np.append(0.0, rng.normal(0.0, 0.3, at.size - 1))
    azimuth = np.round(STRIKE_DEG - 90.0 + rng.normal(0.0, 0.8) + swing, 1)
    dip = np.round(-60.0 + rng.normal(0.0, 0.4) + lift, 1)
    return np.column_stack([at, azimuth, dip])


def _trace(collar: tuple[float, float, float], depth: float, stations: Floats) -> Trace:
    """Follow the hole in half-metre steps with angles interpolated between stations."""
    edges = np.append(np.arange(0.0, depth, TRACE_STEP), depth)
    middle, step = (edges[1:] + edges[:-1]) / 2.0, np.diff(edges)
    azimuth = np.radians(np.interp(middle, stations[:, 0], stations[:, 1]))
    dip = np.radians(np.interp(middle, stations[:, 0], stations[:, 2]))
    moves = (np.cos(dip) * np.sin(azimuth), np.cos(dip) * np.cos(azimuth), np.sin(dip))
    east, north, up = (
        start + np.append(0.0, np.cumsum(step * move))
        for start, move in zip(collar, moves, strict=True)
    )
    bottom = (round(float(east[-1]), 1), round(float(north[-1]), 1), round(float(up[-1]), 1))
    return Trace(edges, _to_shear(east, north, up), bottom)


def _to_shear(east: Floats, north: Floats, up: Floats) -> Floats:
    """Signed distance (m) to the shear plane, which crops out at the contact at the anomaly."""
    angle, dip = math.radians(STRIKE_DEG), math.radians(SHEAR_DIP_DEG)
    centre = np.array(ANOMALY_STRIKE)
    east0, north0 = to_grid(centre, contact(centre))
    across = (east - east0) * math.cos(angle) - (north - north0) * math.sin(angle)
    return across * math.sin(dip) + (up - SURFACE_RL) * math.cos(dip)


def _intervals(trace: Trace, depth: float) -> Floats:
    """Sample two metres at a time, one metre near the shear, and whatever is left at the end."""
    edges = [0.0]
    while edges[-1] < depth:
        near = abs(trace.distance(np.array(edges[-1] + 1.0))) < NEAR_SHEAR
        edges.append(min(edges[-1] + (1.0 if near else 2.0), depth))
    return np.column_stack([edges[:-1], edges[1:]])


def _assays(
    shear: Floats, fresh: Floats, fade: float, rng: np.random.Generator
) -> tuple[Reported, ...]:
    """Assay the intervals; elements share scatter, and weathered rock has lost its sulphur."""
    core = np.exp(-((shear / ZONE_HALF_WIDTH) ** 2)) * fade
    halo = np.exp(-np.abs(shear) / 11.0) * fade
    shared = rng.standard_normal(shear.size)
    reported = []
    for analyte in HOLE:
        felsic, mafic, peak, aura = LEVELS[analyte.symbol]
        level = np.where(shear > 0.0, felsic, mafic) + peak * core + aura * halo
        score = 0.7 * shared + math.sqrt(0.51) * rng.standard_normal(shear.size)
        if analyte.symbol == "S":
            level = np.where(fresh, level, 0.09 * level)
        true = level * 10.0 ** (SCATTER[analyte.symbol] * score)
        reported.append(report(true, analyte, [""] * shear.size))
    return tuple(reported)


def _logged(
    trace: Trace, depth: float, base: float, rng: np.random.Generator
) -> tuple[tuple[float, float, str, str], ...]:
    """Log rock and weathering; boundaries follow the shear, with a dolerite in the footwall."""
    half = rng.uniform(7.0, 9.5)
    dyke = -rng.uniform(18.0, 22.0)
    limits = [
        (0.0, "Saprolite"),
        (base, "Dacite"),
        (max(base, trace.depth_at(half + 9.0)), "Sericite schist"),
        (max(base, trace.depth_at(half)), "Sulphidic schist"),
        (trace.depth_at(-half), "Basalt"),
        (trace.depth_at(dyke), "Dolerite"),
        (trace.depth_at(dyke - 4.0), "Basalt"),
    ]
    weathering = [(0.0, "Oxidised"), (base, "Transitional"), (round(base + 12.0, 1), "Fresh")]
    edges = sorted({top for top, _ in limits + weathering if top < depth} | {depth})
    return tuple(
        (top, end, _last(limits, top), _last(weathering, top))
        for top, end in itertools.pairwise(edges)
    )


def _last(limits: list[tuple[float, str]], top: float) -> str:
    return [name for start, name in limits if start <= top][-1]


def collar_rows(holes: tuple[Hole, ...]) -> list[list[str]]:
    """One row a hole: name, easting, northing, RL, depth, grid."""
    return [
        [h.name, f"{h.easting:.2f}", f"{h.northing:.2f}", f"{h.rl:.2f}", f"{h.depth:.1f}", GRID]
        for h in holes
    ]


def survey_rows(holes: tuple[Hole, ...]) -> list[list[str]]:
    """One row a station: hole, depth, azimuth, dip."""
    return [[h.name, *(f"{value:.1f}" for value in row)] for h in holes for row in h.stations]


def assay_rows(holes: tuple[Hole, ...]) -> list[list[str]]:
    """One row an interval: hole, from, to, sample number, assays as reported."""
    rows = []
    for hole in holes:
        for i, (top, end) in enumerate(hole.from_to.tolist()):
            sample = f"{hole.name}-{i + 1:03d}"
            cells = [column.text[i] for column in hole.assays]
            rows.append([hole.name, f"{top:.1f}", f"{end:.1f}", sample, *cells])
    return rows


def lithology_rows(holes: tuple[Hole, ...]) -> list[list[str]]:
    """One row a logged interval: hole, from, to, rock, weathering."""
    return [
        [h.name, f"{top:.1f}", f"{end:.1f}", rock, weathering]
        for h in holes
        for top, end, rock, weathering in h.logged
    ]
