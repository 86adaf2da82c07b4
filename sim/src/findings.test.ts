// Everything the simulator has found, cut down to the fewest commands that show it: machine and reference must tell
// the same events and the invariants must hold. A seed that fails in a soak ends up here.
import { encodeCommand } from "@clockwork/core/protocol/codec";
import { describe, expect, it } from "vitest";
import type { SimCommand } from "./reference.ts";
import { runScript, runSession } from "./session.ts";

const A = 16;
const B = 17;
const BOT = 18;
const HOUR_MS = 3_600_000;

type Step = SimCommand | number;

function stage(market: { minNotionalUnits?: number; anchorTicks?: number } = {}): SimCommand[] {
  const fund = [A, B, BOT].flatMap((account) =>
    [1, 2].map((asset): SimCommand => {
      return { kind: "mint", account, asset, business: "deposit", units: 1e12, reference: `f:${account}:${asset}` };
    }),
  );
  const listing = { tickMantissa: 1, tickDecimals: 1, stepUnits: 1_000, symbol: "BTC/USDT" };
  return [
    { kind: "listAsset", symbol: "BTC", scale: 8 },
    { kind: "listAsset", symbol: "USDT", scale: 6 },
    { kind: "listMarket", base: 1, quote: 2, ...listing, anchorTicks: 1_000, ...market },
    { kind: "createAccount", user: 1, book: "spot" },
    { kind: "createAccount", user: 2, book: "spot" },
    { kind: "createAccount", user: 3, book: "bot" },
    ...fund,
  ];
}

function limit(account: number, side: "buy" | "sell", price: number, quantity: number, clientOrderId = ""): SimCommand {
  return { kind: "placeOrder", account, market: 1, side, price, quantity, clientOrderId };
}

function check(...script: Step[]): void {
  const { failure } = runScript([...stage(), ...script]);
  expect(failure).toBeUndefined();
}

const tradeAt = (price: number): Step[] => [limit(A, "buy", price, 1), limit(B, "sell", price, 1)];
const twap = { kind: "placeTwap", account: A, market: 1, side: "buy", price: 980, quantity: 100 } as const;
const overFiveMinutes = { durationMs: 300_000, intervalMs: 10_000 };

