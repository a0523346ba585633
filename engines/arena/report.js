"use strict";
// Replays the games of the page: data is a table made by the report, drawn into the elements with the ids below.
(function () {
  const data = JSON.parse(document.getElementById("games-data").textContent);
  const cell = 20, go = data.game === "go";
  const wide = data.width, high = data.height;
  const select = document.getElementById("viewer-game");
  const slider = document.getElementById("viewer-ply");
  const board = document.getElementById("viewer-board");
  const caption = document.getElementById("viewer-caption");
  const letters = "ABCDEFGHJKLMNOPQRSTUVWXYZ";

  function startGo(setup) {
    const stones = new Array(wide * high).fill(0);
    let color = 0, mover = data.first;
    const words = setup ? setup.split(" ") : [];
    for (let i = 0; i < words.length; i++) {
      if (words[i] === "to") mover = words[++i] === "W" ? 2 : 1;
      else if (words[i] === "handicap") { i++; mover = 2; }
      else if (words[i] === "B") color = 1;
      else if (words[i] === "W") color = 2;
      else stones[point(words[i])] = color;
    }
    return { stones, mover, last: -1 };
  }
  function point(text) {
    return (parseInt(text.slice(1), 10) - 1) * wide + letters.indexOf(text[0]);
  }
  function around(p) {
    const x = p % wide, found = [];
    if (x > 0) found.push(p - 1);
    if (x < wide - 1) found.push(p + 1);
    if (p >= wide) found.push(p - wide);
    if (p < wide * (high - 1)) found.push(p + wide);
    return found;
  }
  function capture(stones, p) {
    const color = stones[p], chain = [p], seen = new Set(chain);
    for (const at of chain)
      for (const next of around(at)) {
        if (stones[next] === 0) return;
        if (stones[next] === color && !seen.has(next)) { seen.add(next); chain.push(next); }
      }
    for (const at of chain) stones[at] = 0;
  }
  function playGo(state, text) {
    const other = 3 - state.mover;
    state.last = -1;
    if (text !== "pass") {
      const p = point(text);
      state.stones[p] = state.mover;
      for (const next of around(p)) if (state.stones[next] === other) capture(state.stones, next);
      capture(state.stones, p);
      state.last = p;
    }
    state.mover = other;
  }
  function drawGo(state) {
    let svg = data.base;
    state.stones.forEach(function (color, p) {
      if (!color) return;
      const x = (p % wide + 0.5) * cell, y = (high - 0.5 - Math.floor(p / wide)) * cell;
      svg += `<circle class="${color === 1 ? "black" : "white"}" cx="${x}" cy="${y}" r="9.2"/>`;
    });
    if (state.last >= 0)
      svg += `<circle class="last" cx="${(state.last % wide + 0.5) * cell}" cy="${
        (high - 0.5 - Math.floor(state.last / wide)) * cell}" r="4"/>`;
    return svg;
  }

  function startXiangqi(setup) {
    const squares = new Array(90).fill("");
    (setup || data.start).split(" ")[0].split("/").forEach(function (row, index) {
      let file = 0;
      for (const letter of row) {
        if (letter >= "0" && letter <= "9") file += parseInt(letter, 10);
        else squares[(9 - index) * 9 + file++] = letter;
      }
    });
    return { squares, last: [] };
  }
  function playXiangqi(state, text) {
    if (!text) return;
    const from = parseInt(text[1], 10) * 9 + "abcdefghi".indexOf(text[0]);
    const to = parseInt(text[3], 10) * 9 + "abcdefghi".indexOf(text[2]);
    state.squares[to] = state.squares[from];
    state.squares[from] = "";
    state.last = [from, to];
  }
  function drawXiangqi(state) {
    let svg = data.base;
    state.squares.forEach(function (letter, square) {
      if (!letter) return;
      const x = (square % 9 + 0.5) * cell, y = (9.5 - Math.floor(square / 9)) * cell;
      const side = letter === letter.toUpperCase() ? "red" : "ink";
      svg += `<circle class="piece ${side}" cx="${x}" cy="${y}" r="9"/>`;
      svg += `<text class="piece ${side}" x="${x}" y="${y}">${data.pieces[letter]}</text>`;
    });
    for (const square of state.last)
      svg += `<circle class="last" cx="${(square % 9 + 0.5) * cell}" cy="${
        (9.5 - Math.floor(square / 9)) * cell}" r="10"/>`;
    return svg;
  }

  function show() {
    const game = data.games[select.selectedIndex];
    const ply = Math.min(Number(slider.value), game.moves.length);
    const state = go ? startGo(game.setup) : startXiangqi(game.setup);
    for (const move of game.moves.slice(0, ply)) (go ? playGo : playXiangqi)(state, move);
    board.innerHTML = go ? drawGo(state) : drawXiangqi(state);
    caption.textContent = `${game.title} — ${ply} / ${game.moves.length}`;
  }
  function choose() {
    const game = data.games[select.selectedIndex];
    slider.max = String(game.moves.length);
    slider.value = slider.max;
    show();
  }
  function step(by) {
    slider.value = String(Number(slider.value) + by);
    show();
  }
  if (data.games.length) {
    select.addEventListener("change", choose);
    slider.addEventListener("input", show);
    document.getElementById("viewer-back").addEventListener("click", () => step(-1));
    document.getElementById("viewer-on").addEventListener("click", () => step(1));
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
