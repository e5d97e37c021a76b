// The form of a page without a server: who sits where. A game that was kept goes on at once.
"use strict";
(() => {
  const { html, put, shape, link } = hanabi, at = (id) => document.getElementById(id), form = at("lay"), chairs = [...form.querySelectorAll(".chair")];
  const count = () => Number(new FormData(form).get("players")), mine = () => Number(new FormData(form).get("me"));

  // chairs that are taken, and agents that play with so many
  function set() {
    if (mine() >= count()) form.elements.me.value = "0";
    chairs.forEach((chair, seat) => {
      const select = chair.querySelector("select");
      chair.hidden = seat >= count();
      chair.classList.toggle("mine", seat === mine());
      for (const option of select.options) option.disabled = !option.dataset.players.includes(count());
      if (select.selectedOptions[0]?.disabled) select.value = [...select.options].find((option) => !option.disabled)?.value ?? "";
      select.hidden = seat === mine();
    });
  }
  form.addEventListener("change", set);
  set();

  // a portrait of shapes, which follow from the name
  for (const partner of form.querySelectorAll("[data-partner]")) {
    const sum = [...partner.dataset.partner].reduce((hash, letter) => Math.imul(hash ^ letter.charCodeAt(0), 0x01000193) >>> 0, 0x811c9dc5);
    put(partner.querySelector(".portrait"), [0, 9, 18].map((bit) => shape("RBGYWP"[(sum >>> bit & 511) % 6])));
  }

  const show = (playing) => { at("start").hidden = playing; at("playing").hidden = at("new").hidden = !playing; };
  async function lay(setup) {
    at("refused").textContent = "";
    at("wait").textContent = "Dealing …";
    try { await link.open(setup); show(true); } catch (error) { at("refused").textContent = error.message; show(false); }
    at("wait").textContent = "";
  }
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const fields = new FormData(form), seed = fields.get("seed").trim(), seats = chairs.slice(0, count()).map((chair, seat) => seat === mine() ? "person" : chair.querySelector("select").value);
    if (seats.includes("")) at("refused").textContent = `No agent of this page plays with ${count()} players.`;
    else lay({ specs: seats, seed: seed ? Number(seed) : link.newSeed() });
  });
  at("new").addEventListener("click", () => { link.forget(); show(false); });
  link.ready.then(() => { at("wait").textContent = ""; }, (error) => { at("wait").textContent = ""; at("refused").textContent = error.message; });
  const game = link.kept();
  if (game) lay(game);
})();
