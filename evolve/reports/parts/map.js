// The map of an archive: a button for each elite, its colour by a number that one chooses; a click opens its list, the pointer
// and the focus show its beginning. A line runs around the cells that reach the best list of 2018.
"use strict";
(() => {
  const data = JSON.parse(document.getElementById("games").textContent);
  const $ = (id) => document.getElementById(id), map = $("map"), metric = $("metric"), slice = $("slice");
  const { cells, parts, axes, links } = data, three = axes.length === 3;
  const part = (value) => Math.min(Math.floor(value * parts), parts - 1);
  const element = (tag, text = "", options = {}) => Object.assign(document.createElement(tag), { textContent: text }, options);
  const best = cells.reduce((one, other) => other.numbers.points > one.numbers.points ? other : one);
  const [reference, level] = data.references.find(([name]) => name === "best of 2018") ?? [];
  const PEEK = 5;                                // rules that the pointer shows
  let chosen = null;

  for (const [value, text] of data.metrics) metric.append(element("option", text, { value }));
  if (three && parts) {
    const filled = [...new Set(cells.map((cell) => part(cell.at[2])))].sort((one, other) => one - other);
    $("slicename").textContent = axes[2][0];
    $("slicebox").hidden = false;
    for (const at of filled) slice.append(element("option", `${(at / parts).toFixed(2)} to ${((at + 1) / parts).toFixed(2)}`, { value: at }));
    slice.addEventListener("change", draw);
  }
  metric.addEventListener("change", draw);

  const range = (value) => parts ? `${(part(value) / parts).toFixed(2)} to ${((part(value) + 1) / parts).toFixed(2)}` : value.toFixed(2);
  const number = (name, value) => name === "points" || name === "found" ? value.toFixed(2) : name === "stays" ? (value ? "yes" : "no") : value.toFixed(3);
  const place = (cell) => axes.map(([name], i) => `${name} ${range(cell.at[i])}`).join(", ");
  const label = (cell) => `${place(cell)}: ${number(metric.value, cell.numbers[metric.value])}, ${metric.selectedOptions[0].textContent}`;

  function shown() { return three && parts ? cells.filter((cell) => part(cell.at[2]) === Number(slice.value)) : cells; }

  function draw() {
    const some = shown(), values = some.map((cell) => cell.numbers[metric.value]), low = Math.min(...values), high = Math.max(...values);
    map.replaceChildren(...some.map((cell) => {
      const button = element("button", "", { type: "button" }), value = cell.numbers[metric.value];
      button.dataset.cell = cell.name;
      button.tabIndex = -1;
      button.setAttribute("aria-label", label(cell));
      button.setAttribute("aria-pressed", String(cell === chosen));
      button.style.setProperty("--value", high > low ? (value - low) / (high - low) : 1);
      const [x, y] = cell.at;
      Object.assign(button.style, parts
        ? { left: `${100 * part(x) / parts}%`, bottom: `${100 * part(y) / parts}%`, width: `${100 / parts}%`, height: `${100 / parts}%` }
        : { left: `${100 * x}%`, bottom: `${100 * y}%`, width: "14px", height: "14px" });
      button.classList.toggle("round", !parts);
      button.classList.toggle("champion", cell === best);
      button.classList.toggle("pale", button.style.getPropertyValue("--value") < 0.5);
      button.classList.toggle("reaches", !parts && reaches(cell));
      button.addEventListener("click", () => choose(cell));
      return button;
    }));
    const first = map.querySelector("[aria-pressed=true]") ?? map.firstElementChild;
    if (first) first.tabIndex = 0;
    drawContour(some);
    drawScale(low, high);
    legend(some);
  }

  // the points of a cell are those of the metric that is shown, if that is points
  const inPoints = () => level !== undefined && ["points", "found"].includes(metric.value);
  const reaches = (cell) => inPoints() && cell.numbers[metric.value] >= level;
  // sides between a cell that reaches the level and one that does not
  function drawContour(some) {
    const inside = new Set(parts ? some.filter(reaches).map((cell) => `${part(cell.at[0])} ${part(cell.at[1])}`) : []);
    const sides = [...inside].flatMap((key) => {
      const [x, y] = key.split(" ").map(Number), open = (dx, dy) => !inside.has(`${x + dx} ${y + dy}`), bottom = parts - y, top = bottom - 1;
      return [open(-1, 0) && `M${x} ${top}V${bottom}`, open(1, 0) && `M${x + 1} ${top}V${bottom}`, open(0, 1) && `M${x} ${top}H${x + 1}`, open(0, -1) && `M${x} ${bottom}H${x + 1}`];
    }).filter(Boolean).join("");
    $("contour").setAttribute("viewBox", `0 0 ${parts || 1} ${parts || 1}`);
    $("contour").replaceChildren(...["under", "over"].map((name) => {
      const line = document.createElementNS("http://www.w3.org/2000/svg", "path");
      line.setAttribute("class", name);
      line.setAttribute("d", sides);
      return line;
    }));
  }
  // about five round numbers between two values
  function ticks(low, high) {
    const raw = (high - low) / 5, power = 10 ** Math.floor(Math.log10(raw)), step = power * [1, 2, 5, 10].find((one) => one * power >= raw), places = Math.max(0, -Math.floor(Math.log10(step)));
    return high > low ? Array.from({ length: Math.floor(high / step) - Math.ceil(low / step) + 1 }, (_, i) => ((Math.ceil(low / step) + i) * step).toFixed(places)) : [];
  }
  function drawScale(low, high) {
    const at = (value) => `${100 * (value - low) / (high - low || 1)}%`, bar = element("div", "", { className: "bar" }), below = element("div", "", { className: "ticks" });
    for (const text of ticks(low, high)) {
      const tick = element("span", text);
      tick.style.left = at(Number(text));
      below.append(tick);
    }
    if (inPoints() && level >= low && level <= high) {
      const mark = element("i");
      mark.style.left = at(level);
      bar.append(mark);
    }
    $("scale").replaceChildren(bar, below);
  }
  function legend(some) {
    const above = some.filter(reaches).length;
    $("legend").textContent = `Colour: ${metric.selectedOptions[0].textContent}. Empty: no list was found. ★ the best list.${!inPoints() ? "" : above
      ? ` The line runs around the ${above === 1 ? "cell that reaches" : `${above} cells that reach`} the ${reference} (${level.toFixed(2)} points).` : ` No cell reaches the ${reference} (${level.toFixed(2)} points).`}`;
  }

  // the beginning of a list, beside its cell
  function peek(cell) {
    const box = $("peek"), list = element("ol"), more = cell.list.length - PEEK;
    list.append(...cell.list.slice(0, PEEK).map((says) => { const row = element("li"); row.append(element("span", says)); return row; }));
    box.replaceChildren(element("b", `${cell === best ? "★ " : ""}${number(metric.value, cell.numbers[metric.value])}, ${metric.selectedOptions[0].textContent}`), list, element("small", more > 0 ? `and ${more} more` : ""));
    box.hidden = false;
    // to the right of the cell, or to its left, or above or below it, all within the window
    const at = [...map.children].find((one) => one.dataset.cell === cell.name).getBoundingClientRect(), plane = map.getBoundingClientRect(), gap = 10;
    const { offsetWidth: width, offsetHeight: height } = box, wide = document.documentElement.clientWidth;
    const aside = at.right + gap + width <= wide ? at.right + gap : at.left - gap - width >= 0 ? at.left - gap - width : null;
    const left = aside ?? Math.max(gap, Math.min(at.left, wide - width - gap)), top = aside !== null ? at.top - height / 2 : at.top - gap - height > plane.top ? at.top - gap - height : at.bottom + gap;
    Object.assign(box.style, { left: `${left - plane.left}px`, top: `${Math.max(top - plane.top, 0)}px` });
  }
  const cellOf = (target) => cells.find((cell) => cell.name === target.dataset?.cell);
  for (const [kind, shows] of [["pointerover", true], ["focusin", true], ["pointerout", false], ["focusout", false]]) {
    map.addEventListener(kind, ({ target, pointerType }) => {
      const cell = cellOf(target);
      if (shows && cell && pointerType !== "touch" && (kind !== "focusin" || target.matches(":focus-visible"))) peek(cell);
      else $("peek").hidden = true;
    });
  }
  addEventListener("keydown", ({ key }) => { if (key === "Escape") $("peek").hidden = true; });

  function choose(cell) {
    chosen = cell;
    for (const button of map.children) {
      button.setAttribute("aria-pressed", String(button.dataset.cell === cell.name));
      button.tabIndex = button.dataset.cell === cell.name ? 0 : -1;
    }
    $("cellname").textContent = `${cell === best ? "★ The best: " : ""}${number("points", cell.numbers.points)} points: ${place(cell)}`;
    const list = element("ol"), facts = element("dl"), acts = element("div", "", { className: "row" });
    list.append(...cell.list.map((says) => element("li", says)));
    for (const [name, text] of data.metrics) facts.append(element("dt", text), element("dd", number(name, cell.numbers[name])));
    if (links) {
      const to = links + encodeURIComponent(cell.name);
      acts.append(...[["", "Its page and games"], ["?then=play", "Play with it"], ["?then=build", "Open in the workbench"]].map(([then, text]) => element("a", text, { className: "button", href: to + then })));
    } else acts.append(element("code", `hanabi play ${cell.file}`));
    $("cell").replaceChildren(acts, list, facts);
  }

  // the nearest filled cell in the direction of an arrow key
  map.addEventListener("keydown", (event) => {
    const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
    const from = cells.find((cell) => cell.name === document.activeElement.dataset.cell);
    if (!way || !from) return;
    event.preventDefault();
    event.stopPropagation();
    const found = shown().map((cell) => {
      const [dx, dy] = [cell.at[0] - from.at[0], cell.at[1] - from.at[1]], along = dx * way[0] + dy * way[1], aside = Math.abs(dx * way[1]) + Math.abs(dy * way[0]);
      return { cell, along, cost: along + 3 * aside };
    }).filter(({ cell, along }) => cell !== from && along > 1e-9).sort((one, other) => one.cost - other.cost)[0];
    if (!found) return;
    const button = [...map.children].find((one) => one.dataset.cell === found.cell.name);
    for (const other of map.children) other.tabIndex = other === button ? 0 : -1;
    button.focus();
  });

  const table = element("table"), head = table.createTHead().insertRow(), body = table.createTBody();
  head.append(...["cell", ...data.metrics.map(([, text]) => text)].map((text) => element("th", text)));
  for (const cell of cells) {
    const row = body.insertRow();
    row.append(...[cell.name, ...data.metrics.map(([name]) => number(name, cell.numbers[name]))].map((text) => element("td", text)));
  }
  $("numbers").append(table);
  hanabi.sortable($("numbers"));
  if (three && parts) slice.value = part(best.at[2]);
  draw();
  choose(best);
})();
