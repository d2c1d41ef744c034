"use strict";

// Turns every `.replay` section, which holds its games as JSON (see replay.py), into a board with controls.

const ICONS = {
  first: "M2 2h3v12H2zM14 2v12L6 8z", previous: "M12 2v12L4 8z", next: "M4 2v12l8-6z", last: "M11 2h3v12h-3zM2 2v12l8-6z",
  play: "M4 2v12l9-6z", pause: "M3 2h4v12H3zM9 2h4v12H9z",
};
const WORDS = { win: "wins", draw: "draws", loss: "losses", first: "first", second: "second" };
const ENDINGS = { line: "by a line", full: "with a full board", blocked: "by a blocked piece", illegal: "by an illegal move" };
const PAUSE = 700; // milliseconds between two moves when playing

function button(label, icon, action) {
  const made = html("button", { type: "button", "aria-label": label, title: label }, [svg("svg", { viewBox: "0 0 16 16", "aria-hidden": "true" }, [svg("path", { d: ICONS[icon] })])]);
  made.addEventListener("click", action);
  return made;
}

function option(value, text) { return html("option", { value }, [text]); }

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
    const board = html("div", {}, [this.players, this.board.element]);
    const side = html("div", {}, [this.status, this.controls(), this.list, html("div", { class: "position" }, [this.text, copy])]);
    const choosers = html("div", { class: "choosers" }, [...this.filters.map(([, select]) => select.parentElement), this.chooser.parentElement]);
    this.section.append(choosers, html("div", { class: "desk", tabindex: "0", role: "group", "aria-label": "Board and moves; arrow keys step" }, [board, side]));
  }

  /** Returns [property of a game, select] for each filter that has something to choose. */
  choosers() {
    const texts = { opponent: ["Opponent", (value) => value], outcome: [`Outcome for ${this.agent}`, (value) => WORDS[value]], seat: [`Seat of ${this.agent}`, (value) => WORDS[value]] };
    return Object.entries(texts).flatMap(([property, [label, word]]) => {
      const values = [...new Set(this.games.map((game) => game[property]))].sort();
      if (values.length < 2) return [];
      return [[property, this.labelled(label, [option("", "all"), ...values.map((value) => option(value, word(value)))], () => this.filter())]];
    });
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
    return html("div", { class: "controls", role: "group", "aria-label": "Moves" }, [...Object.values(this.buttons), this.slider]);
  }

  /** Offers the games that pass the filters, and opens the first of them. */
  filter() {
    const shown = this.games.filter((game) => this.filters.every(([property, select]) => !select.value || game[property] === select.value));
    this.chooser.replaceChildren(...shown.map((game) => option(game.id, this.title(game))));
    this.chooser.disabled = !shown.length;
    this.chooser.parentElement.firstChild.textContent = `Game (${shown.length} of ${this.games.length})`;
    if (shown.length) this.open(shown[0]);
    else this.chooser.append(option("", "no game fits"));
  }

  title(game) { return `${game.id}: ${this.ending(game)}, ${game.moves.length} plies`; }

  ending(game) { return game.result === "draw" ? `draw ${ENDINGS[game.termination] || ""}` : `${game[game.result]} wins ${ENDINGS[game.termination] || ""}`; }

  open(game) {
    this.game = game;
    this.players.replaceChildren(...["first", "second"].map((seat, side) => html("span", { class: "player" }, [this.board.swatch("xo"[side]), html("strong", {}, [game[seat]])])));
    this.moveButtons = game.moves.map((move, index) => {
      const made = html("button", { type: "button", class: index < game.opening ? "opening" : "", title: index < game.opening ? "opening move, made at random" : "" }, [move]);
      made.addEventListener("click", () => this.go(index + 1));
      return made;
    });
    this.list.replaceChildren(...this.turns());
    this.slider.max = game.moves.length;
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
    this.status.textContent = isOver ? `${this.ending(game)} after ${end} plies` : `Ply ${this.ply} of ${end}${this.ply ? `: ${"ox"[mover]} ${game.moves[this.ply - 1]}` : ""}`;
    this.board.show(text, this.ply ? game.boards[this.ply - 1] : null, isOver ? game.lines : [], `Board, ${this.status.textContent}`);
    this.text.value = text;
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
