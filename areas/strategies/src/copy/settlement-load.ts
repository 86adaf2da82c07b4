// The process of the settlement's kill test. `prepare` makes a leader of spot whose followers' shares are held;
// `settle` starts past a Monday and kills itself with the first share published; `finish` starts again and ends when
// nothing is due. Arguments: which of the three, the data folder, the number of followers.
import type { Command } from "@clockwork/core/protocol/command";
import { EVENT_BYTES, EVENTS } from "@clockwork/core/protocol/event";
import { DAY_MS } from "@clockwork/kit/time";
import { openClock } from "@clockwork/server/clock/clock";
import { type Engine, startEngine } from "@clockwork/server/engine/engine";

const [what = "", folder = "", followers = "0"] = process.argv.slice(2);
const COIN = 1_000_000;
const PRICE = 500_000;
const [BTC, USDT, MARKET] = [1, 2, 1];
const LEADER_USER = 1;
const MAKER_USER = 2;
const FIRST_USER = 100;
const AT_ONCE = 200;
/** More than the longest queue of this test takes. */
const TICKS = 200;

async function submit(engine: Engine, command: Command) {
  const ack = await engine.submit(command);
  if (!ack.done) throw new Error(`${command.kind} was refused: ${ack.code}`);
  return ack.events;
}

async function open(engine: Engine, user: number, held: Readonly<Record<number, number>>): Promise<number> {
  const made = await submit(engine, { kind: "createAccount", user, book: "spot" });
  const account = made.find((event) => event.kind === "accountCreated")?.account ?? 0;
  for (const [asset, units] of Object.entries(held)) {
    const reference = `fund:${account}:${asset}`;
    await submit(engine, { kind: "mint", account, asset: Number(asset), business: "deposit", units, reference });
  }
  return account;
}

/** Processes everything that waits. */
async function drain(engine: Engine): Promise<void> {
  for (let i = 0; i < TICKS; i++) await submit(engine, { kind: "tick" });
}

async function prepare(engine: Engine): Promise<void> {
  await submit(engine, { kind: "listAsset", scale: 8, symbol: "BTC" });
  await submit(engine, { kind: "listAsset", scale: 6, symbol: "USDT" });
  const market = { tickDecimals: 1, base: BTC, quote: USDT, tickMantissa: 1, stepUnits: 1_000, symbol: "BTC/USDT" };
  await submit(engine, { kind: "listMarket", ...market });
  const leader = await open(engine, LEADER_USER, { [USDT]: 100_000 * COIN });
  const maker = await open(engine, MAKER_USER, { [USDT]: 10_000_000 * COIN, [BTC]: 1e13 });
  const lead = { state: "active", asset: USDT, shareRate: 10_000_000, followersMax: 10_000 } as const;
  await submit(engine, { kind: "setLeader", account: leader, ...lead });
  const follow = async (user: number): Promise<void> => {
    const account = await open(engine, user, { [USDT]: 100 * COIN });
    const settings = { mode: "fixed", fixedUnits: 50 * COIN } as const;
    await submit(engine, { kind: "follow", account, leader, units: 100 * COIN, ...settings });
  };
  for (let at = 0; at < Number(followers); at += AT_ONCE) {
    const count = Math.min(AT_ONCE, Number(followers) - at);
    await Promise.all(Array.from({ length: count }, (_, i) => follow(FIRST_USER + at + i)));
  }
  const order = { kind: "placeOrder", market: MARKET } as const;
  await submit(engine, { ...order, account: maker, side: "sell", price: PRICE, quantity: 1_000_000 });
  await submit(engine, { ...order, account: leader, side: "buy", price: PRICE, quantity: 400 });
  await drain(engine);
  await submit(engine, { kind: "cancelAll", account: maker });
  await submit(engine, { ...order, account: maker, side: "buy", price: PRICE + 50_000, quantity: 1_000_000 });
  // The fee was paid in coins: a little less than 400 is there.
  await submit(engine, { ...order, account: leader, side: "sell", price: PRICE + 50_000, quantity: 399 });
  await drain(engine);
}

function dieOfTheFirstShare({ bytes }: { readonly bytes: Uint8Array }): void {
  for (let at = 0; at < bytes.length; at += EVENT_BYTES)
    if (bytes[at] === EVENTS.shareSettled.kind) process.kill(process.pid, "SIGKILL");
}

const clock = openClock({ aheadMs: what === "prepare" ? 0 : 8 * DAY_MS });
const engine = await startEngine({
  folder,
  release: "kill-test",
  clock,
  segmentBytes: 1 << 20,
  ...(what === "settle" ? { listeners: [dieOfTheFirstShare] } : {}),
});
if (what === "prepare") await prepare(engine);
else await drain(engine);
await engine.close();
clock.close();
