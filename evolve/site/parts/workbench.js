// The workbench: edits of a list, its versions, and the measurements that follow each edit.
"use strict";
(async () => {
  const { html, put, plusMinus, entries, store, workbench: draws } = hanabi, { shortName, says, readEntry } = entries;
  const $ = (id) => document.getElementById(id), main = document.querySelector("main"), board = document.querySelector("hanabi-board");
  const GAMES = 4000, OTHER_GAMES = 1000, PAUSE = 250, page = Math.random().toString(36).slice(2), PERFECT = 25;
  const PARTS = ["rules", "conventions"];
  let made = null;                               // {id, name, begun, versions, at}
  let players = 3, since = 0, kind = "All", query = "", offers = [], shownOffer = -1, improving = null, timer = 0, errors = [], busy = false;
  let refused = [], weights = {}, game = null, side = 0, saved = null, museum = null;
  const results = new Map(), gains = new Map(), worths = new Map(), sweeps = new Map(), chosen = new Map();
  const references = JSON.parse(main.dataset.references ?? "[]");

  // ---- talking to the server
  async function post(path, body) {
    let answer;
    try { answer = await fetch(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) }); } catch { throw new Error("The site is not heard from; what you build is kept in this browser."); }
    const data = await answer.json();
    if (!answer.ok) throw Object.assign(new Error(data.error), { data, status: answer.status });
    return data;
  }
  // follow a job to its end; `tell` gets each state. A newer call of the same kind ends it: then null
  const current = {};
  async function follow(what, path, body, tell) {
    const mark = current[what] = {};
    const { job } = await post(path, { page, players, ...body });
    let state = { version: -1 };
    mark.job = job;
    for (;;) {
      const answer = await fetch(`/build/jobs/${job}?version=${state.version}`).catch(() => null);
      if (current[what] !== mark) return null;
      if (!answer) { await new Promise((done) => { setTimeout(done, 1000); }); say("not heard from; trying again"); continue; }
      state = await answer.json();
      if (!answer.ok) throw new Error(state.error);
      if (state.error) throw new Error(state.error);
      tell(state);
      if (state.ended) return state;
    }
  }
  const fail = (error) => { $("wrong").textContent = error.message; };
  const say = (text) => { $("live").textContent = text; };

  // ---- the list
  const version = () => made.versions[made.at];
  const keyOf = (one, count) => Object.keys(one.lists).find((key) => covers(key, count));
  const covers = (key, count) => { const [low, high = low] = key.split("-"); return Number(low) <= count && count <= Number(high); };
  const listOf = (one = version(), count = players) => one.lists[keyOf(one, count)];
  const onlyOn = (rows) => rows.filter((row) => row.on).map((row) => row.e);
  const sent = (list) => ({ rules: onlyOn(list.rules), conventions: onlyOn(list.conventions), weights: list.weights, otherwise: list.otherwise });
  const idOf = (one = version(), count = players) => `${count}|${JSON.stringify(sent(listOf(one, count)))}`;
  const fromData = (data) => ({ rules: data.rules.map((e) => ({ e, on: true })), conventions: data.conventions.map((e) => ({ e, on: true })), weights: data.weights ?? {}, otherwise: data.otherwise ?? "default" });
  const emptyList = () => ({ rules: [], conventions: [], weights: {}, otherwise: "default" });
  const copyLists = () => JSON.parse(JSON.stringify(version().lists));

  // make a version by an edit of the list at this player count
  function edit(say_, change, by = "") {
    const lists = copyLists(), list = lists[keyOf(version(), players)];
    if (change(list, lists) === false) return false;
    made.versions.length = made.at + 1;
    made.versions.push({ lists, say: say_, by });
    made.at += 1;
    since = made.at - 1;
    changed(`${say_}. Measuring.`);
    return true;
  }
  function goTo(at) {
    if (at < 0 || at >= made.versions.length) return;
    made.at = at;
    since = Math.max(0, at - 1);
    changed(`Version ${at + 1}.`);
  }
  function changed(text) {
    $("begun").textContent = `${made.begun} · ${store.keep(made) ? "kept in this browser" : "kept in this tab only: Save writes a file"}`;
    errors = [];
    $("wrong").textContent = "";
    draw();
    drawLibrary();
    say(text);
    clearTimeout(timer);
    busy = !results.get(idOf())?.ended;
    timer = setTimeout(() => { measure().catch(fail); }, PAUSE);
  }

  // ---- measuring: score, worth, other counts, game, sweep
  async function scoreOf(one, count, shown, games, against) {
    const id = idOf(one, count), tell = (state) => {
      if (state.mean === undefined) return;
      results.set(id, { ...results.get(id), ...state, ended: state.ended || results.get(id)?.ended });
      if (against && state.gain !== undefined) gains.set(`${against.id}→${id}`, state);
      if (shown && id === idOf()) draw();
    };
    return follow(shown ? "score" : `count${count}`, "/build/score", { list: sent(listOf(one, count)), players: count, games, shown, against: against?.key ?? "" }, tell);
  }
  async function measure(games = GAMES) {
    const one = version(), old = made.at ? made.versions[made.at - 1] : null, list = sent(listOf(one));
    busy = true;
    draw();
    try {
      let before = old && results.get(idOf(old));
      if (old && (!before?.ended || before.done < games)) {
        if (await scoreOf(old, players, true, games) === null) return;
        before = results.get(idOf(old));
      }
      const against = before && idOf(old) !== idOf(one) ? { id: idOf(old), key: before.key } : null;
      let state = await scoreOf(one, players, true, games, against);
      if (state === null) return;
      if (against && state.gain === undefined) {  // the server has begun anew since
        if (await scoreOf(old, players, true, games) === null) return;
        state = await scoreOf(one, players, true, games, against);
        if (state === null) return;
      }
      busy = false;
      draw();
      sayScore();
      await Promise.all([measureWorth(list), measureGame(old, one), measureOthers(one)]);
      await measureSweep(list, kind === "2018" || kind === "Papers");
    } catch (error) {
      busy = false;
      if (error.data?.place !== undefined && error.data.place !== null) placeError(error.data);
      else fail(error);
      draw();
    }
  }
  // an error names a place among the rows that are on
  function placeError({ part, place, error }) {
    let n = -1;
    const i = listOf()[part]?.findIndex((row) => row.on && (n += 1) === place) ?? -1;
    const suggestion = /did you mean '([^']+)'/.exec(error)?.[1];
    errors = [{ part, i, error, suggestion }];
    say(error);
  }
  async function measureWorth(list) {
    const id = idOf();
    if (worths.get(id)?.ended || !list.rules.length) return;
    await follow("worth", "/build/worth", { list, games: 2000 }, (state) => { worths.set(id, state); if (id === idOf()) draw(); });
  }
  async function measureOthers(one) {
    for (const count of [2, 3, 4, 5].filter((n) => n !== players)) {
      if (results.has(idOf(one, count))) continue;
      if (await scoreOf(one, count, false, OTHER_GAMES) === null || one !== version()) return;
      drawTabs();
    }
  }
  async function measureSweep(list, isMuseum) {
    const id = `${isMuseum}|${idOf()}`, show = (state) => { sweeps.set(id, state); if (id === `${isMuseum}|${idOf()}`) drawLibrary(); };
    if (sweeps.get(id)?.ended) { drawLibrary(); return; }
    const begun = performance.now();
    const state = await follow("sweep", "/build/sweep", { list, museum: isMuseum }, (one) => { $("swept").textContent = `${one.done} of ${one.of} tried`; if (one.ended) show(one); });
    if (state) $("swept").textContent = `${state.of} tried here, ${((performance.now() - begun) / 1000).toFixed(1)} s`;
  }
  async function measureGame(old, one, deal = null) {
    const section = $("changed"), id = idOf(one);
    if (!old || idOf(old) === id && deal === null) { section.hidden = game === null; return; }
    const list = sent(listOf(one)), against = sent(listOf(old));
    const games = await follow("games", "/build/games", { list, against }, () => {});
    if (!games || id !== idOf()) return;
    const wanted = deal ?? games.changed[0]?.[0] ?? games.lowest;
    const found = await follow("game", "/build/game", { list, against, deal: wanted }, () => {});
    if (!found || id !== idOf()) return;
    game = { ...found, games, names: [`Version ${made.versions.indexOf(old) + 1}`, `Version ${made.versions.indexOf(one) + 1}`] };
    side = 1;
    drawGame();
  }
  async function showDeal(deal) {
    const old = made.at ? made.versions[made.at - 1] : null;
    try {
      if (old) await measureGame(old, version(), deal);
      else {
        const found = await follow("game", "/build/game", { list: sent(listOf()), deal }, () => {});
        if (found) { game = { ...found, games: { changed: [], histogram: [] }, names: ["", "Version 1"] }; side = 1; drawGame(); }
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
    put($("empty"), list.rules.length ? "" : draws.emptyHtml());
    for (const part of PARTS) {
      const { marks, gone } = entries.marksBetween(onlyOn(list[part]), onlyOn(old[part]));
      put($(part), rowsOf(part, list, marks, result));
      const off = list[part].filter((one) => !one.on).map((one) => one.e);
      put($(`gone-${part}`), made.at ? draws.goneHtml(part, gone.filter((text) => !off.includes(text))) : "");
    }
    drawTabs();
    $("counted").textContent = list.conventions.length ? `${onlyOn(list.conventions).length} conventions` : "none: hints mean what they say";
    $("otherwise").value = list.otherwise;
    $("othershare").textContent = result?.shares ? `${(100 * result.shares.at(-1)).toFixed(1)} % of moves` : "";
    $("weighed").textContent = Object.keys(list.weights).length ? `${Object.keys(list.weights).length} differ from the library` : "all as in the library";
    put($("weights"), draws.weightsHtml(weights, list.weights));
    put($("since"), made.versions.slice(0, made.at).map((_, i) => html`<option value="${i}" ${i === since && html`selected`}>${i ? `version ${i + 1}` : "the beginning"}</option>`).reverse());
    drawScore(result);
    drawOffers();
    $("undo").setAttribute("aria-disabled", made.at === 0);
    $("redo").setAttribute("aria-disabled", made.at === made.versions.length - 1);
    if (place) refocus(place);
  }
  function rowsOf(part, list, marks, result) {
    const worth = worths.get(idOf()), shares = part === "rules" ? result?.shares : null, most = Math.max(...(shares ?? [1]).slice(0, -1));
    let place = -1;
    const marksNone = list.conventions.every((row) => !row.on);
    const rows = list[part].map((row, i) => {
      if (row.on) place += 1;
      const family = entries.familyOf(part, readEntry(row.e).name);
      const note = family?.needs_marks && marksNone && row.on && part === "rules" && shares && shares[place] === 0 ? "no convention gives it anything to read" : "";
      return draws.rowHtml({ part, row, i, place, mark: row.on ? marks[place] : ["", ""], share: row.on ? shares?.[place] : undefined, most, worth: row.on ? worth?.[part]?.[place] : null,
        busy: worth ? !worth.ended : busy, error: errors.find((one) => one.part === part && one.i === i), note });
    });
    const offer = offers[shownOffer];
    if (offer?.part === part && offer.what.startsWith("Add")) {
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
    const had = document.activeElement?.closest?.("#tabs") !== null && document.activeElement?.closest?.("#tabs") !== undefined;
    put($("tabs"), draws.tabsHtml(players, null, (count) => results.get(idOf(version(), count))));
    if (had) $(`tab-${players}`).focus();
    const key = keyOf(version(), players), [low, high] = key.split("-");
    $("own").textContent = high ? `Own list for ${players}` : "One list for all";
    $("shared").textContent = `The first rule that applies decides. ${high ? `${low} to ${high} players play this list.` : `Only ${low} players play this list.`}`;
  }
  function drawScore(result) {
    const gain = gainOf(made.at), known = result && result.mean !== null && result.mean !== undefined;
    $("scorehead").textContent = `${players} players`;
    put($("big"), known ? html`${draws.two(result.mean)} <small>${result.sem !== null && `± ${result.sem.toFixed(2)}`} of ${PERFECT}</small>` : html`<span class="wait">…</span>`);
    put($("perfect"), known ? html`perfect<br><b>${(100 * result.perfect).toFixed(1)} %</b>` : "");
    const done = known ? result.done : 0, of = result?.of ?? GAMES;
    $("progress").textContent = busy ? `${draws.number(done)} of ${draws.number(of)} games` : known ? `${draws.number(done)} deals` : "";
    $("bar").firstElementChild.style.width = `${100 * done / of}%`;
    $("bar").setAttribute("aria-valuenow", done);
    $("bar").setAttribute("aria-valuemax", of);
    $("big").classList.toggle("wait", busy && !known);
    put($("gain"), draws.gainHtml(gain, made.at));
    $("gain").className = `gain ${gain ? entries.tone(gain.gain, gain.gain_sem) : "zero"}`;
    put($("split"), draws.splitHtml(gain));
    $("more").hidden = busy || !gain || !gain.over || gain.over >= 20_000 || !(gain.worse || gain.better) || Math.abs(gain.gain) > 2 * gain.gain_sem;
    const shown = made.versions.map((one, i) => ({ say: one.say, by: one.by, mean: results.get(idOf(one))?.mean, gain: gainOf(i) }));
    put($("chart"), draws.chartHtml(shown, made.at, PERFECT, references.filter((row) => row.players === players).map((row) => [row.name, row.points])));
    $("ring").textContent = made.versions.some((one) => one.by) ? " Ring in another colour: taken from the evolution." : "";
    put($("hist"), draws.historyHtml(shown, made.at));
    const lost = result?.lost ?? [], before = made.at ? results.get(idOf(made.versions[made.at - 1]))?.lost : null;
    $("losthead").textContent = known ? `Where ${draws.two(PERFECT - result.mean)} points are lost` : "Where points are lost";
    put($("lost"), draws.lostHtml(lost, before));
    put($("short"), known ? html`<b>${draws.two(result.mean)}</b> ${result.sem !== null && `± ${result.sem.toFixed(2)}`}${gain && html`<br><span class="gain ${entries.tone(gain.gain, gain.gain_sem)}">${entries.signed(gain.gain, gain.gain_sem)}</span> over ${made.at}`}` : "measuring …");
    if (known && !busy) put($("lead"), leadHtml(result, gain));
  }
  function leadHtml(result, gain) {
    const below = references.filter((row) => row.players === players && row.points < result.mean).sort((a, b) => b.points - a.points)[0];
    const above = references.filter((row) => row.players === players && row.points > result.mean).sort((a, b) => a.points - b.points)[0];
    const apart = gain && Math.abs(gain.gain) > 2 * gain.gain_sem;
    return html`Version ${made.at + 1} makes <b>${plusMinus(result.mean, result.sem ?? 0)} points</b> with ${players} players${apart && html`, ${plusMinus(Math.abs(gain.gain), gain.gain_sem)} ${gain.gain > 0 ? "more" : "fewer"} than version ${made.at}`}${
      below && html`; ${draws.two(result.mean - below.points)} above ${below.name}`}${above && html`; ${draws.two(above.points - result.mean)} below ${above.name}`}.`;
  }
  function drawOffers() {
    put($("offers"), draws.offersHtml(offers, shownOffer, listOf()));
    $("go").textContent = improving ? "Stop" : `Improve for ${$("seconds").value} s`;
    $("go").setAttribute("aria-disabled", !onlyOn(listOf().rules).length);
    if (!onlyOn(listOf().rules).length) $("budget").textContent = "needs a rule to change";
    else if ($("budget").textContent === "needs a rule to change") $("budget").textContent = "tries single changes";
  }
  const held = (family) => chosen.get(`${family.part}/${family.name}`) ?? sweepNow()?.[family.part]?.[family.name]?.[0] ?? family.entry;
  const sweepNow = () => sweeps.get(`${kind === "2018" || kind === "Papers"}|${idOf()}`);
  function drawLibrary() {
    const list = listOf(), used = new Set(PARTS.flatMap((part) => onlyOn(list[part]).map((text) => `${part}/${readEntry(text).name}`)));
    const focus = document.activeElement?.closest?.("#shelf [data-key]")?.dataset.key, cls = document.activeElement?.className;
    put($("kinds"), draws.kindsHtml(kind));
    put($("shelf"), draws.libraryHtml({ kind, query, sort: $("sort").value, used, held, sweep: sweepNow() }));
    if (focus) [...document.querySelector(`[data-key="${CSS.escape(focus)}"]`)?.querySelectorAll("button, [tabindex]") ?? []].find((one) => one.className === cls)?.focus({ preventScroll: true });
  }
  function drawGame() {
    const { games, turn, deal } = game, sides = [{ name: game.names[0], data: game.old }, { name: game.names[1], data: game.new }].filter((one) => one.data);
    $("changed").hidden = false;
    const shown = sides.length === 1 ? 0 : side;
    board.games = [sides[shown].data];
    board.show({ game: 0, turn });
    const [old, new_] = sides.length === 2 ? [game.old.score, game.new.score] : [null, game.new.score];
    put($("gamelead"), old === null ? html`Deal ${draws.number(deal + 1)}: ${new_} points.` : html`On deal ${draws.number(deal + 1)}, ${game.names[0].toLowerCase()} makes <b>${old}</b> points and ${game.names[1].toLowerCase()} <b>${new_}</b>. They part at turn ${turn}.`);
    $("parttitle").textContent = old === null ? `Turn ${turn}` : `Turn ${turn}: here they part`;
    put($("part"), draws.partHtml(sides, turn, shown));
    const count = games.histogram?.filter(([change]) => change).reduce((sum, [, n]) => sum + n, 0) ?? 0;
    $("changedcount").textContent = `${draws.number(count)} games changed`;
    put($("histogram"), draws.histogramHtml(games.histogram ?? []));
    put($("games"), draws.gamesHtml(games.changed ?? [], [], deal));
  }

  const sweepOf = (family) => sweepNow()?.[family.part]?.[family.name];
  hanabi.bench = { $, sweepOf, html, put, page, post, follow, fail, say, edit, goTo, listOf, onlyOn, sent, version, keyOf, fromData, emptyList, copyLists, draw, drawLibrary, drawOffers, drawGame, measure, measureSweep, showDeal, changed, idOf, held, covers,
    get made() { return made; }, set made(one) { made = one; since = Math.max(0, one.at - 1); }, get players() { return players; },
    set players(count) { players = count; }, get offers() { return offers; }, set offers(some) { offers = some; }, get shownOffer() { return shownOffer; }, set shownOffer(i) { shownOffer = i; },
    get improving() { return improving; }, set improving(job) { improving = job; }, refused, get game() { return game; }, set side(i) { side = i; }, get kind() { return kind; }, set kind(one) { kind = one; }, set query(text) { query = text; },
    set since(i) { since = i; }, chosen, current, get saved() { return saved; }, set saved(one) { saved = one; }, get errors() { return errors; }, set errors(some) { errors = some; } };

  // ---- begin
  try {
    const library = await (await fetch("/build/library")).json();
    entries.setLibrary(library);
    ({ weights } = library);
    await hanabi.startBench();
  } catch (error) { fail(error); }
})();
