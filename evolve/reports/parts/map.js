// The map of an archive: a button for each elite, its colour by a number that one chooses; a click opens its list.
"use strict";
(() => {
  const data = JSON.parse(document.getElementById("games").textContent);
  const $ = (id) => document.getElementById(id), map = $("map"), metric = $("metric"), slice = $("slice");
  const { cells, parts, axes, links } = data, three = axes.length === 3;
  const part = (value) => Math.min(Math.floor(value * parts), parts - 1);
  const element = (tag, text = "", options = {}) => Object.assign(document.createElement(tag), { textContent: text }, options);
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
      const button = element("button", "", { type: "button", title: label(cell) }), value = cell.numbers[metric.value];
      button.dataset.cell = cell.name;
      button.tabIndex = -1;
      button.setAttribute("aria-label", label(cell));
      button.setAttribute("aria-pressed", String(cell === chosen));
      button.style.setProperty("--value", high > low ? 0.06 + 0.94 * (value - low) / (high - low) : 1);
      const [x, y] = cell.at;
      Object.assign(button.style, parts
        ? { left: `${100 * part(x) / parts}%`, bottom: `${100 * part(y) / parts}%`, width: `${100 / parts}%`, height: `${100 / parts}%` }
        : { left: `${100 * x}%`, bottom: `${100 * y}%`, width: "14px", height: "14px" });
      button.classList.toggle("round", !parts);
      button.addEventListener("click", () => choose(cell));
      return button;
    }));
    const first = map.querySelector("[aria-pressed=true]") ?? map.firstElementChild;
    if (first) first.tabIndex = 0;
    $("scale").replaceChildren(number(metric.value, low), element("i"), `${number(metric.value, high)}: ${metric.selectedOptions[0].textContent}. Empty: no list was found.`);
  }

  function choose(cell) {
    chosen = cell;
    for (const button of map.children) {
      button.setAttribute("aria-pressed", String(button.dataset.cell === cell.name));
      button.tabIndex = button.dataset.cell === cell.name ? 0 : -1;
    }
    $("cellname").textContent = `${number("points", cell.numbers.points)} points: ${place(cell)}`;
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
  draw();
})();
