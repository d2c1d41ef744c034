"use strict";

// Turns every `.replay` section, which holds its games as JSON (see replay.py), into a board with controls.

const ICONS = {
  first: "M2 2h2v12H2zM12 2L6 8l6 6 1.5-1.5L9 8l4.5-4.5z", previous: "M10.5 2L4.5 8l6 6L12 12.5 7.5 8 12 3.5z",
  next: "M5.5 2L4 3.5 8.5 8 4 12.5 5.5 14l6-6z", last: "M12 2h2v12h-2zM4 2L2.5 3.5 7 8l-4.5 4.5L4 14l6-6z",
  play: "M4 2v12l9-6z", pause: "M3 2h4v12H3zM9 2h4v12H9z",
};
const WORDS = { win: "wins", draw: "draws", loss: "losses", first: "first", second: "second" };
const LONGEST = 24; // characters of a name in a label
const PAUSE = 700; // milliseconds between two moves when playing

function button(label, icon, action) {
  const made = html("button", { type: "button", "aria-label": label, title: label }, [svg("svg", { viewBox: "0 0 16 16", "aria-hidden": "true" }, [svg("path", { d: ICONS[icon] })])]);
  made.addEventListener("click", action);
  return made;
}

function option(value, text) { return html("option", { value }, [text]); }

function signed(score) { return `${score > 0 ? "+" : score < 0 ? "\u2212" : ""}${Math.abs(score)}`; }

function counted(number, one, many) { return `${number} ${number === 1 ? one : many}`; }

/** Both agents' scores of their moves as lines in the colours of their pieces, up for the first seat: on a logarithmic scale, each in its own units. */
class ScoreGraph {
  /** colours: of both sides' pieces; limit: the score beyond which a search has seen the end. */
  constructor(colours, limit) {
    Object.assign(this, { colours, limit });
    this.drawing = svg("svg", { class: "graph", viewBox: "0 0 600 100", preserveAspectRatio: "none", role: "img", "aria-label": "Scores of both agents move by move" });
    this.legend = html("p", { class: "graph-legend" });
    const title = "Scores that the agents gave their moves, each in points of its own, on a logarithmic scale; up is good for who moves first";
    this.element = html("div", {}, [html("p", { class: "graph-title" }, [title]), this.drawing, this.legend]);
  }

  x(ply) { return 6 + (588 * ply) / Math.max(1, this.plies); }

  open(game) {
    this.plies = game.moves.length;
    const scores = game.scores || [], line = (seat) => scores.map((score, index) => [game.opening + index, score]).filter(([ply, score]) => ply % 2 === seat && score !== null);
    this.element.hidden = !scores.some((score) => score !== null);
    this.cursor = svg("line", { y1: 0, y2: 100, style: "stroke: var(--accent)", "stroke-width": 2, "vector-effect": "non-scaling-stroke" });
    const zero = svg("line", { x1: 0, x2: 600, y1: 50, y2: 50, style: "stroke: var(--line)", "vector-effect": "non-scaling-stroke" });
    this.drawing.replaceChildren(zero, this.cursor, ...[0, 1].flatMap((seat) => this.line(line(seat), seat)));
    this.legend.replaceChildren(...[0, 1].filter((seat) => line(seat).length).map((seat) => {
      const sample = svg("svg", { viewBox: "0 0 44 16", "aria-hidden": "true" }, this.strokes("2,8 42,8", ["22,8"], seat));
      return html("span", {}, [sample, `${game[["first", "second"][seat]]}, ${this.range(line(seat))}`]);
    }));
  }

  /** Returns the least and the greatest of one seat's scores that are no proven ends. */
  range(scores) {
    const open = this.undecided(scores);
    return open.length ? `${signed(Math.min(...open))} to ${signed(Math.max(...open))} points` : "ends that it has seen";
  }

  undecided(scores) { return scores.map(([, score]) => score).filter((score) => Math.abs(score) <= this.limit); }

  /** Returns the drawing of one seat's [ply, score] pairs. */
  line(scores, seat) {
    const most = Math.asinh(Math.max(1, ...this.undecided(scores).map(Math.abs))), sign = seat ? 1 : -1;
    const height = (score) => Math.abs(score) > this.limit ? Math.sign(score) : (0.85 * Math.asinh(score)) / most; // ends stand beyond all others
    const points = scores.map(([ply, score]) => `${this.x(ply + 1).toFixed(1)},${(50 + 44 * sign * height(score)).toFixed(1)}`);
    return this.strokes(points.join(" "), points, seat);
  }

