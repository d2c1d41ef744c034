"use strict";

// Sorts tables by a click on a column's head, and copies texts.

function cellValue(row, column) {
  const cell = row.cells[column];
  return cell.dataset.value === undefined ? cell.textContent.trim() : Number(cell.dataset.value);
}

function sortBy(table, head) {
  const column = head.cellIndex, ascending = head.getAttribute("aria-sort") !== "ascending";
  const rows = [...table.tBodies[0].rows].sort((one, other) => {
    const [a, b] = [cellValue(one, column), cellValue(other, column)];
    return (typeof a === "number" ? a - b : a.localeCompare(b, undefined, { numeric: true })) * (ascending ? 1 : -1);
  });
  table.tBodies[0].append(...rows);
  for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", ascending ? "ascending" : "descending");
}

for (const table of document.querySelectorAll("table.sortable")) {
  for (const head of table.tHead.rows[0].cells) {
    const sorter = html("button", { type: "button" }, [...head.childNodes]);
    sorter.addEventListener("click", () => sortBy(table, head));
    head.replaceChildren(sorter);
    if (table.tBodies[0].rows[0]?.cells[head.cellIndex]?.classList.contains("number")) head.classList.add("number");
  }
}

/** Copies by the clipboard where the browser lets a page do so, else by a selection. */
async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = html("textarea", { style: "position: fixed; top: 0; opacity: 0" });
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
}

for (const source of document.querySelectorAll("[data-copy]")) {
  const label = source.textContent;
  source.addEventListener("click", async () => {
    const target = document.getElementById(source.dataset.copy);
    await copyText(target.value ?? target.textContent);
    source.textContent = "Copied";
    setTimeout(() => { source.textContent = label; }, 1500);
  });
}
