// Limit orders of contracts that take their price from the book in the Binance dialect: the best of either side or one
// some levels behind it, as the book is when the order comes.
import type { ContractInfo } from "@clockwork/trading/markets/contract";
import { DialectRefusal, notRequired } from "../refusal.ts";
import type { Parameters } from "../request.ts";
import { readSide } from "../spot/order-request.ts";

const MATCH = /^(OPPONENT|QUEUE)(?:_(5|10|20))?$/;
const LEVELS_MAX = 20;

type Levels = readonly (readonly string[])[];
export type ReadTop = (contract: ContractInfo, levels: number) => { readonly bids: Levels; readonly asks: Levels };

/** The parameters with the price from the book; unchanged where none is requested. */
export function matchPrice(parameters: Parameters, contract: ContractInfo, readTop: ReadTop): Parameters {
  const requested = parameters.text("priceMatch")?.toUpperCase();
  if (requested === undefined || requested === "NONE") return parameters;
  const [, whose, level = "1"] = MATCH.exec(requested) ?? [];
  if (whose === undefined) throw new DialectRefusal(-5037, "Invalid price match");
  // A conditional order would take its price when it triggers, which the core has no word for.
  if (parameters.text("type")?.toUpperCase() !== "LIMIT") {
    throw new DialectRefusal(-5038, "Price match only supports order type: LIMIT");
  }
  if (parameters.text("price") !== undefined) throw notRequired("price");
  const { bids, asks } = readTop(contract, LEVELS_MAX);
  const isBids = (readSide(parameters) === "buy") === (whose === "QUEUE");
  const price = (isBids ? bids : asks)[Number(level) - 1]?.[0];
  if (price === undefined) throw new DialectRefusal(-5041, "No depth matches this BBO order");
  return parameters.with("price", price);
}
