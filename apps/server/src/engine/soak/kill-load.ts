// The victim of the kill tests: a process that trades as hard as it can and writes down what was acknowledged, one line
// each ("order sequence"), until it is killed. Arguments: data folder, number of the run, file to write to.
import { openSync, writeSync } from "node:fs";
import type { Command } from "@clockwork/core/protocol/command";
import { createRandom } from "@clockwork/kit/random";
import { startEngine } from "../engine.ts";

const [folder = "", run = "0", pathOfAnswer = ""] = process.argv.slice(2);
const answer = openSync(pathOfAnswer, "a");
const IN_FLIGHT = 256;
const READY_AFTER = 50;
const ACCOUNTS = 8;
const FIRST_ACCOUNT = 16;
const random = createRandom(Number(run) + 1);
const engine = await startEngine({
  folder,
  release: "kill-test",
  segmentBytes: 1 << 20,
  snapshotEveryCommands: 20_000,
});

if (engine.health().sequence === 0) {
  await engine.submit({ kind: "listAsset", scale: 8, symbol: "BTC" });
  await engine.submit({ kind: "listAsset", scale: 6, symbol: "USDT" });
  const market = { tickDecimals: 1, base: 1, quote: 2, tickMantissa: 1, stepUnits: 1_000, symbol: "BTC/USDT" };
  await engine.submit({ kind: "listMarket", ...market, restingMax: 1_000_000 });
}
for (let user = 1; user <= ACCOUNTS; user++) {
  const account = FIRST_ACCOUNT + user - 1;
  await engine.submit({ kind: "createAccount", user, book: "spot" });
  for (const asset of [1, 2]) {
    const reference = `kill:${run}:${account}:${asset}`;
    await engine.submit({ kind: "mint", account, asset, business: "deposit", units: 10 ** 12, reference });
  }
}

function nextOrder(id: string): Command {
  const side = random.chance(1, 2) ? "buy" : "sell";
  const away = random.between(-30, 100);
  const price = side === "buy" ? 500_000 - away : 500_000 + away;
  const account = FIRST_ACCOUNT + random.below(ACCOUNTS);
  const timeInForce = random.chance(1, 3) ? "IOC" : "GTC";
  const quantity = random.between(1, 50);
  return { kind: "placeOrder", account, market: 1, price, quantity, side, timeInForce, clientOrderId: id };
}

let count = 0;
let acknowledged = 0;
async function trade(): Promise<never> {
  for (;;) {
    const id = `${run}.${++count}`;
    const ack = await engine.submit(nextOrder(id));
    if (ack.sequence === undefined) throw new Error(ack.done ? "no sequence" : ack.code);
    // Straight to the file, which survives a kill: these are the acknowledgements clients received.
    writeSync(answer, `${id} ${ack.sequence}\n`);
    if (++acknowledged === READY_AFTER) writeSync(1, "ready\n");
    if (count % 5_000 === 0) void engine.takeSnapshot();
  }
}

await Promise.all(Array.from({ length: IN_FLIGHT }, trade));