describe("findings", () => {
  it("[LEDGER-5] a fee reserve that appears with an amend belongs to the order", () => {
    const fees = (rate: number): SimCommand => {
      return { kind: "setAccountFees", account: BOT, feeGroup: 0, makerRate: rate, takerRate: rate };
    };
    const amend = { kind: "amendOrder", account: BOT, orderId: 1, price: 1_001 } as const;
    check(fees(0), limit(BOT, "buy", 1_000, 5), fees(100_000), amend, {
      kind: "cancelOrder",
      account: BOT,
      orderId: 1,
    });
  });

  it("[CODEC-7] a short record ends where it ends: what stands behind it is not its client order id", () => {
    const named = limit(A, "buy", 980, 1, "c-3");
    check(named, { kind: "amendOrder", account: A, orderId: 0, quantity: 7 });
    check(named, { kind: "cancelOrder", account: A, orderId: 5 * 0x1000000 });
  });

  it("[CODEC-8] a refused record names no market when its length is wrong, no command when its kind is", () => {
    const bytes = new Uint8Array(128);
    const size = encodeCommand(
      { kind: "placeOrder", account: A, market: 1, side: "buy", price: 5, quantity: 1 },
      bytes,
    );
    const spoilt = (at: number, value: number): Uint8Array => {
      const copy = bytes.slice(0, size + 8);
      copy[at] = value;
      return copy;
    };
    const malformed = { account: A, code: "MALFORMED_COMMAND", command: "placeOrder", market: 0 } as const;
    const unknown = { account: A, code: "UNKNOWN_COMMAND", command: "none", market: 0 } as const;
    check(limit(A, "buy", 980, 1), { kind: "raw", bytes: spoilt(0, 23), expected: malformed });
    check({ kind: "raw", bytes: spoilt(2, 200), expected: unknown });
  });

  it("[CODEC-9] money under a business that does not exist is refused", () => {
    const bytes = new Uint8Array(128);
    const mint = { kind: "mint", account: A, asset: 1, business: "deposit", units: 5, reference: "r" } as const;
    const size = encodeCommand(mint, bytes);
    bytes[28] = 200;
    const expected = { account: A, code: "MALFORMED_COMMAND", command: "mint", market: 0 } as const;
    check({ kind: "raw", bytes: bytes.slice(0, size), expected });
  });

  it("[CHECK-9] a refusal names the bound it broke and no other number", () => {
    const plan = { kind: "placeConditional", account: A, market: 1, side: "buy", conditional: "stopLimit" } as const;
    const { failure } = runScript([
      ...stage({ minNotionalUnits: 500 }),
      ...tradeAt(1_000),
      { ...plan, direction: "rises", trigger: 1_100, price: 10, quantity: 1 },
      { ...twap, quantity: 31, price: 10, ...overFiveMinutes },
      { kind: "amendOrder", account: A, orderId: 1, quantity: 1 },
    ]);
    expect(failure).toBeUndefined();
  });

  it("[TRIGGER-5] a plan sees every price that prints, not only the last of a command", () => {
    const rise = { kind: "placeConditional", account: A, market: 1, side: "buy", price: 1_100, quantity: 1 } as const;
    const plan: Step = { ...rise, conditional: "stopLimit", direction: "rises", trigger: 1_000 };
    check(...tradeAt(980), limit(A, "buy", 1_000, 1), limit(A, "buy", 990, 1), plan, limit(B, "sell", 990, 2));
  });

  it("[TRIGGER-6] a withdrawn plan's turn is not taken by whoever has its slot now", () => {
    // One taker fills the entry and prints the stop's trigger: the stop is due, then re-armed in the same slot for
    // the whole and due again, now behind the other plan.
    const bracket = { kind: "placeBracket", account: A, market: 1, side: "buy", price: 1_000, quantity: 20 } as const;
    const plan = { kind: "placeConditional", account: B, market: 1, side: "sell", price: 0, quantity: 2 } as const;
    check(
      ...tradeAt(995),
      { ...bracket, profitPrice: 1_100, stopTrigger: 990 },
      limit(B, "sell", 1_000, 5),
      { ...plan, conditional: "stopMarket", direction: "falls", trigger: 990 },
      limit(BOT, "buy", 990, 30),
      limit(B, "sell", 990, 16),
    );
  });

  it("[TWAP-3] a slicer is IOC whatever was asked, checked at placement, and can be cancelled alone", () => {
    check({ ...twap, timeInForce: "FOK", ...overFiveMinutes }, { kind: "cancelOrder", account: A, orderId: 1 });
    check({ ...twap, postOnly: "reject", ...overFiveMinutes }, { ...twap, selfTrade: "NONE", ...overFiveMinutes });
    const block: Step = { kind: "setAccountFlags", account: A, blockTrading: true };
    const close: Step = { kind: "setMarketStatus", market: 1, status: "CANCEL_ONLY" };
    check(block, { ...twap, ...overFiveMinutes });
    check(close, { ...twap, ...overFiveMinutes });
  });

  it("[BAND-3] bounds above the highest price are the highest price", () => {
    const { failure } = runScript([...stage({ anchorTicks: 500_000_000 }), limit(A, "sell", 500_000_000, 1)]);
    expect(failure).toBeUndefined();
  });

  it("[BAND-4] an operator's anchor is not undone by prints that are over", () => {
    const limits: Step = { kind: "setMarketLimits", market: 1, anchorTicks: 5_000 };
    check(...tradeAt(1_000), 600_000, limits, limit(A, "buy", 5_000, 1));
  });

  it("[PLACE-9] a buy for an amount always ends with an event", () => {
    const spend = { kind: "placeOrder", account: B, market: 1, side: "buy", type: "market", inQuote: true } as const;
    check(limit(A, "sell", 1_000, 5), { ...spend, quantity: 999 }, { ...spend, quantity: 2_500 });
  });

  it("[CLIENT-4] an id is free again once its order is gone and a day has passed", () => {
    const cancel: Step = { kind: "cancelOrder", account: A, orderId: 1 };
    check(
      limit(A, "buy", 900, 1, "x"),
      25 * HOUR_MS,
      limit(A, "buy", 900, 1, "y"),
      cancel,
      limit(A, "buy", 901, 1, "x"),
    );
  });

  it("[MONEY-7] a spent hold is unknown when its time is over, collected or not", () => {
    const hold = { kind: "hold", account: A, asset: 1, business: "withdrawal", units: 5, reference: "h" } as const;
    const release = { kind: "release", account: A, hold: "h" } as const;
    const month = 31 * 24 * HOUR_MS;
    check(hold, { ...release, reference: "1" }, month, { ...release, reference: "2" }, hold);
  });

  it("[MONEY-8] the same reference for another account and command is no repeat", () => {
    const money = { asset: 1, business: "deposit", units: 5, reference: "r" } as const;
    check({ kind: "mint", account: A, ...money }, { kind: "burn", account: B, ...money });
  });

  it("[LIST-8] nothing is armed in a market that is over, nor after everything was withdrawn", () => {
    const bracket = { kind: "placeBracket", account: A, market: 1, side: "buy", price: 1_000, quantity: 10 } as const;
    const opening = [
      ...stage({ minNotionalUnits: 4_000 }),
      { ...bracket, profitPrice: 1_100, stopTrigger: 900 },
      limit(B, "sell", 1_000, 4),
    ];
    const delist: Step = { kind: "setMarketStatus", market: 1, status: "DELISTED" };
    const switched: Step[] = [{ kind: "setDeadMan", account: A, timeoutMs: 3_000 }, 5_000, { kind: "tick" }];
    const all: Step = { kind: "cancelAll", account: A };
    for (const end of [[delist], [all], switched]) expect(runScript([...opening, ...end]).failure).toBeUndefined();
  });

  it("[CANCEL-5] an account that does not exist is told so, whatever the record's length", () => {
    check(
      { kind: "cancelOrder", account: 99, orderId: 1 },
      { kind: "amendOrder", account: 99, orderId: 1, quantity: 1 },
    );
  });

  it("[CHECK-9] the average counts what printed before a market order that found nobody (seed 539)", () => {
    expect(runSession({ seed: 539, commands: 564 }).failure).toBeUndefined();
  });
});
