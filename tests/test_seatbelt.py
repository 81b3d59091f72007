"""The profile for macOS, read as text: it cannot be tried on the machines that run these tests."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from workbench.walls.cage import Cage
from workbench.walls.engines import named

# Whatever else the profile may allow is a word that somebody put there without saying so here.
ALLOWED = {
    "process-fork",
    "process-exec",
    "sysctl-read",
    "mach-lookup",
    "signal",
    "file-read-metadata",
    "file-read*",
    "file-write*",
}
TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[()]|[^\s()"]+')


def cage(folder: Path, *readable: str) -> Cage:
    return Cage(readable, ("/usr/bin",), ("/dev/null",), str(folder), {}, {})


def rules(profile: str) -> list[list[object]]:
    """Return the rules of a profile as nested lists; what is not balanced is an error."""
    stack: list[list[object]] = [[]]
    tokens = TOKEN.findall(profile)
    assert not TOKEN.sub("", profile).strip(), "something is neither word, text nor bracket"
    for token in tokens:
        if token == "(":
            stack.append([])
        elif token == ")":
            assert len(stack) > 1, "a bracket is closed that was not opened"
            done = stack.pop()
            stack[-1].append(done)
        else:
            stack[-1].append(token)
    assert len(stack) == 1, "a bracket is not closed"
    return stack[0]  # type: ignore[return-value]


def profile(made: Cage) -> tuple[list[list[object]], list[str]]:
    words = named("sandbox-exec").wrap(made, ["/bin/echo", "x"])
    assert words[:2] == ["/usr/bin/sandbox-exec", "-p"]
    assert words[3:] == ["/bin/echo", "x"]
    return rules(words[2]), words


def test_the_profile_denies_by_default_and_allows_only_what_is_named(tmp_path: Path) -> None:
    found, _ = profile(cage(tmp_path, "/data"))
    assert found[:2] == [["version", "1"], ["deny", "default"]]
    assert {rule[0] for rule in found[2:]} == {"allow"}
    assert {str(rule[1]) for rule in found[2:]} == ALLOWED


def test_the_profile_writes_into_the_folder_of_the_scripts_alone(tmp_path: Path) -> None:
    found, _ = profile(cage(tmp_path, "/data"))
    (write,) = [rule for rule in found if rule[1] == "file-write*"]
    place = f'"{Path(tmp_path).resolve()}"'
    assert write[2:] == [["subpath", place], ["literal", '"/dev/null"']]


def test_the_profile_names_no_network(tmp_path: Path) -> None:
    found, words = profile(cage(tmp_path, "/data"))
    assert not [rule for rule in found if "network" in str(rule[1])]
    assert "(allow default)" not in words[2]


@pytest.mark.parametrize(
    "name", ['a"b', "a) (allow default", "a\\b", "ü b", '") (allow default) ("']
)
def test_a_name_of_a_folder_is_no_rule(tmp_path: Path, name: str) -> None:
    place = tmp_path / name
    place.mkdir()
    found, _ = profile(cage(place, str(place)))
    assert {str(rule[1]) for rule in found[2:]} == ALLOWED
    (read,) = [rule for rule in found if rule[1] == "file-read*"]
    if "\\" not in name and '"' not in name:
        assert f'"{place.resolve()}"' in [one[1] for one in read[2:]]  # type: ignore[index]
    assert all(one[0] == "subpath" and len(one) == 2 for one in read[2:])  # type: ignore[arg-type, index]
