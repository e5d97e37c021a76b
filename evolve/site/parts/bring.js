// The form that takes a game from elsewhere: its text, pasted or out of a file, becomes a game to look at.
"use strict";
(() => {
  const at = (id) => document.getElementById(id), form = at("bring"), wrong = at("wrong"), most = form.text.maxLength;
  form.file.addEventListener("change", async () => {
    const [file] = form.file.files;
    wrong.textContent = file && file.size > most ? `${file.name} has ${file.size} bytes; a game has at most ${most}.` : "";
    if (file && file.size <= most) form.text.value = await file.text();
  });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    wrong.textContent = "";
    try {
      const answer = await fetch("/games", { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ text: form.text.value }) });
      const data = await answer.json();
      if (answer.ok) location.assign(data.link);
      else wrong.textContent = data.error;
    } catch { wrong.textContent = "The site answers no more; nothing was done."; }
  });
})();
