// The intake of prices from outside: a program with the token submits them, the simulated market follows them. Enabled
// only when a token is set; never distinguishes a wrong token from a missing one.
import { createHash, timingSafeEqual } from "node:crypto";
import { answer, type RouteSpec, refuse, refuseBy, serve } from "@clockwork/host/route";
import { parseDecimal } from "@clockwork/kit/decimal";
import { endpoint } from "@clockwork/kit/endpoint";
import { PushedPrices } from "@clockwork/sim/market/prices";
import { Type } from "typebox";

const COINS_MAX = 200;
const Prices = Type.Object(
  {
    /** USDT of one whole coin by its symbol. */
    prices: Type.Record(Type.String({ pattern: "^[A-Z0-9]{1,12}$" }), Type.String({ maxLength: 40 }), {
      maxProperties: COINS_MAX,
    }),
  },
  { additionalProperties: false },
);

const REFUSALS = { INVALID_PRICE: [400, "A price is a positive decimal."] } as const;
const PRICES_CALL = endpoint("POST", "/v1/market/prices", {
  body: Prices,
  output: Type.Object({ taken: Type.Integer() }),
  refusals: REFUSALS,
});

export interface PriceIntake {
  readonly source: PushedPrices;
  readonly routes: readonly RouteSpec[];
}

/** Undefined without a token. */
export function openPriceIntake(token: string): PriceIntake | undefined {
  if (token === "") return undefined;
  const source = new PushedPrices();
  const wanted = digest(`Bearer ${token}`);
  const route = serve(PRICES_CALL, {
    summary: "Hands in prices from outside for the simulated market to follow for half a minute",
    tag: "markets",
    handle: async ({ body }, { header, timeMs }) => {
      if (!timingSafeEqual(digest(header("authorization") ?? ""), wanted)) {
        return refuse({ code: "UNAUTHENTICATED", status: 401, message: "Send the price token." });
      }
      const entries = Object.entries(body.prices);
      const wrong = entries.find(([, text]) => !isPrice(text));
      if (wrong !== undefined) {
        const fields = { [`prices.${wrong[0]}`]: "a positive decimal" };
        return refuseBy(REFUSALS, { code: "INVALID_PRICE" }, fields);
      }
      for (const [symbol, text] of entries) source.push(symbol, Number(text), timeMs);
      return answer({ taken: entries.length });
    },
  });
  return { source, routes: [route] };
}

function isPrice(text: string): boolean {
  const parsed = parseDecimal(text);
  return parsed.ok && parsed.value.units > 0n;
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
