// The lists that were built in this browser, newest first.
"use strict";
(() => {
  const { html, put, store, counted } = hanabi, lists = store.readAll().sort((one, other) => other.used - one.used).slice(0, 5);
  document.getElementById("nolists").hidden = lists.length > 0;
  put(document.getElementById("lists"), lists.map((one) => html`<li><a href="/build?list=${encodeURIComponent(one.id)}">${one.name}</a><span>${counted(one.versions.length, "version")}</span></li>`));
})();
