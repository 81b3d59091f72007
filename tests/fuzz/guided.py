"""Fuzzing led by what the code does with an input (atheris): ``make fuzz``.

Each target checks what its fuzz test does. An input that broke one is kept in the folder told, and
`--again FILE` tries it once more. Not part of the suite: it runs for as long as it is given.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

TESTS = Path(__file__).resolve().parent.parent
TARGETS = ("readers", "sql", "expressions")
sys.path.insert(0, str(TESTS))
Try = Callable[[bytes], None]


def readers(folder: Path) -> Try:
    """Read bytes under the name of a format: the first byte says which."""
    from filebench import FileBench
    from fuzz.files import GOOD
    from fuzz.test_readers import plainly, read

    names = sorted(GOOD)
    bench = FileBench(folder, FileBench(folder).limits.changed({"load_bytes": 20_000_000}))
    return lambda data: plainly(read(bench, names[data[0] % len(names)], data[1:]))


def sql(folder: Path) -> Try:
    """Send a text as SQL."""
    import duckdb
    from filebench import FileBench
    from fuzz import test_sql_gate as gate

    os.environ["CANARY_OF_THE_ENVIRONMENT"] = gate.SECRET
    bench = FileBench(folder)
    con, judge = gate.opened(bench), duckdb.connect()
    return lambda data: gate.attacked(con, bench, judge, data.decode("utf-8", "replace"))


def expressions(folder: Path) -> Try:
    """Send a text as a condition."""
    import duckdb
    from fuzz import test_expressions as grammar

    table = grammar.planted(folder)
    con, judge = grammar.opened(folder, table), duckdb.connect()
    return lambda data: grammar.judged(table, con, judge, data.decode("utf-8", "replace"))


def seeds(target: str) -> tuple[list[bytes], list[str]]:
    """Return inputs to begin with, and the words that inputs are made of."""
    if target == "readers":
        from fuzz.files import _ODD, GOOD

        words = [odd.decode("latin-1") for odd in _ODD]
        return [bytes([at]) + GOOD[name] for at, name in enumerate(sorted(GOOD))], words
    if target == "sql":
        from fuzz import sql as texts

        forms = [form.format("SELECT 1") for form in texts.OTHERS]
        forms += [f"SELECT {leaf} FROM t" for leaf in texts.LEAVES]  # noqa: S608 - what the gate gets
        forms += [f"FROM {relation}" for relation in texts.RELATIONS]
        return [form.encode() for form in forms], [*texts.NAMES, *texts.LEAVES, *texts.RELATIONS]
    from fuzz import test_expressions as grammar

    tests = ["id == 's1'", "Au_ppb < 3 and not isna(date)", "id.str.contains('s', case=False)"]
    tests += ["`a``b` in [1, 2]", "1 < Au_ppb < 3", "Au_ppb.between(1, 2)", "date >= '2020-01-02'"]
    return [test.encode() for test in tests], [*grammar.HOSTILE, *grammar.HEADERS]


def work(target: str, folder: Path, options: list[str]) -> None:
    """Be the process in which one target is tried, until the time is over or an input broke it."""
    import atheris

    with atheris.instrument_imports(include=["workbench.formats", "workbench.tables"]):
        tried = globals()[target](folder)
    atheris.Setup([sys.argv[0], *options], lambda data: tried(data or b"\0"))
    atheris.Fuzz()


def begin(target: str, seconds: int, kept: Path) -> bool:
    """Try one target for so long in a process of its own; tell whether nothing broke it."""
    with tempfile.TemporaryDirectory() as made:
        corpus, words = Path(made, "corpus"), Path(made, "words")
        corpus.mkdir()
        inputs, known = seeds(target)
        for at, data in enumerate(inputs):
            (corpus / str(at)).write_bytes(data)
        codes = ["".join(f"\\x{byte:02x}" for byte in word.encode()) for word in known if word]
        words.write_text("".join(f'"{code}"\n' for code in codes), encoding="ascii")
        options = [f"-max_total_time={seconds}", f"-dict={words}", "-max_len=30000", "-timeout=60"]
        options += ["-rss_limit_mb=4096", "-len_control=0", "-verbosity=0", "-print_final_stats=1"]
        options += [f"-artifact_prefix={kept / target}-", str(corpus)]
        command = [sys.executable, __file__, "--work", target, "--", *options]
        return subprocess.run(command, check=False).returncode == 0


def main() -> int:
    """Try each target in turn; return 1 if an input broke one."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("targets", nargs="*", default=TARGETS, metavar="TARGET")
    parser.add_argument("--seconds", type=int, default=300, help="how long each is tried")
    parser.add_argument("--again", type=Path, help="a kept input to try once more")
    parser.add_argument("--work", choices=TARGETS, help=argparse.SUPPRESS)
    given, options = parser.parse_known_args()
    if given.work or given.again:
        with tempfile.TemporaryDirectory() as folder:
            if given.again:
                globals()[given.targets[0]](Path(folder))(given.again.read_bytes())
            else:
                work(
                    given.work,
                    Path(folder),
                    [one for one in given.targets + options if one != "--"],
                )
        return 0
    try:
        import atheris  # noqa: F401 - whether it can be had
    except ImportError:
        sys.exit("atheris is not installed: .venv/bin/python -m pip install atheris (Linux, macOS)")
    kept = Path(tempfile.mkdtemp(prefix="broken-"))
    wrong = [target for target in given.targets if not begin(target, given.seconds, kept)]
    sys.stdout.write(f"{len(given.targets)} targets, {len(wrong)} broken; inputs in {kept}\n")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
