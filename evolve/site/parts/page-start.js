// The form of a page without a server: the seats. A game that was kept goes on at once.
"use strict";
(() => {
  const { link } = hanabi, at = (id) => document.getElementById(id), form = at("lay"), seats = hanabi.seats(form, { alone: true });

  const show = (playing) => { at("start").hidden = playing; at("playing").hidden = at("new").hidden = !playing; };
  async function lay(setup) {
    at("refused").textContent = "";
    at("wait").textContent = "Dealing …";
    try { await link.open(setup); show(true); } catch (error) { at("refused").textContent = error.message; show(false); }
    at("wait").textContent = "";
  }
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const fields = new FormData(form), seed = fields.get("seed").trim(), specs = seats.read();
    if (specs.includes("")) at("refused").textContent = `No agent of this page plays with ${specs.length} players.`;
    else lay({ specs, seed: seed ? Number(seed) : link.newSeed() });
  });
  at("new").addEventListener("click", () => { link.forget(); show(false); });
  link.ready.then(() => { at("wait").textContent = ""; }, (error) => { at("wait").textContent = ""; at("refused").textContent = error.message; });
  const game = link.kept();
  if (game) lay(game);
})();
