// What a person does at the workbench: pointer, keys, menus, saving. Begun by workbench.js once the library is there.
"use strict";
hanabi.startBench = async () => {
  const bench = hanabi.bench, { entries, store, html, put } = hanabi, { $, edit, say, listOf, onlyOn, sent } = bench;
  const { shortName, readEntry } = entries, bar = document.querySelector(".bench"), main = document.querySelector("main");
  const PART = { rules: "rule", conventions: "convention" };
  let lifted = null;

  // ---- edits
  const rowsOf = (part) => listOf()[part];
  const capital = (text) => text.replace(/^./, (letter) => letter.toUpperCase());
  function move(part, from, to, focus = true) {
    const text = rowsOf(part)[from].e;
    if (!edit(`Moved “${shortName(text)}” from ${from + 1} to ${to + 1}`, (list) => { const [row] = list[part].splice(from, 1); list[part].splice(to, 0, row); })) return;
    if (focus) grip(part, to)?.focus({ preventScroll: true });
  }
  const grip = (part, i) => document.querySelector(`.row1[data-part="${part}"][data-i="${i}"] .grip`);
  function takeOut(part, i) {
    const text = rowsOf(part)[i].e, count = rowsOf(part).length;
    edit(`Took “${shortName(text)}” out`, (list) => { list[part].splice(i, 1); });
    (grip(part, Math.min(i, count - 2)) ?? $("addhere")).focus({ preventScroll: true });
  }
  function change(part, i, text, words) {
    edit(words, (list) => { if (list[part][i].e === text) return false; list[part][i].e = text; return true; });
  }
  // the place among all rows of a place among those that are on
  function rowPlace(part, place) {
    let n = -1;
    const found = rowsOf(part).findIndex((row) => row.on && (n += 1) === place);
    return found < 0 ? rowsOf(part).length : found;
  }
  function addFamily(name, atEnd) {
    const family = entries.families.find((one) => `${one.part}/${one.name}` === name), { part } = family, text = bench.held(family);
    const swept = bench.sweepOf?.(family), place = atEnd || !swept ? rowsOf(part).length : rowPlace(part, swept[1]), companion = swept?.[4];
    const row = { e: text, on: true };
    edit(`Added “${shortName(text)}”${companion ? ` with “${shortName(companion)}”` : ""}`, (list) => {
      list[part].splice(place, 0, row);
      if (companion && !list.rules.some((one) => readEntry(one.e).name === readEntry(companion).name)) list.rules.splice(0, 0, { e: companion, on: true });
    });
    grip(part, place)?.focus({ preventScroll: true });
    say(`Added ${shortName(text)} as ${PART[part]} ${place + 1}. Measuring.`);
  }

  // ---- dragging by pointer
  function dragStart(event, row) {
    const list = row.parentElement, rows = [...list.querySelectorAll(".row1:not(.ghost)")], from = rows.indexOf(row), line = document.createElement("li");
    let to = from;
    line.className = "dropline";
    line.setAttribute("aria-hidden", "true");
    list.classList.add("dragging");
    row.classList.add("drag");
    const over = (event_) => {
      to = rows.findIndex((one) => event_.clientY < one.getBoundingClientRect().top + one.offsetHeight / 2);
      if (to < 0) to = rows.length;
      line.style.top = `${(to < rows.length ? rows[to].offsetTop : rows.at(-1).offsetTop + rows.at(-1).offsetHeight) - 2}px`;
      list.append(line);
    };
    const stop = (event_) => {
      if (event_.type === "keydown" && event_.key !== "Escape") return;
      for (const [name, act] of [["pointermove", over], ["pointerup", stop], ["pointercancel", stop], ["keydown", stop]]) removeEventListener(name, act, true);
      line.remove();
      list.classList.remove("dragging");
      row.classList.remove("drag");
      const goal = to > from ? to - 1 : to;
      if (event_.type === "pointerup" && goal !== from) move(row.dataset.part, from, goal);
    };
    for (const [name, act] of [["pointermove", over], ["pointerup", stop], ["pointercancel", stop], ["keydown", stop]]) addEventListener(name, act, true);
    event.preventDefault();
    row.querySelector(".grip").focus({ preventScroll: true });
  }
  bar.addEventListener("pointerdown", (event) => {
    const found = event.target.closest(".grip");
    if (found && event.button === 0) dragStart(event, found.closest(".row1"));
  });

  // ---- keys on a row
  function dropLifted(back) {
    const { part, from, to, text } = lifted;
    lifted = null;
    if (!back && to !== from) { move(part, from, to); return; }
    bench.draw();
    grip(part, from)?.focus({ preventScroll: true });
    say(back ? "Put back." : `Dropped ${shortName(text)}.`);
  }
  function liftedStep(row, event, by) {
    const count = rowsOf(lifted.part).length, to = Math.min(count - 1, Math.max(0, lifted.to + by));
    event.preventDefault();
    if (to === lifted.to) return;
    const other = by < 0 ? row.previousElementSibling : row.nextElementSibling;
    if (other) { if (by < 0) other.before(row); else other.after(row); }
    lifted.to = to;
    event.target.focus();
    say(`Place ${to + 1} of ${count}.`);
  }
  function onRowKey(event) {
    const row = event.target.closest(".row1:not(.ghost)"), by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!row) return;
    const { part } = row.dataset, i = Number(row.dataset.i), count = rowsOf(part).length;
    if (event.altKey && by) {
      event.preventDefault();
      if (i + by >= 0 && i + by < count) move(part, i, i + by);
    } else if (!event.target.matches(".grip")) return;
    else if (event.key === " " || event.key === "Enter") {
      event.preventDefault();
      if (lifted) { dropLifted(false); return; }
      lifted = { part, from: i, to: i, text: rowsOf(part)[i].e };
      row.classList.add("lift");
      say(`Lifted ${shortName(lifted.text)}, place ${i + 1} of ${count}. Arrow keys move it.`);
    } else if (lifted && by) liftedStep(row, event, by);
    else if (lifted && event.key === "Escape") dropLifted(true);
    else if (event.key === "Delete") { event.preventDefault(); takeOut(part, i); }
    else if (by) { event.preventDefault(); grip(part, Math.min(count - 1, Math.max(0, i + by)))?.focus(); }
  }

  // ---- values
  function nudge(element, by) {
    const box = element.closest(".val"), row = element.closest(".row1:not(.ghost)"), family = element.closest("[data-family]"), { what } = box.dataset;
    if (row) {
      const { part } = row.dataset, i = Number(row.dataset.i), text = entries.stepped(part, rowsOf(part)[i].e, what, by);
      if (text) change(part, i, text, wordsOf(text, what));
    } else if (family) hold(family, (one, text) => entries.stepped(one.part, text, what, by), what);
  }
  function wordsOf(text, what) {
    const entry = readEntry(text), [sort, key] = what.split(":");
    return sort === "value" ? `${capital(shortName(text))}: ${key} ${entry.values[key]}` : `${capital(shortName(text))}: ${entry.guards[Number(key)].quantity} ${entry.guards[Number(key)].number}`;
  }
  // another value of an entry of the library, before it is added
  function hold(element, changeText, what) {
    const name = element.dataset.family, family = entries.families.find((one) => `${one.part}/${one.name}` === name), text = changeText(family, bench.held(family));
    if (!text) return;
    bench.chosen.set(name, text);
    bench.drawLibrary();
    document.querySelector(`[data-family="${CSS.escape(name)}"] [data-what="${what}"] [role=spinbutton]`)?.focus({ preventScroll: true });
  }
  bar.addEventListener("keydown", (event) => {
    if (event.target.matches("[role=spinbutton]") && !event.altKey) {
      const by = { ArrowUp: 1, ArrowRight: 1, ArrowDown: -1, ArrowLeft: -1, Home: -Infinity, End: Infinity }[event.key];
      if (by) { event.preventDefault(); nudge(event.target, by); return; }
    }
    if (event.target.matches("[role=tab]")) {
      const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (by) { event.preventDefault(); showPlayers(2 + (bench.players - 2 + by + 4) % 4); $(`tab-${bench.players}`).focus(); return; }
    }
    if (event.target.matches(".add") && event.key === "Enter" && event.shiftKey) { event.preventDefault(); addFamily(event.target.closest("[data-family]").dataset.family, true); return; }
    onRowKey(event);
  });
  bar.addEventListener("change", (event) => {
    const { target } = event, row = target.closest(".row1:not(.ghost)"), family = target.closest("[data-family]"), what = target.dataset?.what;
    if (target.matches("[role=switch]")) {
      const { part } = row.dataset, i = Number(row.dataset.i), { e, on } = rowsOf(part)[i];
      edit(`“${shortName(e)}” ${on ? "off" : "on"}`, (list) => { list[part][i].on = !on; });
    } else if (what) {
      const value = target.type === "checkbox" ? Number(target.checked) : Number(target.value);
      if (row) { const { part } = row.dataset, i = Number(row.dataset.i), text = entries.withValue(rowsOf(part)[i].e, what, value); change(part, i, text, wordsOf(text, what)); }
      if (family) hold(family, (_, text) => entries.withValue(text, what, value), what);
    } else if (target.dataset.weight) {
      const name = target.dataset.weight, value = Number(target.value);
      edit(`${capital(name.replaceAll("_", " "))}: ${value}`, (list) => { list.weights[name] = value; });
    } else if (target.id === "since") { bench.since = Number(target.value); bench.draw(); }
    else if (target.id === "sort") bench.drawLibrary();
    else if (target.id === "otherwise") edit("Otherwise changed", (list) => { list.otherwise = target.value; });
    else if (target.id === "seconds") bench.drawOffers();
    else if (target.id === "file") target.files[0].text().then((text) => openText({ text })).catch(bench.fail);
  });

  // ---- the menu of a row
  const MENU = [["up", "Move up (Alt ↑)"], ["down", "Move down (Alt ↓)"], ["first", "Move to the top"], ["guard", "Only when …"], ["out", "Take out (Del)"]];
  function openMenu(button, row) {
    closeMenu();
    const menu = document.createElement("div");
    menu.className = "pop";
    menu.setAttribute("role", "menu");
    put(menu, MENU.map(([key, text]) => html`<button type="button" role="menuitem" data-menu="${key}">${text}</button>`));
    row.append(menu);
    menu.firstElementChild.focus();
    menu.addEventListener("keydown", (event) => {
      const all = [...menu.querySelectorAll("[role=menuitem]")], i = all.indexOf(document.activeElement), by = { ArrowDown: 1, ArrowUp: all.length - 1 }[event.key];
      if (by) { all[(i + by) % all.length].focus(); event.preventDefault(); }
      if (event.key === "Escape") { closeMenu(); button.focus(); }
      event.stopPropagation();
    });
    menu.addEventListener("click", (event) => {
      const key = event.target.closest("[data-menu]")?.dataset.menu, { part } = row.dataset, i = Number(row.dataset.i), count = rowsOf(part).length;
      event.stopPropagation();
      if (key === "guard") { guardForm(menu, part, i); return; }
      if (!key) return;
      closeMenu();
      if (key === "up" && i) move(part, i, i - 1);
      if (key === "down" && i < count - 1) move(part, i, i + 1);
      if (key === "first" && i) move(part, i, 0);
      if (key === "out") takeOut(part, i);
    });
  }
  function guardForm(menu, part, i) {
    const names = Object.entries(entries.quantities).filter(([, [, , ofHints]]) => part === "conventions" || !ofHints);
    put(menu, html`<form class="guard"><label>when <select name="quantity" aria-label="Quantity">${names.map(([name]) => html`<option>${name}</option>`)}</select></label>
      <select name="comparison" aria-label="Comparison"><option value="&lt;=">≤</option><option value="&gt;=">≥</option><option value="==">=</option></select>
      <input name="number" type="number" value="2" aria-label="Number"><button>Add</button></form>`);
    menu.querySelector("select").focus();
    menu.querySelector("form").addEventListener("submit", (event) => {
      event.preventDefault();
      const fields = new FormData(event.target), text = rowsOf(part)[i].e;
      closeMenu();
      change(part, i, entries.withGuard(text, fields.get("quantity"), fields.get("comparison"), Number(fields.get("number"))), `“${shortName(text)}” only when ${fields.get("quantity")} ${fields.get("comparison")} ${fields.get("number")}`);
    });
  }
  const closeMenu = () => document.querySelector(".pop")?.remove();

  // ---- players, opening
  function showPlayers(count) {
    bench.players = count;
    bench.offers = [];
    bench.changed(`${count} players.`);
  }
  function ownList() {
    const count = bench.players, key = bench.keyOf(bench.version(), count);
    edit(key.includes("-") ? `Own list for ${count}` : "One list for all", (list, lists) => {
      if (!key.includes("-")) { for (const other of Object.keys(lists)) delete lists[other]; lists["2-5"] = list; return; }
      delete lists[key];
      lists[count] = list;
      const rest = [2, 3, 4, 5].filter((n) => n !== count && bench.covers(key, n)), parts = [];
      for (const n of rest) { if (parts.length && parts.at(-1).at(-1) === n - 1) parts.at(-1).push(n); else parts.push([n]); }
      for (const part of parts) lists[part.length > 1 ? `${part[0]}-${part.at(-1)}` : part[0]] = JSON.parse(JSON.stringify(list));
    });
  }
  const begin = (name, begun, lists, words) => {
    bench.made = { id: `${Date.now().toString(36)}${Math.random().toString(36).slice(2, 8)}`, name, begun, at: 0, versions: [{ lists, say: words, by: "" }] };
    bench.offers = [];
    $("name").value = name;
    bench.changed(words);
  };
  const freeName = (name) => { const used = new Set(store.readAll().map((one) => one.name)); let found = name, n = 2; while (used.has(found)) { found = `${name}-${n}`; n += 1; } return found; };
  async function openText(body) {
    const data = await bench.post("/build/read", body), lists = {};
    for (const [key, list] of Object.entries(data.lists)) lists[key] = bench.fromData(list);
    for (const n of [2, 3, 4, 5]) if (!Object.keys(lists).some((key) => bench.covers(key, n))) lists[n] = bench.emptyList();
    begin(freeName(body.agent ? `my-${data.name}`.slice(0, 60) : data.name || "mine"), `begun from ${data.name || "a file"}`, lists, `Opened ${data.name || "a file"}`);
    if (data.wrong.length) $("wrong").textContent = data.wrong.map((one) => one.error).join(" · ");
  }

  // ---- improve
  async function improve() {
    if (bench.improving) { bench.post(`/build/jobs/${bench.improving}/stop`, {}).catch(bench.fail); return; }
    if (!onlyOn(listOf().rules).length) return;
    bench.offers = [];
    bench.shownOffer = -1;
    bench.improving = "begun";
    $("wrong").textContent = "";
    bench.drawOffers();
    const id = bench.idOf();
    let last = null;
    try {
      last = await bench.follow("improve", "/build/improve", { list: sent(listOf()), seconds: Number($("seconds").value), not: bench.refused }, (state) => {
        bench.improving = state.job;
        if (state.tried === undefined) return;
        $("budget").textContent = state.doing === "prove" ? "proving on fresh deals …" : `${state.tried.toLocaleString("en")} changes, ${state.games.toLocaleString("en")} games, ${Math.ceil(state.left)} s left`;
        if (id === bench.idOf()) { bench.offers = state.offers; bench.drawOffers(); }
      });
    } catch (error) { bench.fail(error); }
    bench.improving = null;
    if (last) {
      const found = last.offers.length;
      $("tried").textContent = `${last.tried.toLocaleString("en")} changes tried`;
      $("budget").textContent = found ? "those that hold on fresh deals" : `${last.tried.toLocaleString("en")} changes tried in ${last.games.toLocaleString("en")} games; ${last.outdone} looked better, none held on fresh deals.`;
      say(found ? `${found === 1 ? "One change" : `${found} changes`} proved themselves.` : "No change proved itself.");
      if (found && id === bench.idOf()) bench.shownOffer = 0;
    }
    bench.draw();
  }
  async function take(i) {
    const offer = bench.offers[i];
    try {
      const { list } = await bench.post("/build/apply", { list: sent(listOf()), players: bench.players, change: offer.change });
      bench.offers = bench.offers.filter((_, n) => n !== i);
      bench.shownOffer = -1;
      const text = offer.part === "weights" ? offer.entry : shortName(offer.entry);
      edit(`Took “${text}”`, (mine) => { merge(mine, list); }, "evolution");
      $("go").focus({ preventScroll: true });
      checkOffers();
    } catch (error) { bench.fail(error); }
  }
  // rows that are off stay where they are
  function merge(mine, list) {
    for (const part of ["rules", "conventions"]) {
      const off = mine[part].map((row, i) => [row, i]).filter(([row]) => !row.on);
      mine[part] = list[part].map((e) => ({ e, on: true }));
      for (const [row, i] of off) mine[part].splice(Math.min(i, mine[part].length), 0, row);
    }
    mine.weights = list.weights;
    mine.otherwise = list.otherwise;
  }
  // the offers that are left are measured again over the new list; those that do not hold any more go
  async function checkOffers() {
    const before = bench.offers, id = bench.idOf();
    if (!before.length) return;
    try {
      const state = await bench.follow("check", "/build/check", { list: sent(listOf()), changes: before.map((one) => one.change) }, () => {});
      if (!state || id !== bench.idOf()) return;
      bench.offers = before.map((one, i) => state.gains[i] && { ...one, ...state.gains[i] }).filter(Boolean);
      $("budget").textContent = `${bench.offers.length} of ${before.length} still hold`;
      bench.draw();
    } catch (error) { bench.fail(error); }
  }

  // ---- save, share, sit down, compare
  const fileLists = () => { const lists = {}; for (const [key, list] of Object.entries(bench.version().lists)) if (onlyOn(list.rules).length) lists[key] = sent(list); return lists; };
  async function save(replace) {
    const name = $("name").value.trim();
    return bench.post("/build/save", { name, lists: fileLists(), replace: replace || bench.saved === name }).then((found) => { bench.saved = name; return found; });
  }
  async function openSaving() {
    $("saved").textContent = "";
    $("toml").textContent = "";
    $("savehelp").textContent = "Any command takes the file.";
    $("dosave").textContent = `Save ${$("name").value.trim()}`;
    $("saving").showModal();
    try { $("toml").textContent = (await bench.post("/build/text", { name: $("name").value.trim(), lists: fileLists() })).text; } catch (error) { $("saved").textContent = error.message; }
  }
  async function doSave(event) {
    try {
      const found = await save(event.currentTarget.dataset.replace === "yes");
      $("toml").textContent = found.text;
      $("saved").textContent = `Saved as ${found.path}. It may sit down at a table and play a tournament.`;
      $("savehelp").textContent = `Any command takes it: hanabi show ${found.spec}`;
      delete $("dosave").dataset.replace;
    } catch (error) {
      $("saved").textContent = error.message;
      if (error.status === 409) { $("dosave").dataset.replace = "yes"; $("dosave").textContent = "Replace it"; }
    }
  }
  async function copy(text, words) {
    try { await navigator.clipboard.writeText(text); $("saved").textContent = words; } catch { $("saved").textContent = "The browser did not let it be copied."; }
  }
  async function withSaved(act) {
    try { await save(true); await act($("name").value.trim()); } catch (error) { bench.fail(error); }
  }
  const sit = () => withSaved(async (name) => {
    const { links } = await bench.post("/tables", { seats: ["person", ...Array(bench.players - 1).fill(name)] });
    location.assign(Object.values(links)[0]);
  });
  const compare = () => withSaved((name) => { location.assign(`/tournament?with=${encodeURIComponent(name)}&with=convention`); });
  const evolve = () => withSaved((name) => { location.assign(`/evolve?from=${encodeURIComponent(name)}`); });
  async function copyLink() { await copy(`${location.origin}/build#list=${await store.pack({ name: $("name").value, lists: bench.version().lists })}`, "Copied: the whole list is in the link, nothing is sent."); }
  function download() {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([$("toml").textContent], { type: "application/toml" }));
    link.download = `${$("name").value.trim()}.toml`;
    link.click();
    URL.revokeObjectURL(link.href);
  }

  // ---- clicks
  const IDS = { undo: () => bench.goTo(bench.made.at - 1), redo: () => bench.goTo(bench.made.at + 1), go: improve, save: openSaving, dosave: doSave, close: () => $("saving").close(), own: ownList, sit, compare, evolve, copyfile: () => copy($("toml").textContent, "Copied."),
    copylink: copyLink, download, more: () => bench.measure(20_000).catch(bench.fail), addhere: () => { $("library").scrollIntoView(); $("query").focus(); }, goparting: () => board.show({ turn: bench.game.turn }) };
  const board = document.querySelector("hanabi-board");
  const ACTS = {
    undo: IDS.undo, improve, unguard: (button) => { const row = button.closest(".row1"), { part } = row.dataset, i = Number(row.dataset.i), text = rowsOf(part)[i].e; change(part, i, entries.withoutGuard(text, Number(button.dataset.guard)), `“${shortName(text)}” with one guard less`); },
    suggest: (button) => { const row = button.closest(".row1"), { part } = row.dataset, i = Number(row.dataset.i), { name } = readEntry(rowsOf(part)[i].e); change(part, i, rowsOf(part)[i].e.replace(name, button.dataset.text), `Corrected ${name}`); },
    putback: (button) => { const { part, text } = button.dataset; edit(`Put “${shortName(text)}” back`, (list) => { list[part].push({ e: text, on: true }); }); },
  };
  addEventListener("click", (event) => {
    const button = event.target.closest("button, a[data-version]");
    if (!event.target.closest(".pop, .more")) closeMenu();
    if (!button) return;
    const { dataset } = button;
    if (dataset.by) { nudge(button, Number(dataset.by)); return; }
    if (button.matches(".more:not(#more)")) { openMenu(button, button.closest(".row1")); return; }
    if (button.matches(".add")) { addFamily(button.closest("[data-family]").dataset.family, event.shiftKey); return; }
    if (dataset.version !== undefined) { event.preventDefault(); bench.goTo(Number(dataset.version)); }
    else if (dataset.take !== undefined) take(Number(dataset.take));
    else if (dataset.refuse !== undefined) { const [gone] = bench.offers.splice(Number(dataset.refuse), 1); bench.refused.push(gone.change); bench.shownOffer = -1; bench.draw(); $("go").focus(); }
    else if (dataset.show !== undefined) { bench.shownOffer = Number(dataset.show); bench.draw(); document.querySelector(".ghost")?.scrollIntoView({ block: "nearest" }); }
    else if (dataset.kind) { bench.kind = dataset.kind; bench.query = $("query").value = ""; bench.drawLibrary(); bench.measureSweep(sent(listOf()), ["2018", "Papers"].includes(dataset.kind)).catch(bench.fail); }
    else if (dataset.players) showPlayers(Number(dataset.players));
    else if (dataset.begin !== undefined) { if (dataset.begin) openText({ agent: dataset.begin }).catch(bench.fail); else $("query").focus(); }
    else if (dataset.side !== undefined) { bench.side = Number(dataset.side); bench.drawGame(); }
    else if (dataset.deal !== undefined && Number(dataset.deal) >= 0) bench.showDeal(Number(dataset.deal));
    else if (dataset.act && ACTS[dataset.act]) ACTS[dataset.act](button);
    else if (IDS[button.id] && button.getAttribute("aria-disabled") !== "true") IDS[button.id](event.currentTarget === window ? { currentTarget: button } : event);
  });
  $("query").addEventListener("input", () => { bench.query = $("query").value; bench.drawLibrary(); });
  $("name").addEventListener("change", () => { bench.made.name = $("name").value.trim(); store.keep(bench.made); });
  addEventListener("keydown", (event) => {
    const typing = event.target.matches?.("input:not([type=checkbox]), textarea, select"), key = event.key.toLowerCase();
    if ((event.ctrlKey || event.metaKey) && key === "s") { event.preventDefault(); openSaving(); return; }
    if (typing) return;
    if (event.key === "/") { event.preventDefault(); $("query").focus(); }
    if ((event.ctrlKey || event.metaKey) && key === "z") { event.preventDefault(); (event.shiftKey ? IDS.redo : IDS.undo)(); }
  });
  addEventListener("storage", (event) => {
    if (event.key === "hanabi.workbench" && store.find(bench.made.id)?.versions.length !== bench.made.versions.length) $("begun").textContent = `${bench.made.begun} · another window edits this list, too: the last edit wins`;
  });

  // ---- what is opened: a list in the link, an agent, the last list of this browser, or nothing
  bench.players = Number(main.dataset.players) || 3;
  const nothing = () => begin(freeName("mine"), "begun from nothing", { "2-5": bench.emptyList() }, "Begun from nothing");
  const link = /^#list=(.+)$/.exec(location.hash)?.[1], wanted = new URLSearchParams(location.search);
  try {
    if (link) { const { name, lists } = await store.unpack(link); begin(freeName(String(name).slice(0, 60)), "opened from a link", lists, "Opened from a link"); history.replaceState(null, "", "/build"); }
    else if (main.dataset.agent) await openText({ agent: main.dataset.agent });
    else if (wanted.has("list") && store.find(wanted.get("list"))) { bench.made = store.find(wanted.get("list")); $("name").value = bench.made.name; bench.changed("Opened."); }
    else nothing();
  } catch (error) {
    nothing();
    $("wrong").textContent = link ? "This link holds no list that can be read." : error.message;
  }
};