  /** Returns a line with dots in the colour of a seat's pieces, with an edge that shows it on any paper. */
  strokes(line, points, seat) {
    const whole = { fill: "none", "stroke-dasharray": seat ? "7 4" : "none", "vector-effect": "non-scaling-stroke" };
    const dots = { "stroke-linecap": "round", "vector-effect": "non-scaling-stroke" };
    return [["graph-edge", "var(--edge)", 4, 8], ["graph-line", this.colours[seat], 2.2, 5.5]].flatMap(([name, stroke, thin, thick]) => [
      svg("polyline", { points: line, class: name, stroke, "stroke-width": thin, ...whole }),
      ...points.map((point) => svg("path", { d: `M${point}h0`, stroke, "stroke-width": thick, ...dots })),
    ]);
  }

  mark(ply) { for (const end of ["x1", "x2"]) this.cursor.setAttribute(end, this.x(ply)); }
}

class Replay {
  constructor(section) {
    this.section = section;
    Object.assign(this, JSON.parse(section.querySelector("script").textContent));
    this.board = new Board(this.shape, section.id);
    this.timer = null;
    this.build();
    this.filter();
    section.addEventListener("keydown", (event) => this.key(event));
  }

  build() {
    this.filters = this.choosers();
    this.chooser = this.labelled("Game", [], () => this.open(this.games.find((game) => String(game.id) === this.chooser.value)));
    this.chooser.parentElement.className = "wide";
    this.players = html("div", { class: "players" });
    this.status = html("p", { class: "status", "aria-live": "polite" });
    this.slider = html("input", { type: "range", min: 0, step: 1, "aria-label": "Move number" });
    this.slider.addEventListener("input", () => this.go(Number(this.slider.value)));
    this.list = html("ol", { class: "moves-list", "aria-label": "Moves" });
    this.text = html("input", { type: "text", readonly: "", id: `${this.section.id}-text`, "aria-label": "Position as text" });
    const copy = html("button", { type: "button", "data-copy": this.text.id }, ["Copy position"]);
    this.record = html("input", { type: "hidden", id: `${this.section.id}-moves` });
    const copyMoves = html("button", { type: "button", "data-copy": this.record.id }, ["Copy moves"]);
    this.thoughts = html("p", { class: "thought" });
    this.graph = new ScoreGraph(this.shape.colours, this.decisive[0]);
    const board = html("div", {}, [this.players, this.board.element, this.graph.element]);
    const side = html("div", {}, [this.status, this.thoughts, this.controls(), this.list, html("div", { class: "position" }, [this.text, copy, this.record, copyMoves])]);
    const choosers = html("div", { class: "choosers" }, [...Object.values(this.filters).map((select) => select.parentElement), this.chooser.parentElement]);
    this.section.append(choosers, html("div", { class: "desk", tabindex: "0", role: "group", "aria-label": "Board and moves; arrow keys step" }, [board, side]));
  }

  /** Returns [property of a game, select] for each filter that has something to choose. */
  choosers() {
    const whose = this.agent.length > LONGEST ? "the agent" : this.agent;
    const names = this.games.flatMap((game) => [game.first, game.second]), outcomes = this.agent ? this.games.map((game) => this.outcome(game)) : ["win", "draw", "loss"];
    const choices = {
      agent: ["Agent", this.agent ? [] : names], opponent: ["Opponent", names.filter((name) => name !== this.agent)], outcome: [`Outcome for ${whose}`, outcomes],
      seat: [`Seat of ${whose}`, this.agent ? this.games.map((game) => this.seat(game)) : []], ending: ["Ending", this.games.map((game) => this.ends(game))],
    };
    return Object.fromEntries(Object.entries(choices).flatMap(([property, [label, found]]) => {
      const values = [...new Set(found)].sort();
      if (values.length < 2) return [];
      return [[property, this.labelled(label, [option("", "all"), ...values.map((value) => option(value, WORDS[value] || value))], () => this.filter())]];
    }));
  }

  value(filter) { return this.filters?.[filter]?.value || ""; }

