// Plays a whole game between two GTP engines the way Sabaki does, with Sabaki's own client: it keeps the game, tells
// each engine what has happened by ControllerStateTracker.sync, asks it for a move, and ends after two passes or a
// resignation. Usage: node game.js BLACK-COMMAND WHITE-COMMAND SIZE (commands are JSON lists)
// Prints the moves and the first engine's score, one a line, and "done".

const assert = require('assert')
const {Controller, ControllerStateTracker} = require('@sabaki/gtp')

const commands = process.argv.slice(2, 4).map(text => JSON.parse(text))
const size = +process.argv[4]

async function main() {
  const players = commands.map(([program, ...args]) => {
    const controller = new Controller(program, args)
    controller.start()
    return {controller, tracker: new ControllerStateTracker(controller)}
  })
  const state = {komi: 7, boardsize: [size, size], history: []}
  let passes = 0

  while (passes < 2) {
    const color = state.history.length % 2 === 0 ? 'B' : 'W'
    const {tracker} = players[color === 'B' ? 0 : 1]
    await tracker.sync(state)
    const answer = await tracker.queueCommand({name: 'genmove', args: [color]})
    assert(!answer.error, answer.content)
    const vertex = answer.content.trim().toUpperCase()
    console.log(`${color} ${vertex}`)
    if (vertex === 'RESIGN') break
    passes = vertex === 'PASS' ? passes + 1 : 0
    state.history.push({name: 'play', args: [color, vertex === 'PASS' ? 'pass' : vertex]})
  }

  for (const {tracker} of players) await tracker.sync(state)
  const score = await players[0].controller.sendCommand({name: 'final_score'})
  assert(!score.error, score.content)
  console.log(score.content)
  for (const {controller} of players) {
    await controller.stop()
    assert.strictEqual(controller.process, null)
  }
  console.log('done')
}

main().catch(error => {
  console.error(error)
  process.exit(1)
})
