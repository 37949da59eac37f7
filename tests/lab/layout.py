# SPDX-License-Identifier: Apache-2.0
"""What is wrong with a page's layout, asked of the browser that shows it; each returns a list."""

from __future__ import annotations

# What every script begins with: boxes, and what is seen.
_COMMON = """
const all = (selector, within = document) => [...within.querySelectorAll(selector)];
const box = (e) => e.getBoundingClientRect();
const seen = (e) => e.checkVisibility() && box(e).width > 0;
const named = (e) => `${e.tagName}.${e.getAttribute("class") || ""} `
  + `${(e.textContent || "").trim().slice(0, 50)}`;
const wrong = [];
const inside = (e, of, why, by = 1.5) => {
  const a = box(e), b = box(of);
  if (a.left < b.left - by || a.right > b.right + by || a.top < b.top - by
      || a.bottom > b.bottom + by)
    wrong.push(`${why}: ${named(e)}`);
};
const apart = (elements, why) => {
  const boxes = elements.map((e) => [e, box(e)]);
  boxes.forEach(([e, a], place) => {
    for (const [f, b] of boxes.slice(place + 1))
      if (a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1
          && b.top < a.bottom - 1)
        wrong.push(`${why}: ${named(e)} and ${named(f)}`);
  });
};
"""


def _script(body: str) -> str:
    return f"(() => {{ {_COMMON} {body} return wrong.slice(0, 12); }})()"


# Nothing needs the page to be scrolled sideways, and no text reaches out of what it stands in.
CLIPPED = _script("""
const width = document.documentElement.clientWidth;
if (document.documentElement.scrollWidth > width) wrong.push("the page is too wide");
for (const e of all("h1,h2,h3,p,li,dt,dd,summary,figcaption,article,figure,details,button,label"))
  if (seen(e) && !e.closest(".skip")) {
    if (!e.closest(".scroll") && (box(e).left < -1 || box(e).right > width + 1))
      wrong.push(`outside of the page: ${named(e)}`);
    if (e.scrollWidth > e.clientWidth + 1 && e.clientWidth) wrong.push(`too wide: ${named(e)}`);
  }
for (const e of all("body *"))
  if (getComputedStyle(e).textOverflow === "ellipsis") wrong.push(`cut off: ${named(e)}`);
for (const e of all("th,td"))
  if (seen(e) && e.scrollWidth > e.clientWidth + 1) wrong.push(`wider than its cell: ${named(e)}`);
for (const e of all("th > span")) if (seen(e)) inside(e, e.parentElement, "outside of its head");
for (const e of all("svg text"))
  if (seen(e)) {
    inside(e, e.ownerSVGElement, "cut off by its chart");
    if (e.textContent.includes("…")) wrong.push(`shortened: ${named(e)}`);
  }
""")

OVERLAPPING = _script("""
for (const grid of all(".grid,.tiles")) apart([...grid.children].filter(seen), "cards overlap");
for (const svg of all("figure > svg")) apart(all("text", svg).filter(seen), "labels overlap");
apart(all("nav a, #theme, h1, .made dd").filter(seen), "the header overlaps");
apart(all("main > section").filter(seen), "sections overlap");
""")

# A chart is as wide as the room in its card.
NARROW = _script("""
for (const svg of all(".charts > figure > svg")) {
  const style = getComputedStyle(svg.parentElement);
  const room = svg.parentElement.clientWidth - parseFloat(style.paddingLeft)
    - parseFloat(style.paddingRight);
  if (box(svg).width < 0.98 * room) wrong.push(`${box(svg).width} of ${room}: ${svg.ariaLabel}`);
  if (box(svg).width > 760) wrong.push(`a headline: ${svg.ariaLabel}`);
}
""")

# Whatever has to be scrolled says so above itself, and nothing else does.
UNTOLD = _script("""
for (const frame of all(".scroll"))
  if (seen(frame)) {
    const larger = frame.scrollWidth > frame.clientWidth + 1
      || frame.scrollHeight > frame.clientHeight + 1;
    const line = frame.previousElementSibling;
    const told = Boolean(line) && line.classList.contains("hint") && seen(line);
    if (larger !== told) wrong.push(`${larger ? "no hint" : "a hint too many"}: `
      + frame.getAttribute("aria-label"));
    if (told && frame.scrollWidth > frame.clientWidth + 1 && !line.textContent.includes("sideways"))
      wrong.push(`which way? ${line.textContent}`);
  }
""")

# What is hard to read: every text that is seen, against what lies behind it (WCAG's formula).
CONTRAST = """
(() => {
  const numbers = (colour) => (colour.match(/[\\d.]+/g) || []).map(Number);
  const light = (c) => [0, 1, 2].map((i) => c[i] / 255)
    .map((v) => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const behind = (element) => {
    for (let e = element; e; e = e.parentElement) {
      const c = numbers(getComputedStyle(e).backgroundColor);
      if (c.length === 3 || c[3] > 0.99) return c;
    }
    return [255, 255, 255];
  };
  const poor = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const e = node.parentElement;
    const text = node.data.trim();
    if (!text || ["SCRIPT", "STYLE"].includes(e.tagName) || !e.checkVisibility()) continue;
    const style = getComputedStyle(e);
    const ink = numbers(e instanceof SVGElement ? style.fill : style.color);
    const [a, b] = [light(ink), light(behind(e))].sort((x, y) => y - x);
    const contrast = (a + 0.05) / (b + 0.05);
    if (contrast < 4.5) poor.push(`${contrast.toFixed(2)} ${e.tagName}.${e.className} ${text}`);
  }
  return poor.slice(0, 10);
})()
"""