  /** Returns whose game it is: that of the agent, else of who was chosen, else of who moved first. */
  who(game) { return this.agent || this.value("agent") || (game.first === this.value("opponent") ? game.second : game.first); }
  seat(game) { return game.first === this.who(game) ? "first" : "second"; }
  outcome(game) { return game.result === "draw" ? "draw" : game.result === this.seat(game) ? "win" : "loss"; }
  opponent(game) { return game.first === this.who(game) ? game.second : game.first; }
  ends(game) { return this.endings[game.termination] || game.termination; }

  /** Tells whether a game passes all filters. */
  fits(game) {
    return (!this.value("agent") || [game.first, game.second].includes(this.value("agent")))
      && ["opponent", "outcome", "seat"].every((filter) => !this.value(filter) || this[filter](game) === this.value(filter))
      && (!this.value("ending") || this.ends(game) === this.value("ending"));
  }

  /** Offers the games of two agents alone, of any outcome. */
  showPair(agent, opponent) {
    for (const [filter, select] of Object.entries(this.filters)) select.value = { agent, opponent }[filter] || "";
    this.filter();
  }

  labelled(label, options, action) {
    const select = html("select", {}, options);
    html("label", {}, [label, select]);
    select.addEventListener("change", action);
    return select;
  }

  controls() {
    this.buttons = {
      first: button("First position", "first", () => this.go(0)), previous: button("Previous move", "previous", () => this.go(this.ply - 1)),
      play: button("Play", "play", () => this.play()), next: button("Next move", "next", () => this.go(this.ply + 1)),
      last: button("Last position", "last", () => this.go(this.game.moves.length)),
    };
    this.buttons.play.classList.add("play");
    return html("div", { class: "controls", role: "group", "aria-label": "Moves" }, [...Object.values(this.buttons), this.slider]);
  }

  /** Offers the games that pass the filters, and opens the first of them. */
  filter() {
    const shown = this.games.filter((game) => this.fits(game));
    if (!this.agent && this.filters.outcome) this.filters.outcome.parentElement.firstChild.textContent = `Outcome for ${this.value("agent") ? "the agent" : "the first seat"}`;
    this.chooser.replaceChildren(...shown.map((game) => option(game.id, this.title(game))));
    this.chooser.disabled = !shown.length;
    this.chooser.parentElement.firstChild.textContent = `Game (${shown.length} of ${this.games.length})`;
    if (shown.length) this.open(shown[0]);
    else this.chooser.append(option("", "no game fits"));
  }

  title(game) { return `${game.id}: ${this.agent ? "" : `${game.first} - ${game.second}, `}${this.ending(game)}, ${counted(game.moves.length, "ply", "plies")}`; }

  ending(game) { return game.result === "draw" ? `draw ${this.ends(game)}` : `${game[game.result]} wins ${this.ends(game)}`; }

  /** Returns what the side that made the move before a ply thought of it, and at the end why a game was forfeited. */
  thought(ply) {
    const { game } = this, index = ply - 1 - game.opening, score = game.scores?.[index];
    const words = score === undefined || score === null ? [] : [`${game[["first", "second"][(ply - 1) % 2]]}: ${this.scoreText(score)}${game.depths[index] === null ? "" : `, depth ${game.depths[index]}`}`];
    if (game.reason && ply === game.moves.length) words.push(`${game[game.result === "first" ? "second" : "first"]}: ${game.reason}`);
    return words.join(" \u00b7 ");
  }

  scoreText(score) {
    const [limit, win] = this.decisive, size = Math.abs(score);
    return size > limit && size <= win ? `${score > 0 ? "wins" : "loses"} within ${counted(win - size, "ply", "plies")}` : `score ${signed(score)}`;
  }

  open(game) {
    this.game = game;
    this.players.replaceChildren(...["first", "second"].map((seat, side) => html("span", { class: "player" }, [this.board.swatch("xo"[side]), html("strong", {}, [game[seat]])])));
    this.moveButtons = game.moves.map((move, index) => {
      const made = html("button", { type: "button", class: index < game.opening ? "opening" : "", title: index < game.opening ? "opening move" : "" }, [move]);
      made.addEventListener("click", () => this.go(index + 1));
      return made;
    });
    this.list.replaceChildren(...this.turns());
    this.slider.max = game.moves.length;
    this.graph.open(game);
    this.go(game.opening, false);
  }

