// What spectators see of a table: whoever runs the site chooses it and gets the link; everybody at the table reads it.
"use strict";
(() => {
  const { html, put } = hanabi, SAYS = { "all hands": "Spectators see all hands.", "hands of agents": "Spectators see the table, and no card that a person holds." };
  // `choice` is the select (null for a guest), `link` the place of the link, `line` that of the sentence; `change(what)` sends a choice
  hanabi.tableWatching = (choice, link, line, change) => {
    choice?.addEventListener("change", () => change(choice.value));
    return (data) => {
      line.textContent = data.over ? "" : SAYS[data.watching] ?? "";
      if (!choice) return;
      choice.value = data.watching;
      const address = data.over || !data.watch_link ? "" : `${location.origin}${data.watch_link}`;
      if (link.dataset.address === address) return;
      link.dataset.address = address;
      put(link, address ? html`<a href="${address}" target="_blank" rel="noopener">${address}</a>` : "");
    };
  };
})();
