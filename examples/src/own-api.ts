// The exchange's own API from TypeScript: reads the market, places an order far below it, and ends it again.
import { MARKET_CALLS } from "@clockwork/trading/markets/contract";
import { SPOT_CALLS } from "@clockwork/trading/spot/contract";
import { ExchangeClient, isRefusal } from "./client.ts";

const { CW_URL = "http://localhost:3000", CW_API_KEY = "", CW_API_SECRET = "" } = process.env;
const client = new ExchangeClient({ url: CW_URL, apiKey: CW_API_KEY, secret: CW_API_SECRET });

const [trade] = await client.call(MARKET_CALLS.trades, { pairCode: "BTC_USDT", limit: 1 });
const price = trade === undefined ? "90000" : String(Math.round(Number(trade.price) * 0.95));
const order = { pairCode: "BTC_USDT", side: "buy", type: "limit", price, quantity: "0.001" } as const;
const placed = await client.call(SPOT_CALLS.place, order);
const ended = await client.call(SPOT_CALLS.cancel, { id: placed.orderId });
console.log(placed.orderId, placed.status, ended.status);

try {
  await client.call(SPOT_CALLS.place, { ...order, price: "0.000001" });
} catch (error) {
  if (isRefusal(SPOT_CALLS.place, error)) console.log("refused", error.code);
  else throw error;
}
