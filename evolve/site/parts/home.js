// The form that lays a table: sends who sits where, and shows each person's link or goes to the only one.
"use strict";
(() => {
  const { html, put } = hanabi, at = (id) => document.getElementById(id), form = at("lay"), wrong = at("wrong");
  const NAMES = ["Ann", "Bob", "Cal", "Dee", "Eve"];
  const seated = () => Math.max(2, new FormData(form).getAll("seat").filter(Boolean).length);
  // what each chosen partner expects, one line each
  function expect() {
    const says = new Map([...form.querySelectorAll("select[name=seat]")].map(({ selectedOptions: [one] }) => [one.value, one.dataset]));
    put(at("expects"), [...says].filter(([, { says: line, taught }]) => line || taught === "").map(([name, { says: line, taught }]) => html`<li><b>${name}</b>${line && `: ${line}`} ${taught === "" && html`<a href="/teach/${encodeURIComponent(name)}?players=${seated()}" aria-label="Teach me ${name}">Teach me</a>`}</li>`));
  }
  form.addEventListener("change", expect);
  expect();
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    wrong.textContent = "";
    const fields = new FormData(form), seed = fields.get("seed").trim();
    const body = { seats: fields.getAll("seat").filter(Boolean), variant: fields.get("variant").trim() || "standard",
      position: fields.get("position").trim(), ...(seed && { seed: Number(seed) }) };
    try {
      const links = await hanabi.layTable(body, (line) => { at("wait").textContent = line; });
      if (links.length > 1) put(at("links"), links.map(([seat, link]) => html`<li>${NAMES[seat]}: <a href="${link}">${location.origin}${link}</a></li>`));
    } catch (error) { wrong.textContent = error.message; }
  });
})();