  /** Returns a list item for each turn, its number and one or two moves. */
  turns() {
    this.list.style.setProperty("--move", `${Math.max(...this.game.moves.map((move) => move.length))}ch`);
    return [...Array(Math.ceil(this.moveButtons.length / 2)).keys()].map((turn) => {
      const number = html("span", { class: "turn" }, [`${turn + 1}.`]);
      return html("li", {}, [number, ...this.moveButtons.slice(2 * turn, 2 * turn + 2)]);
    });
  }

  go(ply, stops = true) {
    if (stops) this.stop();
    const { game } = this, end = game.moves.length;
    this.ply = Math.max(0, Math.min(end, ply));
    const text = game.boards[this.ply], isOver = this.ply === end, mover = text.endsWith("x") ? 0 : 1;
    this.status.textContent = isOver ? `${this.ending(game)} after ${counted(end, "ply", "plies")}` : `Ply ${this.ply} of ${end}${this.ply ? `: ${"ox"[mover]} ${game.moves[this.ply - 1]}` : ""}`;
    this.board.show(text, this.ply ? game.boards[this.ply - 1] : null, isOver ? game.lines : [], `Board, ${this.status.textContent}`);
    this.thoughts.textContent = this.thought(this.ply);
    this.graph.mark(this.ply);
    this.text.value = text;
    this.record.value = game.moves.slice(0, this.ply).join(" ");
    this.slider.value = this.ply;
    this.slider.setAttribute("aria-valuetext", this.status.textContent);
    this.buttons.first.disabled = this.buttons.previous.disabled = this.ply === 0;
    this.buttons.last.disabled = this.buttons.next.disabled = isOver;
    [...this.players.children].forEach((player, side) => {
      player.classList.toggle("moves", !isOver && side === mover);
      player.classList.toggle("won", isOver && game.result === ["first", "second"][side]);
    });
    this.highlight();
  }

  /** Marks the current move in the list and scrolls the list, not the page, to it. */
  highlight() {
    this.moveButtons.forEach((made, index) => made.setAttribute("aria-current", String(index === this.ply - 1)));
    const item = this.ply ? this.moveButtons[this.ply - 1].parentElement : this.list.firstElementChild;
    if (!item) return;
    const top = item.offsetTop - this.list.offsetTop, height = this.list.clientHeight;
    if (top < this.list.scrollTop || top + item.offsetHeight > this.list.scrollTop + height) this.list.scrollTop = top - height / 2;
  }

  play() {
    if (this.timer) return this.stop();
    if (this.ply === this.game.moves.length) this.go(0, false);
    this.timer = setInterval(() => {
      this.go(this.ply + 1, false);
      if (this.ply === this.game.moves.length) this.stop();
    }, PAUSE);
    return this.face("Pause", "pause");
  }

  stop() {
    if (!this.timer) return;
    clearInterval(this.timer);
    this.timer = null;
    this.face("Play", "play");
  }

  face(label, icon) {
    this.buttons.play.setAttribute("aria-label", label);
    this.buttons.play.title = label;
    this.buttons.play.querySelector("path").setAttribute("d", ICONS[icon]);
  }

  /** Arrow keys, Home and End, but not where a control has a use for them itself. */
  key(event) {
    const steps = { ArrowLeft: this.ply - 1, ArrowRight: this.ply + 1, Home: 0, End: this.game.moves.length };
    if (!(event.key in steps) || event.ctrlKey || event.metaKey || event.altKey || event.target.matches("select, input")) return;
    event.preventDefault();
    this.go(steps[event.key]);
  }

  isInView() {
    const box = this.board.element.getBoundingClientRect();
    return box.top < window.innerHeight && box.bottom > 0;
  }
}

const replays = [...document.querySelectorAll(".replay")].map((section) => new Replay(section));

// Without a focus the arrow keys go to the first board in view.
document.addEventListener("keydown", (event) => {
  if (event.target === document.body && !["Home", "End"].includes(event.key)) replays.find((replay) => replay.isInView())?.key(event);
});

// A cell of a table leads to the games that it is about.
for (const link of document.querySelectorAll("[data-agent]")) {
  link.addEventListener("click", () => replays.find((replay) => `#${replay.section.id}` === link.hash)?.showPair(link.dataset.agent, link.dataset.opponent));
}
