// The question about a costly move: its answer is kept by the site before it is shown.
"use strict";
(() => {
  const form = document.querySelector("form[data-note]");
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const answer = Number(new FormData(form).get("answer"));
    const sent = await fetch(form.dataset.note, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ answer }) });
    const data = await sent.json();
    if (sent.ok) location.assign(data.link);
    else form.querySelector("legend").textContent = data.error;
  });
})();
