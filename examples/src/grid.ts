// A small grid: buys stand below the price it began at, sells above; whenever one is filled, the opposite order is
// placed one step away.
import { connect, type Round, readMiddle, runRounds } from "./connect.ts";

const STEP = 0.002;
const STEPS = 3;

/** The price the grid is laid around, and the orders that stand on its rungs by their ids. */
let centre = 0;
const rungs = new Map<string, number>();

async function place({ exchange, symbol, amount }: Round, rung: number, side: "buy" | "sell"): Promise<void> {
  const price = centre * (1 + rung * STEP);
  const order = await exchange.createOrder(symbol, "limit", side, amount, price);
  rungs.set(String(order.id), rung);
  console.log(`${side} ${amount} at ${order.price}`);
}

async function tend(round: Round): Promise<void> {
  const { exchange, symbol } = round;
  if (centre === 0) {
    centre = await readMiddle(exchange, symbol);
    for (let rung = 1; rung <= STEPS; rung += 1) {
      await place(round, -rung, "buy");
      await place(round, rung, "sell");
    }
    return;
  }
  const open = new Set((await exchange.fetchOpenOrders(symbol)).map(({ id }) => String(id)));
  for (const [id, rung] of [...rungs]) {
    if (open.has(id)) continue;
    rungs.delete(id);
    const order = await exchange.fetchOrder(id, symbol);
    if (order.status !== "closed") continue;
    console.log(`${order.side} at ${order.average} was filled`);
    await place(round, order.side === "buy" ? rung + 1 : rung - 1, order.side === "buy" ? "sell" : "buy");
  }
}

await runRounds(connect(), tend);
