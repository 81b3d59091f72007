"use strict";
// Figures are drawn when they come into view; without a script the drawing in their place stays.
(() => {
  const narrow = 640;
  const draw = (figure) => {
    const data = figure.querySelector('script[type="application/json"]');
    const plot = figure.querySelector(".plot");
    if (!data || !plot || plot.dataset.drawn) return;
    plot.dataset.drawn = "1";
    const drawn = JSON.parse(data.textContent);
    const layout = Object.assign({}, drawn.layout, { autosize: true });
    const small = figure.clientWidth < narrow;
    layout.height = small ? 460 : Math.min(layout.height || 560, 640);
    if (small) {
      delete layout.title;
      layout.margin = { l: 52, r: 10, t: 12, b: 48 };
      layout.legend = Object.assign({}, layout.legend, { orientation: "h", x: 0, xanchor: "left", y: -0.18, yanchor: "top", font: { size: 11 } });
    }
    figure.classList.add("live");
    Plotly.newPlot(plot, drawn.data, layout, { displaylogo: false, responsive: true })
      .then(() => { figure.dataset.state = "drawn"; })
      .catch(() => { figure.classList.remove("live"); figure.dataset.state = "failed"; });
  };
  const figures = document.querySelectorAll("figure.drawn");
  const seen = new IntersectionObserver((entries) => {
    for (const entry of entries) if (entry.isIntersecting) { seen.unobserve(entry.target); draw(entry.target); }
  }, { rootMargin: "400px" });
  for (const figure of figures) seen.observe(figure);
  // On a phone the contents begin folded.
  const contents = document.querySelector("nav.contents details");
  if (contents && window.matchMedia("(max-width: 1079px)").matches) contents.open = false;
})();
