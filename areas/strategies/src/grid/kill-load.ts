// The process of the bots' kill test. `prepare` makes baskets with an interval and grids; `trade` starts past the
// interval and kills itself with the first basket event; `finish` starts again and ends when nothing is due. Arguments:
// which of the three, the data folder, how many of each.
import type { Command } from "@clockwork/core/protocol/command";
import { EVENT_BYTES, EVENTS } from "@clockwork/core/protocol/event";
import { HOUR_MS, MINUTE_MS } from "@clockwork/kit/time";
import { openClock } from "@clockwork/server/clock/clock";
import { type Engine, startEngine } from "@clockwork/server/engine/engine";

const [what = "", folder = "", count = "0"] = process.argv.slice(2);
const COIN = 1_000_000;
const [BTC, ETH, USDT] = [1, 2, 3];
/** The markets of both coins with their prices in ticks, before and after. */
const MARKETS = [
  { market: 1, base: BTC, symbol: "BTC/USDT", ticks: 1_000_000, later: 970_000 },
  { market: 2, base: ETH, symbol: "ETH/USDT", ticks: 40_000, later: 44_000 },
] as const;
const MAKER_USER = 1;
const FIRST_USER = 100;
const TICKS = 20;

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

async function drain(engine: Engine): Promise<void> {
  for (let i = 0; i < TICKS; i++) await submit(engine, { kind: "tick" });
}

/** The maker prints at a price and quotes on both sides of it. */
async function price(engine: Engine, maker: number, other: number, market: number, ticks: number): Promise<void> {
  const order = { kind: "placeOrder", market, quantity: 10 } as const;
  await submit(engine, { kind: "cancelAll", account: maker, market });
  for (const side of ["buy", "sell"] as const)
    await submit(engine, { ...order, account: maker, side, price: ticks, quantity: 1e7, timeInForce: "IOC" });
  await submit(engine, { ...order, account: maker, side: "sell", price: ticks });
  await submit(engine, { ...order, account: other, side: "buy", price: ticks });
  await submit(engine, { ...order, account: maker, side: "buy", price: ticks - 1, quantity: 1e8 });
  await submit(engine, { ...order, account: maker, side: "sell", price: ticks + 1, quantity: 1e8 });
}

async function prepare(engine: Engine): Promise<void> {
  for (const symbol of ["BTC", "ETH"]) await submit(engine, { kind: "listAsset", scale: 8, symbol });
  await submit(engine, { kind: "listAsset", scale: 6, symbol: "USDT" });
  const terms = { tickDecimals: 1, quote: USDT, tickMantissa: 1, stepUnits: 1_000, restingMax: 1_000 };
  for (const { base, symbol } of MARKETS) await submit(engine, { kind: "listMarket", ...terms, base, symbol });
  const funds = { [USDT]: 1e15, [BTC]: 1e14, [ETH]: 1e14 };
  const [maker, other] = [await open(engine, MAKER_USER, funds), await open(engine, MAKER_USER + 1, funds)];
  for (const { market, ticks } of MARKETS) await price(engine, maker, other, market, ticks);
  for (let i = 0; i < Number(count); i++) {
    const account = await open(engine, FIRST_USER + i, { [USDT]: 5_000 * COIN });
    const coins = MARKETS.map(({ market }) => ({ market, weightBps: 5_000 }));
    const money = { account, quoteUnits: 2_000 * COIN };
    const basket = { intervalMs: 30 * MINUTE_MS, coins, reference: `basket:${i}` };
    await submit(engine, { kind: "createRebalancer", ...money, ...basket });
    const range = { lowTicks: 900_000, highTicks: 1_100_000, cells: 10 };
    const grid = { market: 1, grid: "spot", spacing: "arithmetic", ...range, reference: `grid:${i}` } as const;
    await submit(engine, { kind: "createBot", ...money, ...grid });
  }
  await drain(engine);
  // Shares are off from now on, and wait for the interval.
  for (const { market, later } of MARKETS) await price(engine, maker, other, market, later);
  await drain(engine);
}

function dieOfTheFirstRound({ bytes }: { readonly bytes: Uint8Array }): void {
  for (let at = 0; at < bytes.length; at += EVENT_BYTES)
    if (bytes[at] === EVENTS.rebalancerChanged.kind) process.kill(process.pid, "SIGKILL");
}

const clock = openClock({ aheadMs: what === "prepare" ? 0 : HOUR_MS });
const engine = await startEngine({
  folder,
  release: "kill-test",
  clock,
  segmentBytes: 1 << 20,
  ...(what === "trade" ? { listeners: [dieOfTheFirstRound] } : {}),
});
if (what === "prepare") await prepare(engine);
else await drain(engine);
await engine.close();
clock.close();
