// Tables whose columns sort: a button in each head, and aria-sort says the order. It is kept where a table is drawn anew.
"use strict";
(() => {
  const orders = new WeakMap();                  // by the box of a table: [column, 1 or -1]
  const NUMBER = /^[+−-]?[\d,]*\.?\d+(?=$|\s|[%/±])/;
  const text = (row, column) => (row.cells[column]?.dataset.sort ?? row.cells[column]?.textContent ?? "").trim();
  const number = (value) => parseFloat(value.replace("−", "-").replaceAll(",", ""));

  // rows in the order of a column: numbers as numbers, where all are; what is empty last; by data-sort where a cell has it
  function order(rows, column, way) {
    const numbers = rows.every((row) => !text(row, column) || NUMBER.test(text(row, column)));
    const empty = (row) => text(row, column) === "";
    return [...rows].sort((one, other) => empty(one) - empty(other) || way * (numbers
      ? number(text(one, column)) - number(text(other, column)) || 0 : text(one, column).localeCompare(text(other, column), "en", { numeric: true })));
  }

  function apply(box) {
    const table = box.querySelector("table"), [column, way] = orders.get(box) ?? [-1, 1];
    table.querySelectorAll("thead th").forEach((head, i) => i === column
      ? head.setAttribute("aria-sort", way > 0 ? "ascending" : "descending") : head.removeAttribute("aria-sort"));
    if (column >= 0) table.tBodies[0].append(...order([...table.tBodies[0].rows], column, way));
  }

  // make the table in a box sortable; again after it was drawn anew
  function sortable(box) {
    const table = box.querySelector("table");
    if (!table?.tHead || !table.tBodies.length || table.tBodies[0].rows.length < 2) return;
    table.querySelectorAll("thead th").forEach((head, column) => {
      const name = head.textContent.trim(), rows = [...table.tBodies[0].rows];
      if (!name || head.querySelector("button, .vh") || !rows.some((row) => text(row, column))) return;
      const button = document.createElement("button");
      Object.assign(button, { type: "button", className: "sort", textContent: name });
      button.dataset.key = `sort-${column}`;
      button.addEventListener("click", () => {
        const [before, way] = orders.get(box) ?? [-1, 1], first = NUMBER.test(text(table.tBodies[0].rows[0], column)) ? -1 : 1;
        orders.set(box, [column, before === column ? -way : first]);
        apply(box);
      });
      head.replaceChildren(button);
    });
    apply(box);
  }

  hanabi.sortable = sortable;
  document.querySelectorAll(".scroll").forEach(sortable);
})();
