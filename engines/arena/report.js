"use strict";
// Replays the games of the page. It knows no game: data tells what changes on which point with each ply, and the symbols
// and the empty board are defined in the page.
(function () {
  const data = JSON.parse(document.getElementById("games-data").textContent);
  const element = (name) => document.getElementById("viewer-" + name);
  const select = element("game"), slider = element("ply"), board = element("board"), caption = element("caption");
  const list = element("moves"), clocks = element("clocks");

  function use(symbol, point) {
    const [x, y] = data.places[point];
    return `<use href="#${data.board}-${symbol}" x="${x}" y="${y}"/>`;
  }
  function draw(game, ply) {
    const standing = Object.assign({}, game.start);
    let last = [];
    for (const [changes, points] of game.steps.slice(0, ply)) {
      Object.assign(standing, changes);
      last = points;
    }
    let svg = `<use href="#${data.board}"/>`;
    for (const [point, symbol] of Object.entries(standing)) if (symbol) svg += use(symbol, point);
    for (const point of last) svg += use("last", point);
    board.innerHTML = svg;
  }
  function time(seconds) {
    const whole = Math.max(0, seconds), minutes = Math.floor(whole / 60), rest = (whole - 60 * minutes).toFixed(1);
    return `${minutes}:${rest.padStart(4, "0")}`;
  }
  function clock(words) {
    if (words.length < 3 || words[2] === null) return "";
    return time(words[2]) + (words[3] ? ` (${words[3]})` : "");
  }
  function cell(row, text, number) {
    const one = row.insertCell();
    one.textContent = text;
    if (number) one.className = "n";
  }
  function fill(game) {
    list.textContent = "";
    game.steps.forEach(function ([, , words], index) {
      const row = list.insertRow();
      row.dataset.ply = String(index + 1);
      row.addEventListener("click", () => go(index + 1));
      const seat = data.seats[(game.first + index) % data.seats.length];
      cell(row, `${index + 1} ${seat}`);
      cell(row, words[0] || "draw agreed");
      cell(row, words.length > 1 ? words[1].toFixed(2) : "opening", true);
      cell(row, clock(words), true);
      cell(row, words[4] || "", true);
    });
  }
  function chosen() {
    return data.games[select.selectedIndex];
  }
  function show() {
    const game = chosen(), ply = Math.min(Number(slider.value), game.steps.length);
    draw(game, ply);
    const at = ply ? `${ply} ${game.steps[ply - 1][2][0]}` : "start";
    caption.textContent = `${game.title} (${game.reason}) — ${at} / ${game.steps.length}`;
    clocks.textContent = "";
    data.seats.forEach(function (name, seat) {
      let left = "";
      for (let index = ply - 1; index >= 0 && !left; index--)
        if ((game.first + index) % data.seats.length === seat) left = clock(game.steps[index][2]);
      if (!left) return;
      clocks.appendChild(document.createElement("dt")).textContent = name;
      clocks.appendChild(document.createElement("dd")).textContent = left;
    });
    for (const row of list.querySelectorAll(".now")) row.className = "";
    if (!ply) return;
    const row = list.rows[ply - 1], frame = list.closest(".moves");
    row.className = "now";
    frame.scrollTop = row.offsetTop - frame.clientHeight / 2;
  }
  function choose() {
    const game = chosen();
    slider.max = String(game.steps.length);
    slider.value = slider.max;
    fill(game);
    show();
  }
  function go(ply) {
    slider.value = String(ply);
    show();
  }
  const keys = { first: () => 0, back: () => Number(slider.value) - 1, on: () => Number(slider.value) + 1, end: () => slider.max };
  if (data.games.length) {
    select.addEventListener("change", choose);
    slider.addEventListener("input", show);
    for (const [name, ply] of Object.entries(keys)) element(name).addEventListener("click", () => go(ply()));
    element("board").closest(".beside").addEventListener("keydown", function (event) {
      const name = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "end" }[event.key];
      if (!name || event.target === slider) return;
      event.preventDefault();
      go(keys[name]());
    });
    for (const row of document.querySelectorAll("tr[data-view]"))
      row.addEventListener("click", function () {
        select.selectedIndex = Number(row.dataset.view);
        choose();
        document.getElementById("viewer").scrollIntoView();
      });
    choose();
  }
  document.documentElement.dataset.ready = String(data.games.length);
})();
