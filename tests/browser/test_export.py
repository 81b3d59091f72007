"""The executed quickstart as a page: it reads and draws with the network refused."""

from __future__ import annotations

import pytest
from driving import Watched

from workbench import demo

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.timeout(240)]


def test_the_exported_page_reads_and_draws_without_a_network(
    tmp_path_factory: pytest.TempPathFactory, watched: Watched
) -> None:
    target = tmp_path_factory.mktemp("export")
    notebook = demo.run_demo(target, lambda _: None)
    page = watched.page
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(notebook.with_suffix(".html").as_uri())
    card = page.locator(".wb-run-answered").first
    assert "three groups" in card.locator(".wb-answer").inner_text()
    drawing = page.locator("img[src^='data:image/svg'][alt*=map_Au_ppb]")
    assert drawing.evaluate("image => image.complete && image.naturalWidth") > 400
    assert card.locator(".wb-window").first.evaluate("bar => bar.offsetWidth") > 200
    assert [url for url in asked if not url.startswith("data:")] == [
        notebook.with_suffix(".html").as_uri()
    ]
    assert watched.outside == []
