// What the workbench shows, drawn from its state. Each function returns escaped HTML and changes nothing.
"use strict";
(() => {
  const { html, plusMinus, entries } = hanabi, { icon, signed, tone, readEntry, shortName, sentence, says, familyOf } = entries;
  const KINDS = ["All", "Play", "Tell", "Discard", "Meaning", "2018", "Papers", "Own file"];
  const PAPERS = ["2018", "theses and papers"];
  const POINTS = [5, 10, 15, 20, 22, 23, 24, 24.5];

  const two = (value) => value.toFixed(2);
  const percent = (share) => `${(100 * share).toFixed(1)} %`;
  const number = (value) => String(value).replace(/\B(?=(\d{3})+$)/g, ",");  // toLocaleString loads data first

  function worthHtml(row, worth, busy) {
    if (!row.on) return html`<span>off: not played${!worth ? "" : !worth[1] || Math.abs(worth[0]) <= 2 * worth[1] ? "; with it not told from without" : `; with it ${signed(...worth)}`}</span>`;
    if (!worth) return busy ? html`<span class="wait">worth …</span>` : "";
    const [value, sem] = worth;
    return Math.abs(value) <= 2 * sem || !sem ? html`<span>worth not told from 0</span>` : html`<span>worth <b>${value < 0 ? "−" : ""}${plusMinus(Math.abs(value), sem)}</b></span>`;
  }

  function rowHtml({ part, row, i, place, mark, share, most, worth, busy, error, note }) {
    const where = part === "rules" ? `rule ${row.on ? place >= 0 ? place + 1 : "that is wrong" : "that is off"}, ${shortName(row.e)}` : `convention ${shortName(row.e)}`, [cls, word] = mark;
    const bar = share !== undefined && html`<span class="meter1" aria-hidden="true"><i style="width:${100 * share / (most || 1)}%"></i></span><span><b>${percent(share)}</b> of moves</span>`;
    const wrong = error && html`<div class="err" role="alert">${error.error}${error.suggestion && html` <button type="button" data-act="suggest" data-text="${error.suggestion}">Use ${error.suggestion}</button>`}</div>`;
    return html`<li class="row1 ${row.on ? cls : "off"} ${error && "bad1"}" data-part="${part}" data-i="${i}" data-key="${part}-${i}-${row.e}">
      <button type="button" class="grip" aria-label="Move ${where}" aria-describedby="griphelp">${icon("grip", 2.6)}</button>
      <span class="no">${part === "rules" ? row.on && place >= 0 ? place + 1 : "–" : ""}</span>
      <div><div class="say">${sentence(part, row.e, where)}</div><div class="meta">${bar}${error ? "" : worthHtml(row, worth, busy)}${word && row.on && html`<span class="mark">${word}</span>`}${note && html`<span>${note}</span>`}</div>${wrong}</div>
      <div class="acts1"><label class="switch" title="On or off"><input type="checkbox" role="switch" ${row.on && html`checked`} aria-label="Use ${where}"></label><button type="button" class="more" aria-haspopup="menu" aria-label="More for ${where}">${icon("more", 2.6)}</button></div></li>`;
  }

  function ghostHtml(offer, index) {
    return html`<li class="row1 ghost"><span></span><span class="no">+</span><div><div class="say">${says(offer.part, offer.entry)}</div><div class="meta"><span class="mark">offered</span><b>${signed(offer.gain, offer.gain_sem)}</b> on fresh deals</div></div><div class="acts1"><button type="button" class="take" data-take="${index}">Take</button></div></li>`;
  }

  function emptyHtml() {
    return html`<div class="empty1"><p>No rule yet: every turn goes by the line below, and makes 0.00 points. Begin with</p><div class="start">
      <button type="button" data-begin=""><b>nothing</b><small>add rules one by one; plain ones come first in the library</small></button>
      <button type="button" data-begin="piers"><b>piers</b><small>seven rules of 2018 by hand</small></button>
      <button type="button" data-begin="convention"><b>convention</b><small>an evolved list with conventions</small></button></div>
      <p class="small">Or drop an agent file here, or <label class="filelabel">open one <input type="file" id="file" accept=".toml,text/plain"></label></p></div>`;
  }

  function goneHtml(part, gone) {
    return gone.map((text) => html`<li><span title="${says(part, text)}">${shortName(text)} taken out</span> <button type="button" data-act="putback" data-part="${part}" data-text="${text}">put back</button></li>`);
  }

  // ``keyOf(count)``: the counts that share the list of a count, "2-4"; said where there are several lists
  function tabsHtml(players, keyOf, results) {
    const parted = new Set([2, 3, 4, 5].map(keyOf)).size > 1, shared = (count) => parted && html`<small>${keyOf(count).includes("-") ? `list for ${keyOf(count).replace("-", " to ")}` : "own list"}</small>`;
    return [2, 3, 4, 5].map((count) => html`<button type="button" role="tab" id="tab-${count}" aria-selected="${String(count === players)}" aria-controls="rules" tabindex="${count === players ? 0 : -1}" data-players="${count}">${count} players<b>${
      results(count)?.mean === undefined || results(count).mean === null ? "–" : two(results(count).mean)}</b>${shared(count)}</button>`);
  }

  function gainHtml(gain, over) {
    if (!gain) return "";
    if (!gain.worse && !gain.better) return html`<span>Plays the same as version ${over} (no game of ${number(gain.over)} differs)</span>`;
    const apart = Math.abs(gain.gain) > 2 * gain.gain_sem;
    return html`${apart ? signed(gain.gain, gain.gain_sem) : html`not told apart from version ${over} (${signed(gain.gain, gain.gain_sem)})`} ${apart && html`<span>over version ${over}, on the same deals</span>`}`;
  }
  function splitHtml(gain) {
    if (!gain || !gain.over) return "";
    const width = (games) => `width:${100 * games / gain.over}%`;
    return html`<div class="wsb" role="img" aria-label="${gain.worse} games worse, ${gain.same} the same, ${gain.better} better"><span class="w" style="${width(gain.worse)}"></span><span class="s" style="${width(gain.same)}"></span><span class="b" style="${width(gain.better)}"></span></div>
      <div class="wsbk"><span><b>${number(gain.worse)}</b> worse</span><span><b>${number(gain.same)}</b> the same</span><span><b>${number(gain.better)}</b> better</span></div>`;
  }

  // points by version; upwards, equal steps halve the points that are lost
  function chartHtml(versions, at, perfect, references) {
    const shown = versions.map((one, i) => ({ ...one, i })).filter((one) => one.mean !== undefined && one.mean !== null);
    if (!shown.length) return "";
    const W = 324, H = 226, L = 36, R = 112, T = 8, B = 22, lost = (points) => Math.log2(Math.max(0.2, perfect - points));
    const all = [...shown.map((one) => one.mean), ...references.map(([, points]) => points)], low = Math.max(0, Math.min(...all) - 0.5), top = Math.min(perfect - 0.25, Math.max(...all) + 0.2);
    const y = (points) => T + (H - T - B) * (lost(points) - lost(top)) / (lost(low) - lost(top) || 1), last = versions.length - 1;
    const x = (i) => L + 8 + (W - L - R - 16) * (last ? i / last : 0.5);
    const points = shown.map((one) => [x(one.i), y(one.mean), one]);
    return html`<svg class="vchart" viewBox="0 0 ${W} ${H}" role="group" aria-label="Points by version: ${shown.map((one) => `${one.i + 1}: ${two(one.mean)}`).join(", ")}">
      ${POINTS.filter((tick) => tick > low && tick < top).map((tick) => html`<line class="grid1" x1="${L}" x2="${W - R}" y1="${y(tick)}" y2="${y(tick)}"/><text x="${L - 5}" y="${y(tick) + 4}" text-anchor="end">${tick}</text>`)}
      ${references.map(([name, value]) => html`<line class="ref" x1="${L}" x2="${W - R + 4}" y1="${y(value)}" y2="${y(value)}"/><text class="reft" x="${W - R + 8}" y="${y(value) + 4}">${name.replace("best of ", "")} ${value.toFixed(1)}</text>`)}
      <path class="path" d="${points.map(([a, b], i) => `${i ? "L" : "M"}${a.toFixed(1)} ${b.toFixed(1)}`).join("")}"/>
      ${points.map(([a, b, one]) => html`<a href="#version-${one.i + 1}" data-version="${one.i}" aria-label="version ${one.i + 1}, ${two(one.mean)}"><circle class="dot1 ${one.i === at && "here"} ${one.by && "evo"}" cx="${a}" cy="${b}" r="${one.i === at ? 5.5 : 4}"/></a>`)}
      ${points.filter(([, , one]) => one.i === at).map(([a, b, one]) => html`<text class="now" x="${Math.min(a + 9, W - R - 30)}" y="${b - 8}">${two(one.mean)}</text>`)}</svg>`;
  }

  function historyHtml(versions, at) {
    return versions.map((one, i) => {
      const gain = one.gain, [text, cls] = gain ? gain.worse || gain.better ? [`${gain.gain < 0 ? "−" : "+"}${two(Math.abs(gain.gain))}`, tone(gain.gain, gain.gain_sem)] : ["0", "zero"] : [one.mean === undefined || one.mean === null ? "" : two(one.mean), "zero"];
      return html`<li class="${i === at && "on"}"><span class="v">${i + 1}</span><span><button type="button" data-version="${i}" ${i === at && html`aria-current="true"`}>${one.say}</button>${one.by && html`<small class="by">by the evolution, taken by you</small>`}</span><span class="g ${cls}">${text}</span></li>`;
    }).reverse();
  }

  function lostHtml(lost, before) {
    const old = Object.fromEntries((before ?? []).map((row) => [row[0], row])), rows = lost.filter((row) => row[1] >= 0.005).slice(0, 10), most = rows[0]?.[1] ?? 1;
    return rows.map(([cause, mean, sem, deal]) => {
      const was = old[cause], change = was ? mean - was[1] : 0, error = was ? Math.hypot(sem, was[2]) : 0, apart = was && Math.abs(change) > 2 * error;
      return html`<li><button type="button" data-deal="${deal}" title="Show the game that lost most by it">${cause}</button><span class="b1" aria-hidden="true"><i style="width:${100 * mean / most}%"></i>${was && html`<u style="left:${Math.min(99, 100 * was[1] / most)}%"></u>`}</span><b>${two(mean)}</b><span class="d ${apart && (change < 0 ? "up" : "down")}">${
        !before ? "" : apart ? `${change < 0 ? "−" : "+"}${two(Math.abs(change))}` : "as before"}</span></li>`;
    });
  }

  // ---- offers
  function offerWhere(offer, list) {
    const on = list.rules.filter((row) => row.on).map((row) => row.e), place = on.indexOf(offer.other);
    const kind = { rules: "rule", conventions: "meaning", weights: "weight" }[offer.part];
    if (offer.what.startsWith("Add")) return `new ${kind}${offer.part === "rules" ? place < 0 ? ", last" : `, before ${place + 1}` : ""}`;
    if (offer.what.startsWith("Remove")) return `takes a ${kind} out`;
    if (offer.what.startsWith("Move")) return `moves rule ${on.indexOf(offer.entry) + 1}${place < 0 ? " to the end" : ` before ${place + 1}`}`;
    if (offer.what.startsWith("Swap")) return `swaps rules ${on.indexOf(offer.entry) + 1} and ${place + 1}`;
    return `another value of a ${kind}`;
  }
  function offerText(offer) {
    if (offer.part === "weights") return html`${offer.entry.replaceAll("_", " ")}: <ins>${offer.other}</ins>`;
    if (offer.what.startsWith("Replace")) return html`<del>${says(offer.part, offer.entry)}</del> <ins>${says(offer.part, offer.other)}</ins>`;
    return says(offer.part, offer.entry);
  }
  // ``stale``: the gains are those over another list, and are being measured again
  function offersHtml(offers, shown, list, outlived, stale) {
    const gone = outlived.map((offer) => html`<li class="outlived">${offer.part === "weights" ? offer.entry.replaceAll("_", " ") : shortName(offer.entry)}: holds no more</li>`);
    return offers.map((offer, i) => {
      const words = `${offerWhere(offer, list)}: ${offer.part === "weights" ? offer.says : says(offer.part, offer.entry)}`;
      return html`<li class="${i === shown && "on"}"><div class="top1"><span class="g ${stale && "old"}">${stale ? "measuring again …" : signed(offer.gain, offer.gain_sem)}</span><span class="gap"></span><button type="button" class="take" data-take="${i}" aria-disabled="${String(Boolean(stale))}" aria-label="Take: ${words}">Take</button><button type="button" class="no1" data-refuse="${i}" aria-label="Do not offer this again: ${words}">${icon("cross")}</button></div>
        <span class="where">${offerWhere(offer, list)}${offer.spellings.length > 1 && `, in ${offer.spellings.length} spellings`}</span><button type="button" class="txt" data-show="${i}" aria-label="Show in the list: ${words}">${offerText(offer)}</button></li>`;
    }).concat(gone);
  }

  // ---- the library
  const inKind = (family, kind, query) => {
    const paper = PAPERS.includes(family.source);
    if (kind === "All") return !paper || query !== "";
    if (kind === "2018") return family.source === "2018";
    if (kind === "Papers") return family.source === "theses and papers";
    if (kind === "Own file") return family.source === "own file";
    return family.kind === kind.toLowerCase() && !paper;
  };
  function knownText(family) {
    if (!family.known.length) return "";
    const [agent, worth, sem] = family.known;
    return Math.abs(worth) <= 2 * sem || !sem ? `${agent} plays no worse without it` : `${agent} ${worth > 0 ? "loses" : "gains"} ${plusMinus(Math.abs(worth), sem)} without it`;
  }
  const cannot = (text) => html`<div class="err" role="note">Cannot be used: <span>${text}</span></div>`;

  // ``usedBefore``: the families in the list that was tried, where that is an older one: its order stays, its worths are grey
  function libraryHtml({ kind, query, sort, used, usedBefore, held, sweepOf, files, plain, noMeaning }) {
    const words = query.toLowerCase().split(/\s+/).filter(Boolean), here = sweepOf, keyOf = (family) => `${family.part}/${family.name}`;
    const isIdle = (family) => noMeaning && family.needs_marks;
    const found = entries.families.filter((family) => inKind(family, kind, query)).filter((family) => {
      const text = `${family.name} ${says(family.part, held(family))} ${family.source} ${family.kind}`.toLowerCase();
      return words.every((word) => text.includes(word));
    });
    const rank = (family) => sort === "name" ? 0 : (usedBefore ?? used).has(keyOf(family)) ? -99 : plain && family.plain ? 99 + (here(family)?.[2] ?? -family.plain / 100) : isIdle(family) ? -98.5 : here(family)?.[2] ?? -98;
    const ranks = new Map(found.map((family) => [family, rank(family)]));
    found.sort((one, other) => ranks.get(other) - ranks.get(one) || one.name.localeCompare(other.name));
    const broken = ["All", "Own file"].includes(kind) ? Object.entries(files).filter(([, error]) => error).map(([name, error]) => html`<li><div class="kind"><b>Own file</b> ${name}</div>${cannot(error)}</li>`) : [];
    if (!found.length && broken.length) return broken;
    if (!found.length) return html`<li><div class="say">${kind === "Own file" && !query ? "hanabi serve --rules my_rules.py adds your own rules." : "No rule says that."} <button type="button" data-kind="All">Show all</button></div></li>`;
    return broken.concat(found.map((family) => {
      const text = held(family), inList = used.has(keyOf(family)), row = here(family);
      const companion = row?.[4] ? html`; comes with “${shortName(row[4])}”${row[5] && html`, alone <span class="${tone(...row[5])}">${signed(...row[5])}</span>`}` : family.goes_with ? html`; goes with “${family.goes_with.replaceAll("_", " ")}”` : "";
      const worth = inList ? html`<b>in the list</b>` : isIdle(family) ? "decides nothing before there is a convention, whose meanings it reads" : !row ? "" : row[2] === 0 && row[3] === 0 ? "changes no game here" : html`here <span class="${tone(row[2], row[3])}">${signed(row[2], row[3])}</span>, best as ${row[1] + 1}`, known = knownText(family);
      return html`<li class="${inList && "in"}" data-family="${family.part}/${family.name}" data-key="library-${family.part}/${family.name}"><div class="kind"><b>${family.kind[0].toUpperCase() + family.kind.slice(1)}</b> ${family.file ? `own file, ${family.file}` : family.source}</div><button type="button" class="add" ${family.error && html`disabled`} aria-label="Add: ${says(family.part, text)}">${icon("plus", 2)}</button>
        <div class="say">${sentence(family.part, text, family.name)}</div>${family.error ? cannot(`${family.error.replace(/(?:[A-Za-z]:)?[/\\][^\s,]*[/\\]/g, "")}. The other rules of the file play.`) : html`<div class="fact"><span class="${usedBefore && !inList && "old"}">${worth}${companion}</span>${known && html`<br>${known}`}</div>`}</li>`;
    }));
  }
  const kindsHtml = (kind) => KINDS.map((one) => html`<button type="button" aria-pressed="${String(one === kind)}" data-kind="${one}">${one}</button>`);

  function weightsHtml(weights, changed) {
    return Object.entries(weights).map(([name, [usual, low, high, meaning]]) => {
      const value = changed[name] ?? usual;
      return html`<label class="${name in changed && "changed"}"><span>${name.replaceAll("_", " ")}</span> <input type="number" step="0.1" min="${low}" max="${high}" value="${value}" data-weight="${name}"> <small>${meaning}</small></label>`;
    });
  }

  // ---- the game that changed most
  function partHtml(sides, turn, shown) {
    return sides.map(({ name, data }, i) => {
      const at = data.turns[Math.min(turn, data.turns.length - 1)], move = at.move;
      return html`<div class="side1 ${i === shown && "on"}"><div class="h"><b>${name}</b><span>${data.score} points</span><button type="button" data-side="${i}" aria-pressed="${String(i === shown)}">${i === shown ? "on the board" : "show"}</button></div>
        ${move && html`<p class="w">${move.words}.</p>${(move.means ?? []).map((line) => html`<p>${line}</p>`)}<p class="end">${move.says || move.rule}</p>`}<p class="end">${data.result}</p></div>`;
    });
  }
  function histogramHtml(histogram) {
    const rows = histogram.filter(([change]) => change), W = 312, H = 88;
    if (!rows.length) return "";
    const most = Math.max(...rows.map(([, games]) => games)), far = Math.max(...rows.map(([change]) => Math.abs(change)), 5), x = (change) => W / 2 + change * (W - 24) / (2 * far);
    return html`<svg class="vchart" viewBox="0 0 ${W} ${H}" role="img" aria-label="Games by change of points: ${rows.map(([change, games]) => `${change}: ${games}`).join(", ")}">${rows.map(([change, games]) =>
      html`<rect class="${change < 0 ? "less" : "plus"}" x="${x(change) - 3}" width="6" y="${68 - Math.max(1.5, 60 * games / most)}" height="${Math.max(1.5, 60 * games / most)}"/>`)}<line class="grid1" x1="0" x2="${W}" y1="68.5" y2="68.5"/>${
      [-far, 0, far].map((tick) => html`<text x="${x(tick)}" y="84" text-anchor="middle">${tick > 0 ? "+" : tick < 0 ? "−" : ""}${Math.abs(tick)}</text>`)}</svg>`;
  }
  function gamesHtml({ changed = [], largest_loss: loss, now_perfect: perfect }, deal) {
    const row = ([number_, before, after], note = "") => html`<li class="${number_ === deal && "on"}"><span class="v"></span><span><button type="button" data-deal="${number_}" ${number_ === deal && html`aria-current="true"`}>deal ${number(number_ + 1)}: ${before} → ${after}</button><small>${note}</small></span><span class="g ${after < before ? "down" : "up"}">${after < before ? "−" : "+"}${Math.abs(after - before)}</span></li>`;
    const listed = changed.slice(0, 6), more = [[loss, "the largest loss"], [perfect, "the first that became perfect"]].filter(([one]) => one && !listed.some(([number_]) => number_ === one[0]));
    const note = ([number_]) => number_ === loss?.[0] ? "the largest loss" : number_ === perfect?.[0] ? "the first that became perfect" : "";
    return listed.map((one) => row(one, note(one))).concat(more.map(([one, words]) => row(one, words)));
  }

  hanabi.workbench = { rowHtml, ghostHtml, emptyHtml, goneHtml, tabsHtml, gainHtml, splitHtml, chartHtml, historyHtml, lostHtml, offersHtml, libraryHtml, inKind, kindsHtml, weightsHtml, partHtml, histogramHtml, gamesHtml, two, number };
})();
