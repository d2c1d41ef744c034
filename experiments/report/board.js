"use strict";

// Draws boards as SVG with the looks of envs/rendering.py. A board comes as text (rows from the top, numbers for runs of empty squares); no rules are known here.

const CELL = 60, MARGIN = 38;

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
  /** shape: style ("drop", "grid", "stones", "tiles"), width, height, columns (names), fixed (squares). */
  constructor(shape, prefix) {
    this.shape = shape;
    this.prefix = prefix;
    this.right = 2 * MARGIN + shape.width * CELL;
    this.bottom = 2 * MARGIN + shape.height * CELL;
    this.pieces = svg("g");
    this.element = svg("svg", { class: `board ${shape.style}`, viewBox: `0 0 ${this.right} ${this.bottom}`, role: "img" });
    this.element.style.maxWidth = `${1.2 * this.right}px`;
    this.element.append(this.gradients(), this.background(), this.coordinates(), this.pieces);
  }

  x(square) { return MARGIN + (square % this.shape.width) * CELL + CELL / 2; }
  y(square) { return MARGIN + (this.shape.height - 1 - Math.floor(square / this.shape.width)) * CELL + CELL / 2; }
  squares() { return [...Array(this.shape.width * this.shape.height).keys()]; }

  /** Shows a board text; `before` is the one a move earlier (or null), `lines` the winning lines as pairs of squares. */
  show(text, before, lines, label) {
    const cells = readBoard(text), old = before ? readBoard(before) : cells;
    const drawn = [];
    cells.forEach((cell, square) => { if (cell !== ".") drawn.push(this.piece(cell, this.x(square), this.y(square), square)); });
    for (const line of lines) drawn.push(...this.line(...line));
    cells.forEach((cell, square) => { if (cell !== old[square]) drawn.push(this.mark(this.x(square), this.y(square))); });
    this.pieces.replaceChildren(...drawn);
    this.element.setAttribute("aria-label", label);
  }

  gradients() {
    const ball = (name, light, dark) => svg("radialGradient", { id: `${this.prefix}-${name}`, cx: 0.35, cy: 0.3, r: 0.8 },
      [svg("stop", { offset: 0, "stop-color": light }), svg("stop", { offset: 0.75, "stop-color": dark })]);
    return svg("defs", {}, [
      ball("chip-x", "#e58a45", "#d55e00"), ball("chip-o", "#f7f0a0", "#f0e442"), ball("stone-x", "#77777b", "#1e1e21"),
      ball("stone-o", "#ffffff", "#d9d7d0"), ball("pawn-x", "#e58a45", "#d55e00"), ball("pawn-o", "#4a9fce", "#0072b2"),
    ]);
  }

  background() {
    const { style, width, height } = this.shape, reach = MARGIN - 9;
    const tray = (colour, radius) => svg("rect", { x: reach, y: reach, width: this.right - 2 * reach, height: this.bottom - 2 * reach, rx: radius, fill: colour });
    if (style === "stones") return svg("g", {}, [svg("rect", { width: this.right, height: this.bottom, rx: 8, fill: "#e0b878" }), ...this.crossings()]);
    if (style === "grid") return svg("g", {}, this.gridLines(width === 3 && height === 3 ? 1 : 0));
    if (style === "drop") return svg("g", {}, [tray("#0072b2", 14), ...this.squares().map((square) => this.hole(this.x(square), this.y(square)))]);
    return svg("g", {}, [tray("#3a4250", 10), ...this.squares().map((square) => this.tile(square))]);
  }

  hole(x, y) {
    return svg("g", {}, [
      svg("circle", { cx: x, cy: y, r: 0.43 * CELL, fill: "#005d92" }), svg("circle", { cx: x, cy: y, r: 0.4 * CELL, style: "fill: var(--hole-shade)" }),
      svg("ellipse", { cx: x, cy: y + 1.2, rx: 0.395 * CELL, ry: 0.38 * CELL, style: "fill: var(--hole)" }),
    ]);
  }

  tile(square) {
    const x = this.x(square), y = this.y(square), box = this.box(x, y, 0.07, { rx: 6, fill: "#e9e3d4", stroke: "#cdc5b2", "stroke-width": 2.4 });
    const ring = svg("circle", { cx: x, cy: y, r: 0.29 * CELL, fill: "none", stroke: "#9e947c", "stroke-width": 3 });
    return svg("g", {}, this.shape.fixed.includes(square) ? [box, ring] : [box]);
  }

  box(x, y, inset, attributes) {
    const side = CELL * (1 - 2 * inset);
    return svg("rect", { x: x - side / 2, y: y - side / 2, width: side, height: side, ...attributes });
  }

  straight(x1, y1, x2, y2, thickness, attributes = {}) {
    return svg("line", { x1, y1, x2, y2, "stroke-width": thickness, "stroke-linecap": "round", ...attributes });
  }

  gridLines(outer) {
    const { width, height } = this.shape, lines = [], look = { style: "stroke: var(--faint)", opacity: 0.6 }, thick = outer ? 4 : 2;
    for (let i = outer; i <= width - outer; i++) lines.push(this.straight(MARGIN + i * CELL, MARGIN, MARGIN + i * CELL, this.bottom - MARGIN, thick, look));
    for (let i = outer; i <= height - outer; i++) lines.push(this.straight(MARGIN, MARGIN + i * CELL, this.right - MARGIN, MARGIN + i * CELL, thick, look));
    return lines;
  }

  crossings() {
    const { width, height } = this.shape, first = MARGIN + CELL / 2, lines = [], look = { stroke: "#543c20" };
    const thick = (i, count) => (i === 0 || i === count - 1 ? 3 : 1.6);
    for (let i = 0; i < width; i++) lines.push(this.straight(first + i * CELL, first, first + i * CELL, this.bottom - first, thick(i, width), look));
    for (let i = 0; i < height; i++) lines.push(this.straight(first, first + i * CELL, this.right - first, first + i * CELL, thick(i, height), look));
    return lines.concat(this.stars().map(([column, row]) => svg("circle", { cx: first + column * CELL, cy: first + row * CELL, r: 5, fill: "#543c20" })));
  }

  /** Returns the columns and rows of the star points, as board_art.star_points. */
  stars() {
    const { width, height } = this.shape, least = Math.min(width, height);
    if (least < 7) return [];
    const inset = least >= 12 ? 3 : 2, columns = [inset, width - 1 - inset], rows = [inset, height - 1 - inset];
    const points = columns.flatMap((column) => rows.map((row) => [column, row]));
    if (width % 2 && height % 2) {
      points.push([(width - 1) / 2, (height - 1) / 2]);
      if (least >= 17) points.push(...rows.map((row) => [(width - 1) / 2, row]), ...columns.map((column) => [column, (height - 1) / 2]));
    }
    return points;
  }

  coordinates() {
    const { width, height, columns } = this.shape, names = [], size = Math.max(15, this.right / 46);
    for (let i = 0; i < width; i++) names.push(svg("text", { x: this.x(i), y: this.bottom - 10, "font-size": size }, [columns[i]]));
    for (let i = 0; i < height; i++) names.push(svg("text", { x: 15, y: this.y(i * width) + size / 3, "font-size": size }, [String(i + 1)]));
    return svg("g", { "aria-hidden": "true" }, names);
  }

  /** Returns a piece ("x" or "o") or a gone square ("#") around a point. */
  piece(cell, x, y, square = -1) {
    const group = svg("g", { "data-square": square, "data-piece": cell });
    if (cell === "#") group.append(this.box(x, y, 0.03, { rx: 7, fill: "#3a4250" }), this.box(x, y, 0.085, { rx: 6, fill: "#262c37" }));
    else if (this.shape.style === "grid") group.append(...this.letter(cell, x, y, 0.23, 0.14, { x: "var(--x)", o: "var(--o)" }[cell]));
    else group.append(...this.disc(cell, x, y));
    return group;
  }

  letter(cell, x, y, reach, thickness, colour) {
    const half = reach * CELL, look = { style: `stroke: ${colour}` };
    if (cell === "o") return [svg("circle", { cx: x, cy: y, r: half * 1.08, fill: "none", "stroke-width": thickness * CELL, ...look })];
    return [this.straight(x - half, y - half, x + half, y + half, thickness * CELL, look), this.straight(x - half, y + half, x + half, y - half, thickness * CELL, look)];
  }

  disc(cell, x, y) {
    const circle = (radius, attributes) => svg("circle", { cx: x, cy: y, r: radius * CELL, ...attributes }), fill = (name) => `url(#${this.prefix}-${name}-${cell})`;
    const dark = { x: "#994300", o: "#aca430" }[cell];
    if (this.shape.style === "drop") return [circle(0.405, { fill: dark }), circle(0.375, { fill: fill("chip") }), circle(0.265, { fill: "none", stroke: dark, "stroke-opacity": 0.5, "stroke-width": 2 })];
    if (this.shape.style === "stones") {
      return [svg("circle", { cx: x + 1.5, cy: y + 2.5, r: 0.45 * CELL, fill: "#000", opacity: 0.25 }), circle(0.445, { fill: fill("stone"), stroke: cell === "o" ? "#78706488" : "none" })];
    }
    return [svg("circle", { cx: x, cy: y + 1.5, r: 0.375 * CELL, fill: "#000", opacity: 0.3 }), circle(0.35, { fill: fill("pawn"), stroke: { x: "#994300", o: "#004f7c" }[cell], "stroke-width": 2 }), ...this.letter(cell, x, y, 0.115, 0.085, "#fff")];
  }

  mark(x, y) {
    const { style } = this.shape;
    if (style === "drop") return svg("circle", { cx: x, cy: y, r: 0.145 * CELL, fill: "none", stroke: "#18181a", "stroke-width": 0.06 * CELL, class: "mark" });
    if (style === "stones") return svg("circle", { cx: x, cy: y, r: 0.13 * CELL, fill: "#d55e00", class: "mark" });
    return this.box(x, y, 0.08, { rx: 6, fill: "none", stroke: "#e69f00", "stroke-width": 0.065 * CELL, class: "mark" });
  }

  line(first, last) {
    const ends = [this.x(first), this.y(first), this.x(last), this.y(last)];
    return [this.straight(...ends, 0.17 * CELL, { stroke: "#18181a", class: "winning" }), this.straight(...ends, 0.09 * CELL, { stroke: "#fff" })];
  }

  /** Returns a small picture of a side's piece, for the players' names. */
  swatch(cell) {
    const box = { drop: "#0072b2", stones: "#e0b878", tiles: "#e9e3d4" }[this.shape.style];
    const back = box ? [svg("rect", { width: CELL, height: CELL, rx: CELL / 2, fill: box })] : [];
    return svg("svg", { viewBox: `0 0 ${CELL} ${CELL}`, "aria-hidden": "true" }, [...back, this.piece(cell, CELL / 2, CELL / 2)]);
  }
}
