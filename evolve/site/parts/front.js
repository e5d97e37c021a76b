// A table beside an agent at one click; the lists that were built in this browser, newest first, each with its score, which the site remembers or
// measures now.
"use strict";
(() => {
  const { html, put, plusMinus, store, server, counted } = hanabi, lists = store.readAll().sort((one, other) => other.used - one.used).slice(0, 5);
  const players = 3, scores = new Map();
  const listed = (one) => one.versions[one.at]?.lists ?? {};
  // entries of one list: those that are on, for three players
  function sent(one) {
    const key = Object.keys(listed(one)).find((text) => { const [low, high = low] = text.split("-"); return Number(low) <= players && players <= Number(high); }), list = listed(one)[key];
    const on = (part) => (list[part] ?? []).filter((row) => row.on).map((row) => row.e);
    return list && { rules: on("rules"), conventions: on("conventions"), weights: list.weights ?? {}, otherwise: list.otherwise ?? "default" };
  }
  const draw = () => put(document.getElementById("lists"), lists.map((one) => html`<li><a href="/build?list=${encodeURIComponent(one.id)}">${one.name}</a><span>${one.at === one.versions.length - 1 ? counted(one.versions.length, "version") : `version ${one.at + 1}`}${scores.has(one.id) && ` · ${scores.get(one.id)}`}</span></li>`));
  async function measure() {
    for (const one of lists) {
      const list = sent(one);
      if (!list?.rules.length) continue;
      try {
        const found = await server.follow("score", "/build/score", { list, players, games: 4000, shown: false }, () => {});
        if (found) scores.set(one.id, plusMinus(found.mean, found.sem));
      } catch { continue; }                      // a list that cannot play has no score
      draw();
    }
  }
  for (const link of document.querySelectorAll("[data-sit]")) link.addEventListener("click", async (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;     // the link leads to the form, in another window
    event.preventDefault();
    const say = (line) => { document.getElementById("laying").textContent = line; };
    try { await hanabi.layTable({ seats: ["person", link.dataset.sit] }, say); } catch (error) { say(error.message); }
  });
  document.getElementById("nolists").hidden = lists.length > 0;
  draw();
  measure();
})();
