// The workbench: edits of a list, its versions, and the measurements that follow each edit.
"use strict";
(async () => {
  const { html, put, plusMinus, entries, store, server, workbench: draws } = hanabi, { shortName, readEntry } = entries;
  const $ = (id) => document.getElementById(id), main = document.querySelector("main"), board = document.querySelector("hanabi-board");
  const GAMES = 4000, OTHER_GAMES = 1000, PAUSE = 250, RETRIES = 3, BEGINNER = 5, PERFECT = Number(main.dataset.perfect), { variant } = main.dataset;
  const PARTS = ["rules", "conventions"], COUNTS = [2, 3, 4, 5];
  let made = null;                               // {id, name, begun, versions, at}
  let players = 3, since = 0, kind = "All", query = "", offers = [], offersOf = "", outlived = [], shownOffer = -1, improving = null, timer = 0, errors = [], failed = null, busy = false;
  let weights = {}, files = {}, loaded = "", papers = null, game = null, side = 0, saved = null, lastKey = "", lastShown = null, preparing = [];
  const results = new Map(), gains = new Map(), worths = new Map(), sweeps = new Map(), chosen = new Map();
  const lastSweeps = new Map();                  // by whether it is of papers: the newest sweep {state, list, used, made}, shown until there is one of this list
  const faults = new Map();                      // entries of a file or a link that cannot be played, `part/text`: {error, suggestion}
  const references = JSON.parse(main.dataset.references ?? "[]");

  const post = (path, body) => server.ask(path, { players, variant, ...body });
  const follow = (what, path, body, tell) => server.follow(what, path, { players, variant, name: made.name, ...body }, (state) => { notePreparing(state); tell(state); });
  const fail = (error) => { $("wrong").textContent = error.message; };
  const say = (text) => { $("live").textContent = text; };
  server.tell = (text) => { $("lost").textContent = text; };

  // ---- the list
  const version = () => made.versions[made.at];
  const keyOf = (one, count) => Object.keys(one.lists).find((key) => covers(key, count));
  const covers = (key, count) => { const [low, high = low] = key.split("-"); return Number(low) <= count && count <= Number(high); };
  const listOf = (one = version(), count = players) => one.lists[keyOf(one, count)];
  const faultOf = (part, text) => faults.get(`${part}/${text}`) ?? (entries.isGrown(text) || entries.familyOf(part, readEntry(text).name) ? null : { error: `no ${part === "rules" ? "rule" : "convention"} '${readEntry(text).name}'` });
  const plays = (part, row) => row.on && !faultOf(part, row.e);
  const onlyOn = (list, part) => list[part].filter((row) => plays(part, row)).map((row) => row.e);
  const sent = (list) => ({ rules: onlyOn(list, "rules"), conventions: onlyOn(list, "conventions"), weights: list.weights, otherwise: list.otherwise });
  // what is switched off: [place among those that are on, entry]
  function offOf(list) {
    const off = {};
    for (const part of PARTS) { let place = 0; off[part] = []; for (const row of list[part]) if (plays(part, row)) place += 1; else off[part].push([place, row.e]); }
    return off;
  }
  const idOf = (one = version(), count = players) => `${count}|${JSON.stringify(sent(listOf(one, count)))}`;
  const worthId = (one = version()) => idOf(one) + JSON.stringify(offOf(listOf(one)));
  const emptyList = () => ({ rules: [], conventions: [], weights: {}, otherwise: "default" });
  const copyLists = () => JSON.parse(JSON.stringify(version().lists));
  function fromData(data) {
    const list = { ...emptyList(), weights: data.weights ?? {}, otherwise: data.otherwise ?? "default" };
    for (const part of PARTS) {
      const rows = (data[part] ?? []).map((e) => ({ e, on: true }));
      for (const [place, e] of [...data.off?.[part] ?? []].reverse()) rows.splice(place, 0, { e, on: false });
      list[part] = rows;
    }
    return list;
  }
  // entries that the site cannot read; they stay, and are not played
  function noteFaults(wrong) {
    for (const { part, place, error, text } of wrong) if (place !== null && text) faults.set(`${part}/${text}`, { error, suggestion: /did you mean '([^']+)'/.exec(error)?.[1] });
  }
  async function checkLists(lists) {
    const texts = {};
    for (const [key, list] of Object.entries(lists)) texts[key] = { rules: list.rules.map((row) => row.e), conventions: list.conventions.map((row) => row.e), weights: list.weights, otherwise: list.otherwise };
    const read = await post("/build/read", { lists: texts });
    Object.assign(entries.spoken, read.says);
    noteFaults(read.wrong.filter((one) => !/ twice /.test(one.error)));
  }
  const repeated = (list) => { const texts = onlyOn(list, "conventions").map((text) => { const { name } = readEntry(text); return entries.familyOf("conventions", name).stage === "game" ? name : text; }); return texts.find((text, i) => texts.indexOf(text) !== i); };

  // make a version by an edit of the list at this player count; edits with one key within a pause are one version
  function edit(say_, change, by = "", key = "") {
    const lists = copyLists(), list = lists[keyOf(version(), players)], before = repeated(list);
    if (change(list, lists) === false) return false;
    const twice = repeated(list);
    if (twice && twice !== before) { refuse(`the convention ${shortName(twice)} stands twice in the list: write it once`); return false; }
    const merges = key && key === lastKey && made.at === made.versions.length - 1;
    if (!merges) made.at += 1;
    made.versions.length = made.at;
    made.versions.push({ lists, say: say_, by });
    since = made.at - 1;
    lastKey = key;
    changed(`${say_}. Measuring.`);
    return true;
  }
  function refuse(text) { draw(); $("wrong").textContent = text; say(text); }
  function goTo(at) {
    if (at < 0 || at >= made.versions.length) return;
    made.at = at;
    since = Math.max(0, at - 1);
    changed(`Version ${at + 1}.`);
  }
  function keep() { $("begun").textContent = `${made.begun} · ${store.keep(made) ? "kept in this browser" : "kept in this tab only: Save writes a file"}`; }
  // the row is drawn first; what takes longer comes after it
  function changed(text) {
    errors = [];
    failed = null;
    $("wrong").textContent = "";
    say(text);
    clearTimeout(timer);
    server.forget(["improve"]);
    busy = !results.get(idOf())?.ended;
    hanabi.bench.letGo?.();
    draw();
    setTimeout(() => { keep(); drawLibrary(); }, 0);
    timer = setTimeout(() => { lastKey = ""; measure().catch(fail); }, PAUSE);
  }

  // ---- measuring: score, worth, other counts, game, sweep
  function notePreparing(state) {
    const names = state.preparing ?? [], had = preparing.length;
    preparing = names.length ? [...new Set([...preparing, ...names])] : [];
    if (preparing.length || had) $("preparing").textContent = preparing.length ? `Preparing rules, once on this machine, about 15 s: ${preparing.length > 1 ? `${draws.number(preparing.length - 1)} done, ` : ""}now ${preparing.at(-1).replaceAll("_", " ")}` : "";
  }
  async function scoreOf(one, count, shown, games, against) {
    const id = idOf(one, count), tell = (state) => {
      if (state.mean === undefined) return;
      results.set(id, { ...results.get(id), ...state, ended: state.ended || results.get(id)?.ended });
      if (against && state.gain !== undefined) gains.set(`${against.id}→${id}`, state);
      if (shown && id === idOf()) draw();
    };
    return follow(shown ? "score" : `count${count}`, "/build/score", { list: sent(listOf(one, count)), players: count, games, shown, against: against?.key ?? "" }, tell);
  }
  async function measure(games = GAMES, tries = 0) {
    const one = version(), old = made.at ? made.versions[made.at - 1] : null, list = sent(listOf(one));
    busy = true;
    draw();
    try {
      let before = old && results.get(idOf(old));
      if (old && (!before?.ended || before.done < games)) {
        const scored = await scoreOf(old, players, true, games).catch((error) => { if (error.over) throw error; return {}; });  // the version before may be the wrong one
        if (scored === null) return;
        before = results.get(idOf(old));
      }
      const against = before?.key && idOf(old) !== idOf(one) ? { id: idOf(old), key: before.key } : null;
      let state = await scoreOf(one, players, true, games, against);
      if (state === null) return;
      if (against && state.gain === undefined) {  // the site was started again since
        if (await scoreOf(old, players, true, games) === null) return;
        state = await scoreOf(one, players, true, games, against);
        if (state === null) return;
      }
      busy = false;
      draw();
      sayScore();
      if (isStale()) hanabi.bench.checkOffers();
      await Promise.all([measureWorth(list), measureGame(old, one), measureOthers(one)]);
      await measureSweep(list, kind === "2018" || kind === "Papers");
    } catch (error) {
      busy = false;
      if (error.over && tries < RETRIES) { if (one === version()) await measure(games, tries + 1); return; }
      if (one === version()) placeError(error);
      draw();
    }
  }
  // an error names a place among the rows that are on, or a rule that fails in a game
  function placeError(error) {
    const { part, place } = error.data ?? {}, list = listOf();
    let i = -1, where = part;
    if (typeof place === "number") { let n = -1; i = list[part]?.findIndex((row) => plays(part, row) && (n += 1) === place) ?? -1; }
    else if (error.state?.failed) {
      failed = error.state.failed;
      for (const one of PARTS) { const found = list[one].findIndex((row) => row.on && row.e === failed.rule); if (found >= 0) { i = found; where = one; } }
    }
    if (i >= 0) errors = [{ part: where, i, error: error.message, suggestion: /did you mean '([^']+)'/.exec(error.message)?.[1] }];
    else fail(error);
    say(error.message);
  }
  async function measureWorth(list) {
    const id = worthId(), off = offOf(listOf());
    if (worths.get(id)?.ended || !list.rules.length) return;
    await follow("worth", "/build/worth", { list, off, games: 2000 }, (state) => { worths.set(id, state); if (id === worthId()) draw(); });
  }
  async function measureOthers(one) {
    for (const count of COUNTS.filter((n) => n !== players)) {
      if (results.has(idOf(one, count))) continue;
      if (await scoreOf(one, count, false, OTHER_GAMES) === null || one !== version()) return;
      drawTabs();
    }
  }
  const sweepId = (isMuseum) => `${isMuseum}|${idOf()}`;
  async function measureSweep(list, isMuseum) {
    const id = sweepId(isMuseum), show = (state) => { sweeps.set(id, state); keepSweep(); if (id === sweepId(isMuseum)) drawLibrary(); };
    // what this list had in it, for the order of the library while the next list is tried
    const keepSweep = () => { lastSweeps.set(isMuseum, { state: sweeps.get(id), list, used: usedOf(list), made: made.id }); };
    if (sweeps.get(id)?.ended) { keepSweep(); drawLibrary(); return; }
    const begun = performance.now();
    const state = await follow("sweep", "/build/sweep", { list, museum: isMuseum }, (one) => { if (one.of) $("swept").textContent = `${one.done} of ${one.of} tried`; if (one.ended) show(one); });
    if (state) $("swept").textContent = `${state.of} rules tried here, ${((performance.now() - begun) / 1000).toFixed(1)} s`;
  }
  async function measureGame(old, one, deal = null) {
    const section = $("changed"), id = idOf(one);
    if (!old || idOf(old) === id && deal === null) { section.hidden = game === null; return; }
    const list = sent(listOf(one)), against = sent(listOf(old));
    if (!results.get(idOf(old))?.ended) return;
    const games = await follow("games", "/build/games", { list, against }, () => {});
    if (!games || id !== idOf()) return;
    const wanted = deal ?? games.changed[0]?.[0] ?? games.lowest;
    const found = await follow("game", "/build/game", { list, against, deal: wanted }, () => {});
    if (!found || id !== idOf()) return;
    game = { ...found, games, lists: [against, list], names: [`Version ${made.versions.indexOf(old) + 1}`, `Version ${made.versions.indexOf(one) + 1}`] };
    side = 1;
    drawGame();
  }
  // ``alone``: without the version before, which may not be scored
  async function showDeal(deal, alone = false) {
    const old = made.at && !alone ? made.versions[made.at - 1] : null;
    try {
      if (old) await measureGame(old, version(), deal);
      else {
        const list = sent(listOf()), found = await follow("game", "/build/game", { list, deal }, () => {});
        if (found) { game = { ...found, lists: [list], turn: alone ? found.new.turns.at(-1).turn : found.turn, games: { changed: [], histogram: [] }, names: ["", `Version ${made.at + 1}`] }; side = 1; drawGame(); }
      }
      $("changed").scrollIntoView({ block: "start" });
    } catch (error) { fail(error); }
  }
  function sayScore() {
    const one = results.get(idOf()), gain = gainOf(made.at);
    say(`${draws.two(one.mean)} points${gain ? gain.worse || gain.better ? `, ${entries.signed(gain.gain, gain.gain_sem)} over version ${made.at}` : `, plays the same as version ${made.at}` : ""}.`);
  }
  function gainOf(at) {
    if (!at) return null;
    const old = idOf(made.versions[at - 1]), id = idOf(made.versions[at]), done = results.get(old)?.done;
    if (old === id) return done ? { gain: 0, gain_sem: 0, worse: 0, better: 0, same: done, over: done } : null;
    return gains.get(`${old}→${id}`) ?? null;
  }

  // ---- drawing
  function draw() {
    const focus = document.activeElement, row = focus?.closest?.("[data-key]"), place = row && { part: row.dataset.part, i: row.dataset.i, label: focus.getAttribute("aria-label"), cls: focus.className, what: focus.closest("[data-what]")?.dataset.what };
    const list = listOf(), result = results.get(idOf()), old = listOf(made.versions[Math.min(since, made.versions.length - 1)]);
    // what is there stays: a file chooser that is open gives its file to the element it came from
    if (list.rules.length) put($("empty"), ""); else if (!$("empty").firstElementChild) put($("empty"), draws.emptyHtml());
    // a row that is moved, a menu or a field that is open stay as they are
    const stays = $("list").querySelector(".typed, .pop, .dragging, .lift");
    for (const part of stays ? [] : PARTS) {
      const { marks, gone } = entries.marksBetween(onlyOn(list, part), onlyOn(old, part));
      put($(part), rowsOf(part, list, marks, result));
      const off = list[part].map((one) => one.e);
      put($(`gone-${part}`), made.at ? draws.goneHtml(part, gone.filter((text) => !off.includes(text))) : "");
    }
    drawTabs();
    $("counted").textContent = list.conventions.length ? `${onlyOn(list, "conventions").length} conventions` : "none: hints mean what they say";
    $("otherwise").value = list.otherwise;
    $("othershare").textContent = result?.shares ? `${(100 * result.shares.at(-1)).toFixed(1)} % of moves` : "";
    $("weighed").textContent = Object.keys(list.weights).length ? `${Object.keys(list.weights).length} differ from the library` : "all as in the library";
    put($("weights"), draws.weightsHtml(weights, list.weights));
    put($("since"), made.versions.slice(0, made.at).map((_, i) => html`<option value="${i}" ${i === since && html`selected`}>${i ? `version ${i + 1}` : "the beginning"}</option>`).reverse());
    drawScore(result);
    drawOffers();
    $("undo").setAttribute("aria-disabled", made.at === 0);
    $("redo").setAttribute("aria-disabled", made.at === made.versions.length - 1);
    if (place && !stays) refocus(place);
  }
  function rowsOf(part, list, marks, result) {
    const worth = worths.get(worthId()), shares = part === "rules" ? result?.shares : null, most = Math.max(...(shares ?? [1]).slice(0, -1));
    let place = -1, off = -1;
    const marksNone = !onlyOn(list, "conventions").length;
    const rows = list[part].map((row, i) => {
      const playing = plays(part, row), family = entries.familyOf(part, readEntry(row.e).name);
      if (playing) place += 1; else off += 1;
      const note = family?.needs_marks && marksNone && playing && part === "rules" && shares && shares[place] === 0 ? "no convention gives it anything to read: it decides nothing" : "";
      return draws.rowHtml({ part, row, i, place: playing ? place : -1, mark: playing ? marks[place] : ["", ""], share: playing ? shares?.[place] : undefined, most, worth: playing ? worth?.[part]?.[place] : worth?.off?.[part]?.[off],
        busy: worth ? !worth.ended : busy, error: errors.find((one) => one.part === part && one.i === i) ?? (row.on ? faultOf(part, row.e) : null), note });
    });
    const offer = offers[shownOffer];
    if (offer?.part === part && offer.what.startsWith("Add") && !isStale()) {
      const at = list[part].findIndex((row) => row.on && row.e === offer.other);
      rows.splice(at < 0 ? rows.length : at, 0, draws.ghostHtml(offer, shownOffer));
    }
    return rows;
  }
  function refocus({ part, i, label, cls, what }) {
    const row = document.querySelector(`.row1[data-part="${part}"][data-i="${i}"]`), all = [...row?.querySelectorAll("button, [tabindex], input, select") ?? []];
    const found = what ? row?.querySelector(`[data-what="${CSS.escape(what)}"] [role=spinbutton], [data-what="${CSS.escape(what)}"]:is(input, select)`) : all.find((one) => one.getAttribute("aria-label") === label) ?? all.find((one) => one.className === cls);
    found?.focus({ preventScroll: true });
  }
  function drawTabs() {
    const had = document.activeElement?.closest?.("#tabs"), key = keyOf(version(), players), [low, high] = key.split("-");
    put($("tabs"), draws.tabsHtml(players, (count) => keyOf(version(), count), (count) => results.get(idOf(version(), count))));
    if (had) $(`tab-${players}`).focus();
    $("own").textContent = high ? `Own list for ${players}` : "One list for all";
    $("shared").textContent = `The first rule that applies decides. ${high ? key === "2-5" ? "All four counts play this list." : `${low} to ${high} players play this list.` : `Only ${low} players play this list.`}`;
  }
  const isKnown = (result) => result && result.mean !== null && result.mean !== undefined;
  function drawScore(result) {
    const gain = gainOf(made.at), known = isKnown(result);
    if (known) lastShown = { result, at: made.at, players, made };
    const old = !known && lastShown?.made === made && lastShown.players === players ? lastShown : null;  // the last numbers, until there are new ones
    const big = known ? result : old?.result;
    $("scorehead").textContent = `${players} players`;
    put($("big"), big ? html`${draws.two(big.mean)} <small>${big.sem !== null && `± ${big.sem.toFixed(2)}`} of ${PERFECT}${old && !busy && ` · of version ${old.at + 1}`}</small>` : html`<span class="wait">…</span>`);
    put($("perfect"), big ? html`perfect<br><b>${(100 * big.perfect).toFixed(1)} %</b>` : "");
    $("big").classList.toggle("old", Boolean(old));
    $("perfect").classList.toggle("old", Boolean(old));
    const done = known ? result.done : 0, of = known && !busy ? result.done : result?.of ?? GAMES;
    $("progress").textContent = busy ? `${draws.number(done)} of ${draws.number(of)} games` : known ? `${draws.number(done)} deals` : "";
    $("bar").firstElementChild.style.width = `${100 * done / of}%`;
    $("bar").setAttribute("aria-valuenow", done);
    $("bar").setAttribute("aria-valuemax", of);
    put($("gain"), known ? draws.gainHtml(gain, made.at) : "");
    $("gain").className = `gain ${gain ? entries.tone(gain.gain, gain.gain_sem) : "zero"}`;
    put($("split"), known ? draws.splitHtml(gain) : "");
    $("more").hidden = busy || !known || !gain || !gain.over || gain.over >= 20_000 || !(gain.worse || gain.better) || Math.abs(gain.gain) > 2 * gain.gain_sem;
    $("failed").hidden = !failed;
    $("openfailed").hidden = !failed || failed.deal === null;
    if (failed) $("failedline").textContent = `${shortName(failed.rule)} fails: seed ${failed.seed}, turn ${failed.turn}. Version ${made.at + 1} is not scored.`;
    const shown = made.versions.map((one, i) => ({ say: one.say, by: one.by, mean: results.get(idOf(one))?.mean, gain: gainOf(i) }));
    put($("chart"), draws.chartHtml(shown, made.at, PERFECT, references.filter((row) => row.players === players).map((row) => [row.name, row.points])));
    $("ring").textContent = made.versions.some((one) => one.by) ? " Ring in another colour: taken from the evolution." : "";
    put($("hist"), draws.historyHtml(shown, made.at));
    const lost = result?.lost ?? [], before = made.at ? results.get(idOf(made.versions[made.at - 1]))?.lost : null;
    $("losthead").textContent = known ? `Where ${draws.two(PERFECT - result.mean)} points are lost` : "Where points are lost";
    put($("lostlist"), draws.lostHtml(lost, before));
    put($("short"), known ? html`<b>${draws.two(result.mean)}</b> ${result.sem !== null && `± ${result.sem.toFixed(2)}`}${gain && html`<br><span class="gain ${entries.tone(gain.gain, gain.gain_sem)}">${gain.worse || gain.better ? entries.signed(gain.gain, gain.gain_sem) : "the same"}</span> over ${made.at}`}` : busy ? "measuring …" : "");
    if (known && !busy) put($("lead"), leadHtml(result, gain));
  }
  function leadHtml(result, gain) {
    const here = references.filter((row) => row.players === players), below = here.filter((row) => row.points < result.mean).sort((a, b) => b.points - a.points)[0], above = here.filter((row) => row.points > result.mean).sort((a, b) => a.points - b.points)[0];
    const apart = gain && Math.abs(gain.gain) > 2 * gain.gain_sem, places = [below && `${draws.two(result.mean - below.points)} above ${below.name}`, above && `${draws.two(above.points - result.mean)} below ${above.name}`].filter(Boolean);
    return html`Version ${made.at + 1} makes <b>${plusMinus(result.mean, result.sem ?? 0)} points</b> with ${players} players${apart && html`, ${plusMinus(Math.abs(gain.gain), gain.gain_sem)} ${gain.gain > 0 ? "more" : "fewer"} than version ${made.at}`}${places.length > 0 && `: ${places.join(", ")}`}.`;
  }
  // whether the gains of the offers are those over another list
  const isStale = () => offers.length > 0 && offersOf !== idOf();
  function drawOffers() {
    const needs = "needs a rule to change", none = !onlyOn(listOf(), "rules").length;
    put($("offers"), draws.offersHtml(offers, shownOffer, listOf(), outlived, isStale()));
    $("go").textContent = improving ? "Stop" : `Improve for ${$("seconds").value} s`;
    $("go").setAttribute("aria-disabled", none);
    if (none) $("budget").textContent = needs;
    else if ($("budget").textContent === needs) $("budget").textContent = "tries single changes";
  }
  const held = (family) => chosen.get(`${family.part}/${family.name}`) ?? sweepOf(family)?.[0] ?? family.entry;
  const isMuseumShown = () => kind === "2018" || kind === "Papers";
  const sweepNow = () => sweeps.get(sweepId(isMuseumShown()));
  // the sweep of the list before, while the one of this list goes on
  const sweepBefore = () => { const last = lastSweeps.get(isMuseumShown()); return !sweepNow() && last?.made === made.id ? last : null; };
  const usedOf = (list) => new Set(PARTS.flatMap((part) => list[part].map((text) => `${part}/${readEntry(text).name}`)));
  // [entry, place, gain, s.e., ...] of a family; of an older sweep with the place that its neighbour has now
  function sweepOf({ part, name }) {
    const before = sweepBefore(), row = (sweepNow() ?? before?.state)?.[part]?.[name];
    if (!row || !before) return row;
    const now = onlyOn(listOf(), part), next = before.list[part][row[1]], place = now.indexOf(next);
    return [row[0], next === undefined ? now.length : place < 0 ? Math.min(row[1], now.length) : place, ...row.slice(2)];
  }
  function drawLibrary() {
    const list = { rules: onlyOn(listOf(), "rules"), conventions: onlyOn(listOf(), "conventions") }, before = sweepBefore(), plain = list.rules.length < BEGINNER && !query && kind === "All" && $("sort").value === "here";
    const focus = document.activeElement?.closest?.("#shelf [data-key]")?.dataset.key, cls = document.activeElement?.className;
    put($("kinds"), draws.kindsHtml(kind));
    if ($("shelf").querySelector(".typed")) return;
    const shown = (part) => entries.families.filter((family) => family.part === part && draws.inKind(family, "All", query)).length;
    $("libcount").textContent = `${shown("rules")} rules, ${shown("conventions")} conventions`;
    $("plainfirst").hidden = !plain;
    put($("shelf"), draws.libraryHtml({ kind, query, sort: $("sort").value, used: usedOf(list), usedBefore: before?.used, held, sweepOf, files, plain, noMeaning: !list.conventions.length }));
    if (focus) [...document.querySelector(`[data-key="${CSS.escape(focus)}"]`)?.querySelectorAll("button, [tabindex]") ?? []].find((one) => one.className === cls)?.focus({ preventScroll: true });
  }
  let tryMoves = null;
  const resetWhatIf = hanabi.startWhatIf(board, (turn, show) => tryMoves(turn, show));
  function drawGame() {
    const { games, turn, deal } = game, sides = [{ name: game.names[0], data: game.old }, { name: game.names[1], data: game.new }].filter((one) => one.data);
    $("changed").hidden = false;
    const shown = sides.length === 1 ? 0 : side;
    board.games = [sides[shown].data];
    board.show({ game: 0, turn });
    const asked = { list: game.lists.at(shown - sides.length), players: board.games[0].players, deal };
    tryMoves = (at, show) => follow("moves", "/build/moves", { ...asked, turn: at }, show);
    resetWhatIf();
    const [old, new_] = sides.length === 2 ? [game.old.score, game.new.score] : [null, game.new.score];
    put($("gamelead"), old === null ? html`Deal ${draws.number(deal + 1)}: ${new_} points.` : html`On deal ${draws.number(deal + 1)}, ${game.names[0].toLowerCase()} makes <b>${old}</b> points and ${game.names[1].toLowerCase()} <b>${new_}</b>. They part at turn ${turn}.`);
    $("parttitle").textContent = old === null ? `Turn ${turn}` : `Turn ${turn}: here they part`;
    put($("part"), draws.partHtml(sides, turn, shown));
    const count = games.histogram?.filter(([change]) => change).reduce((sum, [, n]) => sum + n, 0) ?? 0;
    $("changedcount").textContent = `${draws.number(count)} games changed`;
    put($("histogram"), draws.histogramHtml(games.histogram ?? []));
    put($("games"), draws.gamesHtml(games, deal));
  }

  // ---- the library; a site with own rules reads them again when their file is saved
  async function readLibrary() {
    const library = await server.ask("/build/library", undefined, true), again = loaded && library.loaded !== loaded;
    entries.setLibrary(library);
    ({ weights, files, loaded } = library);
    if (papers) { papers = null; await readPapers(); }
    return { again, library };
  }
  // the rules of papers are sent once a list, a search or a kind of the library asks for them
  function readPapers() {
    papers ??= server.ask("/build/library?papers=1", undefined, true).then(({ groups }) => { entries.addFamilies(groups); });
    return papers;
  }
  async function learnFamilies(lists) {
    const isUnknown = (part) => (row) => !entries.familyOf(part, readEntry(row.e).name);
    if (Object.values(lists).some((list) => PARTS.some((part) => list[part].some(isUnknown(part))))) await readPapers();
  }
  async function watchFiles() {
    const { again } = await readLibrary();
    if (again) {
      for (const map of [results, gains, worths, sweeps, faults]) map.clear();
      server.forget();
      await checkLists(version().lists);
      changed(`${Object.keys(files).join(", ")} was read again. Measuring.`);
    } else drawLibrary();
  }

  hanabi.bench = { $, PARTS, COUNTS, sweepOf, post, follow, fail, say, edit, refuse, goTo, listOf, onlyOn, plays, sent, offOf, version, keyOf, fromData, noteFaults, checkLists, readPapers, learnFamilies, emptyList, draw, drawLibrary, drawOffers, drawGame, measure, measureSweep, showDeal, changed, keep, idOf, held, covers, variant, chosen,
    get made() { return made; }, set made(one) { made = one; since = Math.max(0, one.at - 1); lastKey = ""; }, get players() { return players; }, set players(count) { players = count; },
    get offers() { return offers; }, set offers(some) { offers = some.filter((one) => !one.spellings.some(store.isRefused)); outlived = []; }, get isStale() { return isStale(); }, set offersOf(id) { offersOf = id; }, set outlived(some) { outlived = some; }, get shownOffer() { return shownOffer; }, set shownOffer(i) { shownOffer = i; },
    get improving() { return improving; }, set improving(job) { improving = job; }, get game() { return game; }, set side(i) { side = i; }, get kind() { return kind; }, set kind(one) { kind = one; }, set query(text) { query = text; },
    get since() { return since; }, set since(i) { since = i; }, get saved() { return saved; }, set saved(one) { saved = one; }, get failed() { return failed; }, letGo: null };

  // ---- begin
  try {
    await readLibrary();
    await hanabi.startBench();
    if (Object.keys(files).length) setInterval(() => { watchFiles().catch(fail); }, 2000);
  } catch (error) { fail(error); }
  $("reading").hidden = true;
})();
