// A hundred thousand users with an open position, for the benchmark of marks: written into the journal of a served
// process while it is stopped, by the engine itself, so that its tables follow as usual.
import { join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Command } from "@clockwork/core/protocol/command";
import { createRandom } from "@clockwork/kit/random";
import { type Engine, startEngine } from "@clockwork/server/engine/engine";
import { nameRelease } from "@clockwork/server/engine/release";

const ROOT = resolve(import.meta.dirname, "../..");
/** Above every number the process gives. */
const FIRST_USER = 50_000_000;
/** Commands on their way at once. */
const AT_ONCE = 20_000;
const LOTS = 2;
const FUNDS_UNITS = 1_000_000_000;

interface Place {
  readonly market: number;
  readonly settle: number;
  /** Owners of orders there, which would match those of the users to come. */
  readonly accounts: readonly number[];
}

function readPlace(folder: string, base: string): Place {
  const database = new DatabaseSync(join(folder, "clockwork.sqlite"), { readOnly: true });
  const row = database
    .prepare(
      `SELECT market, quote_asset FROM engine_markets WHERE kind = 'linear'
       AND base_asset = (SELECT asset FROM engine_assets WHERE symbol = ?)
       AND quote_asset = (SELECT asset FROM engine_assets WHERE symbol = 'USDT')`,
    )
    .get(base);
  const market = Number(row?.market);
  const open = database.prepare(
    "SELECT DISTINCT account FROM engine_orders WHERE market = ? AND state IN ('NEW', 'PARTIALLY_FILLED')",
  );
  const accounts = open.all(market).map(({ account }) => Number(account));
  database.close();
  return { market, settle: Number(row?.quote_asset), accounts };
}

async function submitAll(engine: Engine, count: number, commandOf: (index: number) => Command): Promise<number[]> {
  const accounts: number[] = [];
  for (let from = 0; from < count; from += AT_ONCE) {
    const length = Math.min(AT_ONCE, count - from);
    const acks = await Promise.all(Array.from({ length }, (_, index) => engine.submit(commandOf(from + index))));
    for (const ack of acks) {
      if (!ack.done) throw new Error(`a command was refused: ${ack.code}`);
      for (const event of ack.events) if (event.kind === "accountCreated") accounts.push(event.account);
    }
  }
  return accounts;
}

/** As many buy of as many others, at one price; half of them on an isolated margin. */
export async function plantHolders(folder: string, base: string, priceTicks: number, count: number): Promise<void> {
  const { market, settle, accounts: others } = readPlace(folder, base);
  const random = createRandom(19);
  const engine = await startEngine({ folder, release: nameRelease("1.0.0", ROOT), replayOthers: true });
  try {
    await submitAll(engine, others.length, (index) => ({ kind: "cancelAll", account: others[index] as number }));
    await engine.submit({ kind: "setReferencePrice", market, markTicks: priceTicks });
    const accounts = await submitAll(engine, count, (index) => ({
      kind: "createAccount",
      user: FIRST_USER + index,
      book: "linear",
    }));
    const own = (index: number): number => accounts[index] as number;
    await submitAll(engine, count, (index) => ({
      kind: "mint",
      account: own(index),
      asset: settle,
      units: FUNDS_UNITS,
      business: "deposit",
      reference: `holder:${index}`,
    }));
    await submitAll(engine, count, (index) => ({
      kind: "setLeverage",
      account: own(index),
      market,
      long: random.between(2, 5),
    }));
    await submitAll(engine, count >> 1, (index) => ({
      kind: "setMarginMode",
      account: own(index * 2),
      market,
      isolated: true,
    }));
    // One sells, the next one buys from them.
    await submitAll(engine, count, (index) => ({
      kind: "placeOrder",
      account: own(index),
      market,
      side: index % 2 === 0 ? "sell" : "buy",
      price: priceTicks,
      quantity: LOTS,
    }));
    await engine.takeSnapshot();
  } finally {
    await engine.close();
  }
}

/** Positions that are open in the tables. */
export function countOpen(folder: string): number {
  const database = new DatabaseSync(join(folder, "clockwork.sqlite"), { readOnly: true });
  const row = database.prepare("SELECT count(*) AS count FROM engine_positions WHERE closed_sequence IS NULL").get();
  database.close();
  return Number(row?.count);
}
