import { DAY_MS, HOUR_MS } from "@clockwork/kit/time";
import { expect, test } from "vitest";
import type { ProductPayload } from "./contract.ts";
import { DeskService } from "./desk-service.ts";
import type { EarnParts } from "./move-service.ts";

const STARTS_MS = 20_000 * DAY_MS + 8 * HOUR_MS;
const needs = {
  findCoin: (symbol: string) => (symbol === "USDT" ? { asset: 1, symbol, name: symbol, scale: 6 } : undefined),
  // Prices in tenths; anything between two is not a valid price.
  ticksOf: (symbol: string, price: string) =>
    symbol === "BTC" && /^\d+(\.\d)?$/.test(price) ? BigInt(Math.round(Number(price) * 10)) : undefined,
};
const desk = new DeskService({ needs } as Partial<EarnParts> as EarnParts, {} as never);
const FIN: NonNullable<ProductPayload["shark"]> = {
  index: "BTC",
  direction: "bullish",
  isTouch: false,
  low: "60000",
  high: "68000.5",
  baseRate: "0.01",
  lowRate: "0.04",
  highRate: "0.18",
};
const payload: ProductPayload = {
  productId: "fin",
  kind: "shark",
  asset: "USDT",
  days: 7,
  rate: "0.18",
  minimum: "100",
  userMaximum: "50000",
  quota: "1000000",
  dayIn: "0",
  dayOut: "0",
  opensAtMs: STARTS_MS - 5 * DAY_MS,
  closesAtMs: STARTS_MS - HOUR_MS,
  startsAtMs: STARTS_MS,
  endsAtMs: STARTS_MS + 7 * DAY_MS,
  shark: FIN,
};
const read = (more: Partial<ProductPayload>) => desk.readProduct({ ...payload, ...more }, STARTS_MS);
const code = (more: Partial<ProductPayload>): unknown => {
  const answer = read(more);
  return "code" in answer ? answer.code : undefined;
};
const fin = (more: Partial<typeof FIN>): unknown => code({ shark: { ...FIN, ...more } });

test("[EARN-1] a shark fin consists of strikes on ticks, increasing rates and a whole term to 08:00 UTC, and nothing else", () => {
  const answer = read({});
  if ("code" in answer) throw new Error(answer.code);
  expect(answer.row).toMatchObject({ kind: "shark", days: 7, starts_ms: STARTS_MS, ends_ms: STARTS_MS + 7 * DAY_MS });
  expect(JSON.parse(answer.row.terms)).toMatchObject({ low: "600000", high: "680005", baseRate: 1_000_000 });
  const { shark: _, ...without } = payload;
  expect(desk.readProduct(without, STARTS_MS)).toMatchObject({ code: "INVALID_TERM" });
  expect([fin({ low: "68000.5" }), fin({ low: "70000" }), fin({ high: "68000.55" }), fin({ index: "NONE" })]).toEqual(
    Array(4).fill("INVALID_STRIKES"),
  );
  expect([fin({ baseRate: "0.05" }), fin({ lowRate: "0.2" })]).toEqual(Array(2).fill("INVALID_RATES"));
  // Of the given length, open before it starts, and settled at eight.
  expect([
    code({ days: 8 }),
    code({ days: 0, endsAtMs: STARTS_MS }),
    code({ closesAtMs: STARTS_MS + 1 }),
    code({ opensAtMs: STARTS_MS - HOUR_MS }),
    code({ startsAtMs: STARTS_MS + HOUR_MS, endsAtMs: STARTS_MS + 7 * DAY_MS + HOUR_MS }),
  ]).toEqual(Array(5).fill("INVALID_TERM"));
  expect([code({ minimum: "0" }), code({ userMaximum: "99" }), code({ quota: "99" })]).toEqual(
    Array(3).fill("INVALID_AMOUNT"),
  );
  expect(code({ asset: "NONE" })).toBe("UNKNOWN_ASSET");
  expect(read({ shark: { ...FIN, lowRate: "0.01", highRate: "0.01" } })).not.toHaveProperty("code");
});
