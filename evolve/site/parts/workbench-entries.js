// Entries of a list as text and as sentences with controls: name(key=value, …) when quantity op number.
"use strict";
(() => {
  const { html } = hanabi;
  const ICONS = { grip: "M6 3.5h.01M10 3.5h.01M6 8h.01M10 8h.01M6 12.5h.01M10 12.5h.01", more: "M3.5 8h.01M8 8h.01M12.5 8h.01", plus: "M8 3v10M3 8h10",
    cross: "m4 4 8 8M12 4l-8 8" };
  const COMPARISONS = { "<=": "≤", ">=": "≥", "==": "=" };
  const CLAUSE = 24;                             // letters from which a word is a clause, which a tick switches
  const BOUNDS = { deck: [0, 1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 25, 30] };
  const spoken = {};                             // sentences of grown rules, by their text; the library has no families for them
  const isGrown = (text) => /^grown(_marks)?\./.test(text);
  let families = {}, quantities = {};

  const icon = (name, width = 1.6) => html`<svg class="ico" viewBox="0 0 16 16" style="stroke-width:${width}" aria-hidden="true"><path d="${ICONS[name]}"/></svg>`;

  function setLibrary(library) {
    families = {};
    quantities = library.quantities;
    addFamilies(library.groups);
  }
  function addFamilies(groups) {
    for (const [part, kind, source, some] of groups) for (const [name, sentence, facts] of some) {
      const parts = partsOf(sentence), values = named(facts.values ?? {}, parts);
      families[`${part}/${name}`] = { part, kind, source, name, sentence, goes_with: "", known: [], ...facts, values, parts, entry: middle(name, values) };
    }
  }
  // choices by key; a list of them has the order in which the sentence names the keys
  const named = (values, parts) => Array.isArray(values) ? Object.fromEntries([...new Set(parts.filter(Array.isArray).map(([key]) => key))].map((key, i) => [key, values[i]])) : values;
  // texts, and [key, format] of each value: "at least {chance:.0%}."
  const partsOf = (sentence) => sentence.split(/\{(.*?)\}/).map((piece, i) => i % 2 ? [piece.split(":", 1)[0], piece.split(":").slice(1).join(":")] : piece).filter((piece) => piece);
  // an entry with the middle choice of each value
  const middle = (name, values = {}) => writeEntry({ name, guards: [], values: Object.fromEntries(Object.entries(values).map(([key, choices]) => [key, choices[Math.floor(choices.length / 2)]])) });
  const familyOf = (part, name) => families[`${part}/${name}`];

  function readEntry(text) {
    const cut = text.indexOf(" when "), bare = cut < 0 ? text : text.slice(0, cut), guard = cut < 0 ? "" : text.slice(cut + 6);
    const found = /^([^(]+)(?:\((.*)\))?$/.exec(bare.trim());
    if (!found) return { name: text, values: {}, guards: [] };
    const values = Object.fromEntries((found[2] ? found[2].split(",") : []).map((pair) => pair.split("=").map((word) => word.trim())).map(([key, value]) => [key, Number(value)]));
    return { name: found[1].trim(), values, guards: guard ? guard.split(" and ").flatMap(readBounds) : [] };
  }
  // "deck <= 2", "2 <= tokens <= 4", "rank == 1"
  function readBounds(text) {
    const words = text.trim().split(/\s+/);
    if (words.length === 5) return [{ quantity: words[2], comparison: ">=", number: Number(words[0]) }, { quantity: words[2], comparison: "<=", number: Number(words[4]) }];
    return [{ quantity: words[0], comparison: words[1], number: Number(words[2]) }];
  }
  function writeEntry({ name, values, guards }) {
    const inside = Object.entries(values).map(([key, value]) => `${key}=${value}`).join(", ");
    return name + (inside && `(${inside})`) + (guards.length ? ` when ${writeGuards(guards)}` : "");
  }
  function writeGuards(guards) {
    const order = Object.keys(quantities), by = {};
    for (const one of guards) (by[one.quantity] ??= []).push(one);
    return Object.keys(by).sort((a, b) => order.indexOf(a) - order.indexOf(b)).map((name) => {
      const low = by[name].find((one) => one.comparison === ">="), high = by[name].find((one) => one.comparison === "<="), equal = by[name].find((one) => one.comparison === "==");
      if (equal) return `${name} == ${equal.number}`;
      if (low && high) return low.number === high.number ? `${name} == ${low.number}` : `${low.number} <= ${name} <= ${high.number}`;
      return low ? `${name} >= ${low.number}` : `${name} <= ${high.number}`;
    }).join(" and ");
  }

  const shortName = (text) => readEntry(text).name.split(".").pop().replaceAll("_", " ");

  // a value in the words of its format, as the rule's docstring has it
  function wordOf(format, value) {
    if (!format) return String(value);
    if (format[0] === "#") { const [one, more] = format.slice(1).split("|"); return `${value} ${value === 1 ? one : more}`; }
    if (format.includes("|")) return format.split("|")[value] ?? String(value);
    if (format.endsWith("%")) return `${Math.round(100 * value)} %`;
    const places = /\.(\d)f$/.exec(format);
    return places ? value.toFixed(Number(places[1])) : String(value);
  }
  function says(part, text) {
    const entry = readEntry(text), family = familyOf(part, entry.name);
    if (!family) return spoken[text] ?? text;
    const guard = entry.guards.length ? `When ${entry.guards.map((one) => `${one.quantity} ${COMPARISONS[one.comparison]} ${one.number}`).join(" and ")}: ` : "";
    return guard + family.parts.map((piece) => typeof piece === "string" ? piece : wordOf(piece[1], entry.values[piece[0]])).join("");
  }

  const choicesOf = (family, key, value) => [...new Set([...family.values[key], value])].sort((a, b) => a - b);
  const boundsOf = (one) => {
    const [low, high] = quantities[one.quantity], all = BOUNDS[one.quantity] ?? Array.from({ length: high - low + 1 }, (_, i) => low + i);
    return [...new Set([...all, one.number])].sort((a, b) => a - b);
  };
  const wordsOf = (format) => format && format[0] !== "#" && format.includes("|") ? format.split("|") : null;
  const isClause = (words) => words && words.length === 2 && words.some((word) => !word || word.length > CLAUSE);

  const stepper = (label, shown, value, what, choices) => html`<span class="val" data-what="${what}"><button type="button" tabindex="-1" aria-hidden="true" data-by="-1" ${
    value === choices[0] && html`disabled`}>−</button><span role="spinbutton" tabindex="0" aria-label="${label}" aria-valuenow="${value}" aria-valuemin="${choices[0]}" aria-valuemax="${
    choices.at(-1)}" aria-valuetext="${shown}">${shown}</span><button type="button" tabindex="-1" aria-hidden="true" data-by="1" ${value === choices.at(-1) && html`disabled`}>+</button></span>`;

  // the sentence of an entry with a control for each value; a value whose words are a clause gets a tick after the sentence
  function sentence(part, text, where) {
    const entry = readEntry(text), family = familyOf(part, entry.name);
    if (!family) return html`${spoken[text] && html`${spoken[text]} `}<code>${text}</code>`;
    const tail = [], seen = new Set();
    const control = ([key, format]) => {
      const value = entry.values[key], words = wordsOf(format), choices = choicesOf(family, key, value), label = `${key} of ${where}`;
      const first = !seen.has(key);
      seen.add(key);
      if (isClause(words)) {
        if (first) tail.push(html` <label class="tick"><input type="checkbox" data-what="value:${key}" ${value && html`checked`} aria-label="${label}">${key}</label>`);
        return wordOf(format, value);
      }
      if (!first) return wordOf(format, value);
      if (words) return html`<select class="pick1" data-what="value:${key}" aria-label="${label}">${choices.map((choice) =>
        html`<option value="${choice}" ${choice === value && html`selected`}>${words[choice] ?? choice}</option>`)}</select>`;
      return stepper(label, wordOf(format, value), value, `value:${key}`, choices);
    };
    const parts = family.parts.map((piece) => typeof piece === "string" ? piece : control(piece));
    for (const key of Object.keys(family.values)) if (!seen.has(key)) tail.push(html` <small>${key}</small> ${stepper(`${key} of ${where}`, entry.values[key], entry.values[key], `value:${key}`, choicesOf(family, key, entry.values[key]))}`);
    const guards = entry.guards.map((one, i) => html`<span class="when">${i ? "and" : "when"} ${one.quantity} ${COMPARISONS[one.comparison]} ${
      stepper(`guard of ${where}: ${one.quantity}`, one.number, one.number, `guard:${i}`, boundsOf(one))}<button type="button" class="x" data-act="unguard" data-guard="${i}" aria-label="Take the guard on ${one.quantity} from ${where}">×</button></span>`);
    return html`${guards}${parts}${tail}`;
  }

  // the value that somebody types, in the words of the sentence: 60 in a sentence with 60 % is 0.6; null for what is no number
  function typed(part, text, what, words) {
    const number = Number(words.replace(",", ".")), [kind, key] = what.split(":");
    if (!words.trim() || !Number.isFinite(number)) return null;
    const format = kind === "value" && familyOf(part, readEntry(text).name).parts.find((piece) => piece[0] === key)?.[1];
    return withValue(text, what, format && format.endsWith("%") ? number / 100 : number);
  }

  // the entry after a step of one of its values or guards; null where there is none
  function stepped(part, text, what, by) {
    const entry = readEntry(text), [kind, key] = what.split(":");
    const choices = kind === "value" ? choicesOf(familyOf(part, entry.name), key, entry.values[key]) : boundsOf(entry.guards[Number(key)]);
    const old = kind === "value" ? entry.values[key] : entry.guards[Number(key)].number;
    const place = by === Infinity ? choices.length - 1 : by === -Infinity ? 0 : choices.indexOf(old) + by;
    return place < 0 || place >= choices.length || choices[place] === old ? null : withValue(text, what, choices[place]);
  }
  function withValue(text, what, value) {
    const entry = readEntry(text), [kind, key] = what.split(":");
    if (kind === "value") entry.values[key] = value;
    else entry.guards[Number(key)].number = value;
    return writeEntry(entry);
  }
  function withGuard(text, quantity, comparison, number) {
    const entry = readEntry(text);
    entry.guards.push({ quantity, comparison, number });
    return writeEntry(entry);
  }
  function withoutGuard(text, place) {
    const entry = readEntry(text);
    entry.guards.splice(place, 1);
    return writeEntry(entry);
  }

  // places of a longest run of increasing numbers
  function longestRun(numbers) {
    const best = numbers.map(() => 1), before = numbers.map(() => -1);
    let end = -1;
    numbers.forEach((number, i) => {
      for (let j = 0; j < i; j += 1) if (numbers[j] < number && best[j] + 1 > best[i]) { best[i] = best[j] + 1; before[i] = j; }
      if (end < 0 || best[i] > best[end]) end = i;
    });
    const found = new Set();
    for (let i = end; i >= 0; i = before[i]) found.add(numbers[i]);
    return found;
  }
  // what is new in a list of entries against an older one: by place [class, words], and the entries that were taken out
  function marksBetween(now, old) {
    const names = old.map((text) => readEntry(text).name), free = names.map(() => true);
    const from = now.map((text) => {
      let place = old.findIndex((other, i) => free[i] && other === text);
      if (place < 0) place = names.findIndex((name, i) => free[i] && name === readEntry(text).name && !now.includes(old[i]));
      if (place >= 0) free[place] = false;
      return place;
    });
    const stay = longestRun(from.filter((place) => place >= 0));
    const marks = now.map((text, i) => {
      if (from[i] < 0) return ["new", "new"];
      if (!stay.has(from[i])) return ["moved", `moved from ${from[i] + 1}`];
      return old[from[i]] === text ? ["", ""] : ["changed", `was ${old[from[i]].replace(/^[^( ]*/, "") || "as in the library"}`];
    });
    return { marks, gone: old.filter((_, i) => free[i]) };
  }

  const signed = (value, sem) => (value < 0 ? "−" : "+") + hanabi.plusMinus(Math.abs(value), sem);
  const tone = (value, sem) => Math.abs(value) <= 2 * sem ? "zero" : value > 0 ? "up" : "down";

  hanabi.entries = { setLibrary, addFamilies, familyOf, readEntry, writeEntry, shortName, says, sentence, stepped, withValue, withGuard, withoutGuard, typed, marksBetween, isGrown, spoken, icon, signed, tone,
    get families() { return Object.values(families); }, get quantities() { return quantities; } };
})();
