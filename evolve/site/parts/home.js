// The form that lays a table on the site: shows each person's link, or goes to the only one.
"use strict";
(() => {
  const { html, put } = hanabi, at = (id) => document.getElementById(id), form = at("lay"), seats = hanabi.seats(form);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    at("wrong").textContent = "";
    const fields = new FormData(form), seed = fields.get("seed").trim();
    const body = { seats: seats.read(), variant: fields.get("variant").trim() || "standard",
      position: fields.get("position").trim(), ...(seed && { seed: Number(seed) }) };
    try {
      const links = await hanabi.layTable(body, (line) => { at("wait").textContent = line; });
      if (links.length > 1) put(at("links"), links.map(([seat, link]) => html`<li>${seats.names[seat]}: <a href="${link}">${location.origin}${link}</a></li>`));
    } catch (error) { at("wrong").textContent = error.message; }
  });
})();
