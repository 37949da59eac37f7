// SPDX-License-Identifier: Apache-2.0
// Shows benches while they run. What they say is text, never markup.
"use strict";
(() => {
  const place = document.getElementById("live");
  if (!place) return;
  const made = (name, text, ...within) => {
    const element = document.createElement(name);
    if (text !== null) element.textContent = text;
    element.append(...within);
    return element;
  };
  const bench = (one) => {
    const bar = made("progress", null);
    bar.max = one.total || 1;
    if (one.total || one.ended) bar.value = one.ended ? bar.max : one.done;
    const count = one.total ? `${one.done} of ${one.total} rows` : `${one.done} rows`;
    const rows = one.rows.map(([name, figure]) =>
      made("li", null, made("span", name), made("span", String(figure))));
    const what = `${one.suite} on ${one.board}, by ${one.person}: ${count}`;
    const article = made("article", null, made("h3", what), bar,
      made("p", one.ended ? `ended: ${one.state}` : one.state),
      made("ol", null, ...rows));
    article.className = "bench";
    return article;
  };
  const source = new EventSource(place.dataset.at);
  source.onmessage = (event) => {
    const benches = JSON.parse(event.data);
    place.replaceChildren(...(benches.length ? benches.map(bench)
      : [made("p", "Nothing is being measured.")]));
  };
})();
