// SPDX-License-Identifier: Apache-2.0
// Search, sorting and the choice of colours. Without it the page still shows everything.
"use strict";
(() => {
  const byId = (id) => document.getElementById(id);
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];

  // ---- colours: as the system has them, light, dark ----
  const themes = ["auto", "light", "dark"];
  const words = { auto: "as the system has them", light: "light", dark: "dark" };
  const kept = {
    get: () => { try { return localStorage.getItem("theme"); } catch { return null; } },
    set: (theme) => { try { localStorage.setItem("theme", theme); } catch { /* a local file */ } },
  };
  const wear = (theme) => {
    document.documentElement.dataset.theme = theme;
    byId("theme").setAttribute("aria-label", `Colours: ${words[theme]}`);
    byId("theme").querySelector("span").textContent = theme;
  };
  wear(themes.includes(kept.get()) ? kept.get() : "auto");
  byId("theme").addEventListener("click", () => {
    const now = document.documentElement.dataset.theme;
    const next = themes[(themes.indexOf(now) + 1) % themes.length];
    wear(next);
    kept.set(next);
  });

  // ---- sorting: by numbers where there are any; what is empty stays last ----
  const key = (row, column) => {
    const text = row.cells[column].textContent.trim();
    const number = Number.parseFloat(text);
    return { text, number: /^-?[\d.]/.test(text) ? number : Number.NaN };
  };
  const compare = (a, b) =>
    Number.isNaN(a.number) || Number.isNaN(b.number)
      ? a.text.localeCompare(b.text, "en", { numeric: true })
      : a.number - b.number;
  const sort = (table, column, header) => {
    const up = header.getAttribute("aria-sort") !== "ascending";
    const body = table.tBodies[0];
    const rows = [...body.rows].map((row) => ({ row, key: key(row, column) }));
    rows.sort((a, b) => {
      if (!a.key.text || !b.key.text) return (a.key.text ? 0 : 1) - (b.key.text ? 0 : 1);
      return up ? compare(a.key, b.key) : compare(b.key, a.key);
    });
    for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
    header.setAttribute("aria-sort", up ? "ascending" : "descending");
    body.append(...rows.map((one) => one.row));
  };
  for (const table of all("table.sortable")) {
    [...table.tHead.rows[0].cells].forEach((header, column) => {
      if (!header.hasAttribute("scope")) return;
      const button = document.createElement("button");
      button.type = "button";
      button.append(...header.childNodes);
      header.append(button);
      button.addEventListener("click", () => sort(table, column, header));
    });
  }

  // ---- search: every word has to stand in a row's id or in its text ----
  const search = byId("search");
  const details = all("#rows details");
  let rows = null;
  const find = () => {
    rows ??= all("table.search tbody tr").map((row) => {
      const head = row.cells[0];
      return { row, text: `${head.textContent} ${head.title}`.toLowerCase(),
               counts: row.closest("#rows") !== null };
    });
    const wanted = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    let found = 0, counted = 0;
    for (const { row, text, counts } of rows) {
      row.hidden = !wanted.every((word) => text.includes(word));
      counted += counts;
      found += counts && !row.hidden;
    }
    byId("found").textContent = wanted.length ? `${found} of ${counted} rows` : "";
    for (const one of details) {
      one.hidden = wanted.length > 0 && !one.querySelector("tbody tr:not([hidden])");
      if (wanted.length && !one.hidden && details.length <= 12) one.open = true;
    }
  };
  let waiting = 0;
  search.addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(find, 80); });
  document.addEventListener("keydown", (event) => {
    const typing = event.target.matches("input, textarea");
    if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      search.focus();
    } else if (event.key === "Escape" && event.target === search) {
      search.value = "";
      find();
    }
  });

  // ---- what is folded: all at once, by a link to it, and for paper ----
  byId("open-all").addEventListener("click", (event) => {
    const open = details.some((one) => !one.open);
    for (const one of details) one.open = open;
    event.target.textContent = open ? "Close all" : "Open all";
  });
  const unfold = () => {
    const target = location.hash && byId(decodeURIComponent(location.hash.slice(1)));
    const folded = target && target.closest("details");
    if (folded) { folded.open = true; folded.hidden = false; folded.scrollIntoView(); }
  };
  addEventListener("hashchange", unfold);
  unfold();
  let folded = [];
  addEventListener("beforeprint", () => {
    folded = all("details:not([open])");
    for (const one of folded) one.open = true;
  });
  addEventListener("afterprint", () => { for (const one of folded) one.open = false; });

  byId("own-speed")?.addEventListener("change", (event) => {
    for (const table of all("table.matrix")) table.classList.toggle("own", event.target.checked);
  });

  // ---- where a table is larger than its frame: how large it is, and which way to scroll ----
  const hint = (frame) => {
    const table = frame.querySelector("table");
    const wide = frame.scrollWidth > frame.clientWidth + 1;
    const tall = frame.scrollHeight > frame.clientHeight + 1;
    let line = frame.previousElementSibling;
    if (!line || !line.classList.contains("hint")) {
      line = document.createElement("p");
      line.className = "hint";
      frame.before(line);
    }
    const columns = table.tHead.rows[0].cells.length, rows = table.tBodies[0].rows.length;
    const ways = [wide && "sideways", tall && "down"].filter(Boolean);
    line.hidden = !ways.length;
    line.textContent = `${wide ? (tall ? "⤡" : "↔") : "↕"} ` +
      `${rows} row${rows === 1 ? "" : "s"}, ${columns} columns: scroll ${ways.join(" and ")} to see all of them.`;
    const right = frame.scrollLeft + frame.clientWidth < frame.scrollWidth - 1;
    const below = frame.scrollTop + frame.clientHeight < frame.scrollHeight - 1;
    frame.classList.toggle("more-right", right);
    frame.classList.toggle("more-below", below);
  };
  const sizes = new ResizeObserver((entries) => { for (const one of entries) hint(one.target); });
  for (const frame of all(".scroll")) {
    sizes.observe(frame);
    frame.addEventListener("scroll", () => hint(frame), { passive: true });
  }
})();
