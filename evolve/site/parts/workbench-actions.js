// What a person does at the workbench beside the rows: open, add, improve, save, share. Begun by workbench.js once the library is there.
"use strict";
hanabi.startBench = async () => {
  const bench = hanabi.bench, { entries, store, html, put } = hanabi, { $, edit, say, listOf, onlyOn, sent, post } = bench, { shortName, readEntry } = entries;
  const rows = hanabi.startRows(bench), bar = document.querySelector(".bench"), main = document.querySelector("main"), board = document.querySelector("hanabi-board");
  const PART = { rules: "rule", conventions: "convention" }, NUMBERS = ["No", "One", "Two", "Three", "Four", "Five", "Six"];

  // ---- adding from the library
  // the place among all rows of a place among those that are on
  function rowPlace(part, place) {
    let n = -1;
    const found = rows.rowsOf(part).findIndex((row) => bench.plays(part, row) && (n += 1) === place);
    return found < 0 ? rows.rowsOf(part).length : found;
  }
  function addFamily(name, atEnd) {
    const family = entries.families.find((one) => `${one.part}/${one.name}` === name), { part } = family, text = bench.held(family);
    const swept = bench.sweepOf(family), place = atEnd || !swept ? rows.rowsOf(part).length : rowPlace(part, swept[1]), companion = swept?.[4];
    const added = edit(`Added “${shortName(text)}”${companion ? ` with “${shortName(companion)}”` : ""}`, (list) => {
      list[part].splice(place, 0, { e: text, on: true });
      if (companion && !list.rules.some((one) => readEntry(one.e).name === readEntry(companion).name)) list.rules.splice(rowPlace("rules", swept[6]), 0, { e: companion, on: true });
    });
    if (!added) return;
    rows.focusGrip(part, place);
    say(`Added ${shortName(text)} as ${PART[part]} ${place + 1}. Measuring.`);
  }

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
      const rest = bench.COUNTS.filter((n) => n !== count && bench.covers(key, n)), parts = [];
      for (const n of rest) { if (parts.length && parts.at(-1).at(-1) === n - 1) parts.at(-1).push(n); else parts.push([n]); }
      for (const part of parts) lists[part.length > 1 ? `${part[0]}-${part.at(-1)}` : part[0]] = JSON.parse(JSON.stringify(list));
    });
  }
  const begin = (name, begun, lists, words, from = "") => {
    bench.made = { id: `${Date.now().toString(36)}${Math.random().toString(36).slice(2, 8)}`, name, begun, from, at: 0, versions: [{ lists, say: words, by: "" }] };
    bench.offers = [];
    $("name").value = name;
    bench.changed(words);
  };
  const freeName = (name) => { const used = new Set(store.readAll().map((one) => one.name)); let found = name, n = 2; while (used.has(found)) { found = `${name}-${n}`; n += 1; } return found; };
  function listsOf(data) {
    const lists = {};
    for (const [key, list] of Object.entries(data.lists)) lists[key] = bench.fromData(list);
    for (const n of bench.COUNTS) if (!Object.keys(lists).some((key) => bench.covers(key, n))) lists[n] = bench.emptyList();
    const twice = data.wrong.filter((one) => / twice /.test(one.error));
    for (const { key, part, place } of twice) if (place !== null) lists[key][part].filter((row) => row.on)[place].on = false;
    bench.noteFaults(data.wrong.filter((one) => !twice.includes(one)));
    return lists;
  }
  async function openText(body) {
    const data = await post("/build/read", body), lists = listsOf(data);
    Object.assign(entries.spoken, data.says);
    await bench.learnFamilies(lists);
    if (body.run && openReturned(data, lists)) return;
    const short = (name) => name.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^[^a-z]+|-$/g, "").slice(0, 54);
    begin(freeName(body.text === undefined ? `my-${short(data.name)}` : short(data.name) || "mine"), `begun from ${data.name || "a file"}`, lists, `Opened ${data.name || "a file"}`, body.agent ?? "");
    if (data.wrong.length) $("wrong").textContent = data.wrong.map((one) => one.error).join(" · ");
  }
  // what a run made of a list of this browser is a version of that list
  function openReturned(data, lists) {
    const mine = data.start && store.readAll().find((one) => one.name === data.start.name);
    if (!mine) return false;
    bench.made = mine;
    $("name").value = mine.name;
    edit(`The best of run ${data.name}`, (_, all) => { for (const key of Object.keys(all)) delete all[key]; Object.assign(all, lists); }, "evolution");
    bench.since = Math.min(Math.max(0, data.start.version - 1), mine.at - 1);
    bench.draw();
    return true;
  }
  async function openLink(text) {
    const { name, lists } = await store.unpack(text);
    if (typeof lists !== "object" || !Object.keys(lists).length) throw new Error("no lists");
    const read = {};
    for (const [key, list] of Object.entries(lists)) {
      read[key] = { ...bench.emptyList(), weights: list.weights ?? {}, otherwise: list.otherwise ?? "default" };
      for (const part of bench.PARTS) read[key][part] = list[part].map((row) => ({ e: String(row.e), on: row.on !== false }));
    }
    if (!bench.COUNTS.every((n) => Object.keys(read).some((key) => bench.covers(key, n)))) throw new Error("no list for some players");
    await bench.checkLists(read);
    await bench.learnFamilies(read);
    begin(freeName(String(name).slice(0, 60)), "opened from a link", read, "Opened from a link");
    history.replaceState(null, "", `/build${location.search}`);
  }

  // ---- improve
  async function improve() {
    if (bench.improving) { post(`/build/jobs/${bench.improving}/stop`, {}).catch(bench.fail); return; }
    if (!onlyOn(listOf(), "rules").length) return;
    const id = bench.idOf(), seconds = Number($("seconds").value);
    bench.offers = [];
    bench.shownOffer = -1;
    bench.improving = "begun";
    $("wrong").textContent = "";
    bench.drawOffers();
    let last = null;
    try {
      last = await bench.follow("improve", "/build/improve", { list: sent(listOf()), seconds, not: store.readRefused() }, (state) => {
        bench.improving = state.job;
        if (state.tried === undefined) return;
        $("budget").textContent = state.doing === "prove" ? "proving on fresh deals …" : `${state.tried.toLocaleString("en")} changes, ${state.games.toLocaleString("en")} games, ${Math.ceil(state.left)} s left`;
        if (id === bench.idOf()) { bench.offers = state.offers; bench.offersOf = id; bench.drawOffers(); }
      });
    } catch (error) {
      bench.fail(error.over ? new Error("The site was started again, which ended the search: press Improve again.") : error);
      $("budget").textContent = "tries single changes";
    }
    bench.improving = null;
    if (last?.offers) {
      const found = last.offers.length, tried = last.tried.toLocaleString("en");
      $("tried").textContent = `${tried} changes tried`;
      $("budget").textContent = found ? "those that hold on fresh deals" : `${tried} changes tried in ${last.games.toLocaleString("en")} games; ${last.outdone} looked better, none held on fresh deals. Single changes of ${seconds} s find nothing more here; a run may.`;
      say(found ? `${NUMBERS[found] ?? found} ${found === 1 ? "change" : "changes"} proved ${found === 1 ? "itself" : "themselves"}.` : "No change proved itself.");
      if (found && id === bench.idOf()) bench.shownOffer = 0;
    }
    bench.draw();
  }
  async function take(i) {
    const offer = bench.offers[i];
    if (bench.isStale) { say("This change is being measured again over the new list: wait for its gain."); return; }
    try {
      const { list } = await post("/build/apply", { list: sent(listOf()), change: offer.change }), rest = bench.offers.filter((_, n) => n !== i);
      bench.offers = rest;
      bench.shownOffer = -1;
      if (edit(`Took “${offer.part === "weights" ? offer.entry : shortName(offer.entry)}”`, (mine) => { merge(mine, list); }, "evolution")) checkOffers();
      $("go").focus({ preventScroll: true });
    } catch (error) { bench.fail(error); }
  }
  // rows that do not play stay where they are
  function merge(mine, list) {
    for (const part of bench.PARTS) {
      const still = mine[part].map((row, i) => [row, i]).filter(([row]) => !bench.plays(part, row));
      mine[part] = list[part].map((e) => ({ e, on: true }));
      for (const [row, i] of still) mine[part].splice(Math.min(i, mine[part].length), 0, row);
    }
    mine.weights = list.weights;
    mine.otherwise = list.otherwise;
  }
  // the offers that are left are measured again over the new list; those that do not hold any more go
  let checking = "";
  async function checkOffers() {
    const before = bench.offers, id = bench.idOf();
    if (!before.length || checking === id) return;
    checking = id;
    try {
      const state = await bench.follow("check", "/build/check", { list: sent(listOf()), changes: before.map((one) => one.change) }, () => {});
      if (!state || id !== bench.idOf()) return;
      bench.offers = before.map((one, i) => state.gains[i] && { ...one, ...state.gains[i] }).filter(Boolean);
      bench.outlived = before.filter((_, i) => !state.gains[i]);
      bench.offersOf = id;
      $("budget").textContent = `${bench.offers.length} of ${before.length} still hold`;
      bench.draw();
    } catch (error) { bench.fail(error); } finally { if (checking === id) checking = ""; }
  }
  bench.checkOffers = checkOffers;

  // ---- save, share, sit down, compare
  function fileLists() {
    const lists = {};
    for (const [key, list] of Object.entries(bench.version().lists)) if (onlyOn(list, "rules").length) lists[key] = { ...sent(list), off: bench.offOf(list) };
    return lists;
  }
  const fileBody = () => ({ name: $("name").value.trim(), lists: fileLists(), version: bench.made.at + 1 });
  const save = (replace) => post("/build/save", { ...fileBody(), replace: replace || bench.saved === $("name").value.trim() }).then((found) => { bench.saved = $("name").value.trim(); return found; });
  async function openSaving() {
    $("saved").textContent = "";
    $("toml").textContent = "";
    $("savehelp").textContent = "Any command takes the file.";
    $("dosave").textContent = `Save ${$("name").value.trim()}`;
    delete $("dosave").dataset.replace;
    if (!$("saving").open) $("saving").showModal();
    try { $("toml").textContent = (await post("/build/text", fileBody())).text; } catch (error) { $("saved").textContent = error.message; }
  }
  function offerReplacing(error) {
    $("saved").textContent = error.message;
    if (error.status === 409) { $("dosave").dataset.replace = "yes"; $("dosave").textContent = "Replace it"; }
  }
  async function doSave(event) {
    try {
      const found = await save(event.currentTarget.dataset.replace === "yes");
      $("toml").textContent = found.text;
      $("saved").textContent = `Saved as ${found.path}. It may sit down at a table and play a tournament.`;
      $("savehelp").textContent = `Any command takes it: hanabi show ${found.spec}`;
      delete $("dosave").dataset.replace;
    } catch (error) { offerReplacing(error); }
  }
  async function copy(text, words) {
    try { await navigator.clipboard.writeText(text); $("saved").textContent = words; } catch { $("saved").textContent = "The browser did not let it be copied."; }
  }
  // with the list as a file; an agent of that name that another list wrote is not replaced unasked
  async function withSaved(act) {
    try { await save(false); await act($("name").value.trim()); } catch (error) {
      if (error.status === 409) { await openSaving(); offerReplacing(error); } else bench.fail(error);
    }
  }
  async function sit() {
    try {
      const list = { list: sent(listOf()), name: $("name").value.trim() || "list" };
      const { links } = await post("/tables", { seats: ["person", ...Array(bench.players - 1).fill(list)] });
      location.assign(Object.values(links)[0]);
    } catch (error) { bench.fail(error); }
  }
  const compare = () => withSaved((name) => { location.assign(`/tournament?with=${encodeURIComponent(name)}&with=${encodeURIComponent(bench.made.from || "convention")}`); });
  const evolve = () => withSaved((name) => { location.assign(`/evolve?from=${encodeURIComponent(name)}&version=${bench.made.at + 1}`); });
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
    copylink: copyLink, download, more: () => bench.measure(20_000).catch(bench.fail), addhere: () => { $("library").scrollIntoView(); $("query").focus(); }, goparting: () => board.show({ turn: bench.game.turn }), openfailed: () => bench.showDeal(bench.failed.deal, true) };
  const placeOf = (button) => { const { part, i } = button.closest(".row1").dataset; return { part, i: Number(i), text: rows.rowsOf(part)[i].e }; };
  const ACTS = {
    undo: IDS.undo, improve, sit, compare, evolve,
    unguard: (button) => { const { part, i, text } = placeOf(button); rows.change(part, i, entries.withoutGuard(text, Number(button.dataset.guard)), `“${shortName(text)}” with one guard less`); rows.focusGrip(part, i); },
    suggest: (button) => { const { part, i, text } = placeOf(button), { name } = readEntry(text); suggest(part, i, text.replace(name, button.dataset.text), name).catch(bench.fail); },
    putback: (button) => { rows.putBack(button.dataset.part, button.dataset.text); },
  };
  async function suggest(part, i, text, name) {
    const { lists } = await post("/build/read", { lists: { 2: { [part]: [text] } } });  // with all its values
    rows.change(part, i, lists[2][part][0], `Corrected ${name}`);
    rows.focusGrip(part, i);
  }
  function refuseOffer(i) {
    store.refuse(bench.offers[i].change);
    bench.offers = bench.offers.filter((_, n) => n !== i);
    bench.shownOffer = -1;
    bench.draw();
    $("go").focus();
  }
  function drawLibrary(withPapers) {
    bench.drawLibrary();
    if (withPapers) bench.readPapers().then(bench.drawLibrary).catch(bench.fail);
  }
  function showKind(kind) {
    bench.kind = kind;
    bench.query = $("query").value = "";
    const isPapers = ["2018", "Papers"].includes(kind);
    drawLibrary(isPapers);
    bench.measureSweep(sent(listOf()), isPapers).catch(bench.fail);
  }
  addEventListener("click", (event) => {
    const button = event.target.closest("button, a[data-version]");
    if (!event.target.closest(".pop, .more")) rows.closeMenu();
    if (event.pointerType === "touch" && event.target.closest("[role=spinbutton]")) { rows.type(event.target.closest("[role=spinbutton]"), ""); return; }
    if (!button) return;
    const { dataset } = button;
    if (dataset.by) { rows.nudge(button, Number(dataset.by)); return; }
    if (button.matches(".more:not(#more)")) { rows.openMenu(button, button.closest(".row1")); return; }
    if (button.matches(".add")) { addFamily(button.closest("[data-family]").dataset.family, event.shiftKey); return; }
    if (dataset.version !== undefined) { event.preventDefault(); bench.goTo(Number(dataset.version)); }
    else if (dataset.take !== undefined) take(Number(dataset.take));
    else if (dataset.refuse !== undefined) refuseOffer(Number(dataset.refuse));
    else if (dataset.show !== undefined) { bench.shownOffer = Number(dataset.show); bench.draw(); document.querySelector(".ghost")?.scrollIntoView({ block: "nearest" }); }
    else if (dataset.kind) showKind(dataset.kind);
    else if (dataset.players) showPlayers(Number(dataset.players));
    else if (dataset.begin !== undefined) { if (dataset.begin) openText({ agent: dataset.begin }).catch(bench.fail); else $("query").focus(); }
    else if (dataset.side !== undefined) { bench.side = Number(dataset.side); bench.drawGame(); }
    else if (dataset.deal !== undefined && Number(dataset.deal) >= 0) bench.showDeal(Number(dataset.deal));
    else if (dataset.act && ACTS[dataset.act]) ACTS[dataset.act](button);
    else if (IDS[button.id] && button.getAttribute("aria-disabled") !== "true") IDS[button.id]({ currentTarget: button });
  });
  bar.addEventListener("change", ({ target }) => {
    if (target.dataset.weight) {
      const name = target.dataset.weight, value = Number(target.value);
      edit(`${rows.capital(name.replaceAll("_", " "))}: ${value}`, (list) => { list.weights[name] = value; }, "", `weight-${name}`);
    } else if (target.id === "since") { bench.since = Number(target.value); bench.draw(); }
    else if (target.id === "sort") bench.drawLibrary();
    else if (target.id === "otherwise") edit("Otherwise changed", (list) => { list.otherwise = target.value; });
    else if (target.id === "seconds") bench.drawOffers();
    else if (target.id === "variant") location.assign(`/build?list=${encodeURIComponent(bench.made.id)}&players=${bench.players}&variant=${encodeURIComponent(target.value)}`);
    else if (target.id === "file") target.files[0].text().then((text) => openText({ text })).catch(bench.fail);
  });
  bar.addEventListener("keydown", (event) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (event.target.matches("[role=tab]") && by) { event.preventDefault(); showPlayers(2 + (bench.players - 2 + by + 4) % 4); $(`tab-${bench.players}`).focus(); }
    if (event.target.matches(".add") && event.key === "Enter" && event.shiftKey) { event.preventDefault(); addFamily(event.target.closest("[data-family]").dataset.family, true); }
  });
  // an agent file is dropped on the list
  $("list").addEventListener("dragover", (event) => { if (event.dataTransfer?.types.includes("Files")) event.preventDefault(); });
  $("list").addEventListener("drop", (event) => {
    const [file] = event.dataTransfer?.files ?? [];
    if (!file) return;
    event.preventDefault();
    file.text().then((text) => openText({ text })).catch(bench.fail);
  });
  // a rule is written as an expression: the word that is begun is completed, the whole is read before it is added
  const expression = $("expression"), vocabulary = JSON.parse(expression.dataset.words);
  expression.addEventListener("input", () => {
    const [begun] = /[\w.]*$/.exec(expression.value), before = expression.value.slice(0, expression.value.length - begun.length), isFirst = !before.trim();
    const fits = vocabulary.filter((word) => word.includes(".") === isFirst && word.startsWith(begun) && word !== begun);
    put($("words"), fits.map((word) => html`<option value="${before}${word}"></option>`));
  });
  $("write").addEventListener("submit", async (event) => {
    event.preventDefault();
    const text = expression.value.trim(), place = rows.rowsOf("rules").length;
    $("unread").textContent = "";
    try {
      if (!entries.isGrown(text)) throw new Error("Begin with grown. or grown_marks., as in grown.play_newest(told).");
      const read = await post("/build/read", { lists: { "2-5": { rules: [text] } } });
      if (read.wrong.length) throw new Error(read.wrong[0].error);
      const [written] = read.lists["2-5"].rules;
      Object.assign(entries.spoken, read.says);
      if (!edit("Wrote a rule", (list) => { list.rules.push({ e: written, on: true }); })) return;
      expression.value = "";
      rows.focusGrip("rules", place);
    } catch (error) { $("unread").textContent = error.message; }
  });
  $("query").addEventListener("input", () => { bench.query = $("query").value; drawLibrary(bench.query !== ""); });
  $("name").addEventListener("change", () => { bench.made.name = $("name").value.trim(); bench.keep(); });
  addEventListener("keydown", (event) => {
    const typing = event.target.matches?.("input:not([type=checkbox]), textarea, select"), key = event.key.toLowerCase();
    if ((event.ctrlKey || event.metaKey) && key === "s") { event.preventDefault(); openSaving(); return; }
    if (typing) return;
    if (event.key === "/") { event.preventDefault(); $("query").focus(); }
    if ((event.ctrlKey || event.metaKey) && key === "z") { event.preventDefault(); (event.shiftKey ? IDS.redo : IDS.undo)(); }
  });
  addEventListener("storage", (event) => {
    const other = event.key === "hanabi.workbench" && store.find(bench.made.id);
    if (other && JSON.stringify(other.versions) !== JSON.stringify(bench.made.versions)) $("begun").textContent = `${bench.made.begun} · another window edits this list, too: the last edit wins`;
  });

  // ---- what is opened: a list in the link, an agent, a run, a game, the last list of this browser, or nothing
  bench.players = bench.COUNTS.includes(Number(main.dataset.players)) ? Number(main.dataset.players) : 3;
  const nothing = () => begin(freeName("mine"), "begun from nothing", { "2-5": bench.emptyList() }, "Begun from nothing");
  const link = /^#list=(.+)$/.exec(location.hash)?.[1], wanted = JSON.parse(main.dataset.wanted), kept = store.find(new URLSearchParams(location.search).get("list"));
  try {
    if (link) await openLink(link);
    else if (Object.keys(wanted).length) await openText(wanted);
    else if (kept) { await bench.checkLists(kept.versions[kept.at].lists); for (const one of kept.versions) await bench.learnFamilies(one.lists); bench.made = kept; $("name").value = kept.name; bench.changed("Opened."); }
    else nothing();
  } catch (error) {
    nothing();
    $("wrong").textContent = link ? "This link holds no list that can be read." : error.message;
  }
};
