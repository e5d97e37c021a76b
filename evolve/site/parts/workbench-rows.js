// What a person does to the rows of a list: drag and keys, values and guards, the menu of a row.
"use strict";
hanabi.startRows = (bench) => {
  const { entries, html, put } = hanabi, { $, edit, say, listOf } = bench, { shortName, readEntry } = entries, bar = document.querySelector(".bench");
  let lifted = null;

  const rowsOf = (part) => listOf()[part];
  const capital = (text) => text.replace(/^./, (letter) => letter.toUpperCase());
  const grip = (part, i) => document.querySelector(`.row1[data-part="${part}"][data-i="${i}"] .grip`);
  const focusGrip = (part, i) => grip(part, i)?.focus({ preventScroll: true });
  function move(part, from, to) {
    const text = rowsOf(part)[from].e;
    if (edit(`Moved “${shortName(text)}” from ${from + 1} to ${to + 1}`, (list) => { const [row] = list[part].splice(from, 1); list[part].splice(to, 0, row); })) focusGrip(part, to);
  }
  function takeOut(part, i) {
    const text = rowsOf(part)[i].e, count = rowsOf(part).length;
    edit(`Took “${shortName(text)}” out`, (list) => { list[part].splice(i, 1); });
    (grip(part, Math.min(i, count - 2)) ?? $("query")).focus({ preventScroll: true });
  }
  function putBack(part, text) {
    const old = bench.onlyOn(listOf(bench.made.versions[bench.since]), part), before = old.slice(0, old.indexOf(text)).reverse(), rows = rowsOf(part);
    const after = before.map((other) => rows.findIndex((row) => row.e === other)).find((i) => i >= 0), place = after === undefined ? 0 : after + 1;
    if (edit(`Put “${shortName(text)}” back`, (list) => { list[part].splice(place, 0, { e: text, on: true }); })) focusGrip(part, place);
  }
  function change(part, i, text, words, key = "") {
    edit(words, (list) => { if (list[part][i].e === text) return false; list[part][i].e = text; return true; }, "", key);
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
      if (event_.type === "keydown") { event_.stopPropagation(); say("Put back."); }
      const goal = to > from ? to - 1 : to;
      if (event_.type === "pointerup" && goal !== from) move(row.dataset.part, Number(row.dataset.i), Number(rows[goal].dataset.i));
      else bench.draw();
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
    document.querySelector(".lift")?.classList.remove("lift");
    if (!back && to !== from) { move(part, from, to); return; }
    bench.draw();
    focusGrip(part, from);
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

  // ---- values: a step, a choice, or a number that is typed
  const whereOf = (element) => { const row = element.closest(".row1:not(.ghost)"); return row && { part: row.dataset.part, i: Number(row.dataset.i) }; };
  function setValue(element, what, changed) {
    const place = whereOf(element), family = element.closest("[data-family]");
    if (place) {
      const text = changed(place.part, rowsOf(place.part)[place.i].e);
      if (text) change(place.part, place.i, text, wordsOf(text, what), `${place.part}-${place.i}-${what}`);
    } else if (family) hold(family, (one, text) => changed(one.part, text), what);
  }
  function nudge(element, by) {
    const { what } = element.closest(".val").dataset;
    setValue(element, what, (part, text) => entries.stepped(part, text, what, by));
  }
  // the number becomes a field; Enter or leaving it sets the value, Escape keeps the old one
  function type(spin, first) {
    const { what } = spin.closest(".val").dataset, field = document.createElement("input"), old = spin.innerHTML;
    Object.assign(field, { className: "typed", value: first, inputMode: "decimal" });
    field.setAttribute("aria-label", spin.getAttribute("aria-label"));
    let ended = false;
    const end = (sets) => {
      if (ended) return;
      ended = true;
      const words = field.value, box = spin.closest(".row1, [data-family]");
      spin.innerHTML = old;
      if (sets) setValue(spin, what, (part, text) => entries.typed(part, text, what, words));
      bench.draw();
      const there = box.dataset.part ? document.querySelector(`.row1[data-part="${box.dataset.part}"][data-i="${box.dataset.i}"]`) : document.querySelector(`[data-family="${CSS.escape(box.dataset.family)}"]`);
      there?.querySelector(`[data-what="${CSS.escape(what)}"] [role=spinbutton]`)?.focus({ preventScroll: true });
    };
    field.addEventListener("keydown", (event) => {
      event.stopPropagation();
      if (event.key === "Enter" || event.key === "Escape") { event.preventDefault(); end(event.key === "Enter"); }
    });
    field.addEventListener("blur", () => { end(true); });
    spin.replaceChildren(field);
    field.focus();
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
      if (/^[0-9.,-]$/.test(event.key) && !event.ctrlKey && !event.metaKey) { event.preventDefault(); event.stopPropagation(); type(event.target, event.key); return; }
    }
    onRowKey(event);
  });
  bar.addEventListener("dblclick", (event) => { const spin = event.target.closest("[role=spinbutton]"); if (spin && !spin.querySelector("input")) type(spin, ""); });
  bar.addEventListener("change", (event) => {
    const { target } = event, place = whereOf(target), what = target.dataset?.what;
    if (target.matches("[role=switch]")) {
      const { part, i } = place, { e, on } = rowsOf(part)[i];
      edit(`“${shortName(e)}” ${on ? "off" : "on"}`, (list) => { list[part][i].on = !on; });
    } else if (what) {
      const value = target.type === "checkbox" ? Number(target.checked) : Number(target.value);
      setValue(target, what, (part, text) => entries.withValue(text, what, value));
    }
  });

  // ---- the menu of a row
  const MENU = [["up", "Move up (Alt ↑)"], ["down", "Move down (Alt ↓)"], ["first", "Move to the top"], ["guard", "Only when …"], ["out", "Take out (Del)"]];
  function closeMenu() {
    const menu = document.querySelector(".pop");
    if (!menu) return;
    menu.remove();
    bench.draw();
  }
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
      if (by && all.length) { all[(i + by) % all.length].focus(); event.preventDefault(); }
      if (event.key === "Escape") { closeMenu(); document.querySelector(`.row1[data-part="${row.dataset.part}"][data-i="${row.dataset.i}"] .more`)?.focus(); }
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
    menu.removeAttribute("role");
    put(menu, html`<form class="guard"><label>when <select name="quantity" aria-label="Quantity">${names.map(([name]) => html`<option>${name}</option>`)}</select></label>
      <select name="comparison" aria-label="Comparison"><option value="&lt;=">≤</option><option value="&gt;=">≥</option><option value="==">=</option></select>
      <input name="number" type="number" value="2" aria-label="Number"><button>Add</button></form>`);
    menu.querySelector("select").focus();
    menu.querySelector("form").addEventListener("submit", (event) => {
      event.preventDefault();
      const fields = new FormData(event.target), text = rowsOf(part)[i].e;
      closeMenu();
      change(part, i, entries.withGuard(text, fields.get("quantity"), fields.get("comparison"), Number(fields.get("number"))), `“${shortName(text)}” only when ${fields.get("quantity")} ${fields.get("comparison")} ${fields.get("number")}`);
      document.querySelector(`.row1[data-part="${part}"][data-i="${i}"] .more`)?.focus({ preventScroll: true });
    });
  }

  // an edit from elsewhere, such as undo, ends what is begun on a row
  bench.letGo = () => {
    lifted = null;
    for (const one of document.querySelectorAll(".lift, .dragging")) one.classList.remove("lift", "dragging");
    for (const one of document.querySelectorAll(".pop, #list .typed")) one.remove();
  };
  return { rowsOf, capital, focusGrip, move, takeOut, putBack, change, nudge, type, openMenu, closeMenu };
};
