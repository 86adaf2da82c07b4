// A small market maker: each round it takes its quotes back and stands anew on both sides of the middle, never crossing
// it, and leans away from the side it has too much of.
import { connect, endAll, type Round, readMiddle, runRounds } from "./connect.ts";

/** Half of the distance between its own bid and ask, as a part of the price. */
const HALF_SPREAD = 0.001;
/** How far it leans when it holds nothing but one of the two coins. */
const LEAN = 0.0005;

async function quote({ exchange, symbol, amount }: Round): Promise<void> {
  await endAll(exchange, symbol);
  const { base, quote: money } = exchange.market(symbol);
  const [middle, balance] = [await readMiddle(exchange, symbol), await exchange.fetchBalance()];
  const [coins, cash] = [Number(balance[base]?.total ?? 0) * middle, Number(balance[money]?.total ?? 0)];
  // From -1, all money, to 1, all coins.
  const skew = coins + cash === 0 ? 0 : (coins - cash) / (coins + cash);
  const centre = middle * (1 - skew * LEAN);
  for (const [side, price] of [
    ["buy", centre * (1 - HALF_SPREAD)],
    ["sell", centre * (1 + HALF_SPREAD)],
  ] as const) {
    try {
      const order = await exchange.createOrder(symbol, "limit", side, amount, price, { postOnly: true });
      console.log(`${side} ${amount} at ${order.price}`);
    } catch (error) {
      // The book moved, or one of the two coins is used up: the other side still stands.
      console.log(`no ${side}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
}

await runRounds(connect(), quote);
