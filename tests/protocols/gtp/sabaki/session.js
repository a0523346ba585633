// Drives a GTP engine with Sabaki's own client as Sabaki does: attach, sync, handicap, move, analysis started and
// stopped, take-back, detach. Usage: node session.js PROGRAM ARGUMENT...
// Prints "done" and ends with 0 if every step went as it should; else says which did not.

const assert = require('assert')
const {Controller, ControllerStateTracker} = require('@sabaki/gtp')

const [program, ...args] = process.argv.slice(2)
const play = (color, vertex) => ({name: 'play', args: [color, vertex]})

// Starts an analysis, waits for some lines, stops it as Sabaki does and gives the lines.
async function analyze(controller, command, count) {
  const lines = []
  let enough
  const waited = new Promise(resolve => (enough = resolve))
  const finished = controller.sendCommand(command, ({line}) => {
    if (line.includes('info ')) lines.push(line)
    if (lines.length >= count) enough()
  })
  await waited
  const stop = await controller.sendCommand({name: 'protocol_version'})
  assert.strictEqual(stop.content, '2')
  const response = await finished
  assert(!response.error)
  return lines
}

// The candidates in a line, read the way Sabaki reads them.
function candidates(line) {
  return line
    .split(/\s*info\s+/)
    .slice(1)
    .map(segment => {
      const match = segment.match(/(pass|[A-Za-z]\d+)(\s+(pass|[A-Za-z]\d+))*\s*$/)
      assert(match, `no moves at the end of: ${segment}`)
      const words = segment.slice(0, match.index).replace(/\s*pv\s*$/, '').trim().split(/\s+/)
      const keys = {}
      for (let i = 0; i < words.length; i += 2) keys[words[i]] = words[i + 1]
      assert(keys.move && keys.visits && keys.winrate, `keys missing in: ${segment}`)
      return keys
    })
}

async function main() {
  const controller = new Controller(program, args)
  const tracker = new ControllerStateTracker(controller)
  const errors = []
  controller.on('stderr', ({content}) => errors.push(content))
  controller.start()

  // Attach: all at once, nothing is waited for.
  const attached = await Promise.all(
    ['name', 'version', 'protocol_version', 'list_commands'].map(name => controller.sendCommand({name}))
  )
  assert.deepStrictEqual(attached.map(response => response.error), [false, false, false, false])
  assert.strictEqual(attached[0].content, 'qiqiao')
  assert.strictEqual(attached[2].content, '2')
  for (const name of ['undo', 'set_free_handicap', 'rectangular_boardsize', 'analyze', 'genmove_analyze']) {
    assert(await tracker.knowsCommand(name), `${name} is not listed`)
  }

  // Sync with handicap, then a move with analysis.
  const handicap = {name: 'set_free_handicap', args: ['C3', 'G7']}
  const state = {komi: 0.5, boardsize: [9, 9], history: [handicap, play('W', 'E5')]}
  await tracker.sync(state)
  const lines = []
  const answer = await tracker.queueCommand({name: 'genmove_analyze', args: ['B', '10']}, ({line}) => lines.push(line))
  assert(!answer.error)
  const move = answer.content.match(/^play\s+(\S+)$/m)
  assert(move, answer.content)
  assert(lines.some(line => line.startsWith('info ')))
  assert.deepStrictEqual(tracker.state.history[2], play('B', move[1].toUpperCase()))

  // Analysis for either side, started and stopped.
  for (const name of ['analyze', 'kata-analyze', 'lz-analyze']) {
    const seen = await analyze(controller, {name, args: ['W', '5']}, 2)
    for (const line of seen) {
      for (const keys of candidates(line)) {
        const rate = keys.winrate.includes('.') ? +keys.winrate : +keys.winrate / 10000
        assert(rate >= 0 && rate <= 1)
        // Sabaki 0.60 reads a fraction from kata-analyze alone.
        assert.strictEqual(keys.winrate.includes('.'), name === 'kata-analyze')
        assert(name === 'lz-analyze' || keys.scoreLead.includes('.'))
      }
    }
  }

  // Take back by undo, go on differently; then far back, which Sabaki does by clearing and replaying.
  await tracker.sync({...state, history: [handicap, play('W', 'E5'), play('B', 'D4'), play('W', 'D5'), play('B', 'C5')]})
  await tracker.sync({...state, history: [handicap, play('W', 'E5'), play('B', 'D4'), play('W', 'F4')]})
  await tracker.sync({...state, history: [handicap]})
  const undone = await controller.sendCommand({name: 'undo'})
  assert(undone.error && undone.content === 'cannot undo')

  // Another board, not square, without handicap; a plain genmove.
  await tracker.sync({komi: 0, boardsize: [7, 5], history: [play('B', 'C3'), play('W', 'pass')]})
  const plain = await tracker.queueCommand({name: 'genmove', args: ['B']})
  assert(!plain.error && /^([A-Z]\d|pass|resign)$/.test(plain.content), plain.content)

  // Detach while an analysis runs.
  const begin = Date.now()
  const running = controller.sendCommand({name: 'analyze', args: ['B', '5']})
  await controller.stop()
  await running.catch(() => null)
  assert(Date.now() - begin < 2500, 'quit took too long')
  assert.strictEqual(controller.process, null)
  assert.deepStrictEqual(errors, [])
  console.log('done')
}

main().catch(error => {
  console.error(error)
  process.exit(1)
})
