"use strict";

// Places the symbols of a board, see envs/drawing/symbols.py. A board comes as text (rows from the top, numbers for runs of empty squares); no rules are known here.

function svg(name, attributes = {}, children = []) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

function html(name, attributes = {}, children = []) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

/** Returns the squares of a board text, row-major with row 0 at the bottom: ".", "x", "o" or "#". */
function readBoard(text) {
  const rows = text.split(" ")[0].split("/").reverse();
  return rows.flatMap((row) => (row.match(/\d+|\D/g) || []).flatMap((run) => (/\d/.test(run) ? Array(Number(run)).fill(".") : [run])));
}

class Board {
  /** shape: width, height, cell and margin; prefix: of the symbols' ids. */
  constructor(shape, prefix) {
    Object.assign(this, shape, { prefix });
    const viewBox = document.getElementById(`${prefix}-board`).getAttribute("viewBox");
    this.pieces = svg("g");
    this.element = svg("svg", { class: "board", viewBox, role: "img" }, [this.symbol("board"), this.pieces]);
    this.element.style.maxWidth = `${0.72 * viewBox.split(" ")[2]}px`;
  }

  x(square) { return this.margin + (square % this.width) * this.cell; }
  y(square) { return this.margin + (this.height - 1 - Math.floor(square / this.width)) * this.cell; }
  symbol(name, attributes = {}) { return svg("use", { href: `#${this.prefix}-${name}`, ...attributes }); }
  at(square, name, attributes = {}) { return this.symbol(name, { x: this.x(square), y: this.y(square), width: this.cell, height: this.cell, ...attributes }); }
  piece(cell, square) { return this.at(square, cell === "#" ? "gone" : cell, { "data-square": square, "data-piece": cell }); }

  /** Shows a board text; `before` is the one a move earlier (or null), `lines` the winning lines as pairs of squares. */
  show(text, before, lines, label) {
    const cells = readBoard(text), old = before ? readBoard(before) : cells;
    const pieces = cells.map((cell, square) => cell !== "." && this.piece(cell, square));
    const marks = cells.map((cell, square) => cell !== old[square] && this.at(square, "last"));
    this.pieces.replaceChildren(...[...pieces, ...lines.map((line) => this.line(...line)), ...marks].filter(Boolean));
    this.element.setAttribute("aria-label", label);
  }

  line(first, last) {
    const line = document.getElementById(`${this.prefix}-line`).cloneNode(true), half = this.cell / 2;
    const ends = { x1: this.x(first) + half, y1: this.y(first) + half, x2: this.x(last) + half, y2: this.y(last) + half };
    line.removeAttribute("id");
    for (const stroke of line.children) for (const [end, place] of Object.entries(ends)) stroke.setAttribute(end, place);
    return line;
  }

  /** Returns a small picture of a side's piece, for the players' names. */
  swatch(piece) { return svg("svg", { viewBox: `0 0 ${this.cell} ${this.cell}`, "aria-hidden": "true" }, [this.symbol("ground"), this.symbol(piece)]); }
}
