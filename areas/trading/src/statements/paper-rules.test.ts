// Statements on paper: complete, the same again, and nothing of the inside in them.
import { BUSINESSES } from "@clockwork/core/protocol/names";
import { expect, test } from "vitest";
import { BUSINESS_NAMES } from "./business-names.ts";
import { contentOf, writeText } from "./paper-rules.ts";
import { PaperMaker } from "./paper-service.ts";
import { widthOf } from "./pdf-rules.ts";
import type { Posting } from "./rules.ts";

const FROM_MS = Date.UTC(2026, 9, 1);
const TO_MS = Date.UTC(2026, 10, 1);
const posting = (at: number, more: Partial<Posting> = {}): Posting => ({
  sequence: at,
  line: 0,
  timeMs: FROM_MS + at * 60_000,
  settledMs: FROM_MS + at * 60_000,
  account: "Spot",
  asset: "USDT",
  scale: 6,
  business: "deposit",
  deltaUnits: 1_500_000n,
  balanceUnits: 0n,
  market: 0,
  reference: String(at),
  ...more,
});

function makeMaker() {
  const issuer = { legalName: "Clockwork Exchange Limited", lines: ["1 Sample Street", "Licence 0000"] };
  const values = {
    valueAt: async () => (units: bigint) => (units * 2n) / 100n,
    launchCost: async () => undefined,
  };
  const ask = { userId: 40_718, asset: "", fromMs: FROM_MS, toMs: TO_MS };
  return new PaperMaker(ask, { issuer, values, money: 1, customer: ["jo@example.com"] });
}

test("[WAL-3] a statement has issuer, customer, period, opening, movements in words, closing and their value", async () => {
  const maker = makeMaker();
  maker.open("USDT", 1, 6, 10_000_000n);
  maker.open("BTC", 2, 8, 100_000_000n);
  maker.add(posting(1), 1);
  maker.add(posting(2, { business: "faucet", deltaUnits: -500_000n, account: "Futures, USDT" }), 1);
  maker.add(posting(3, { asset: "BTC", scale: 8, deltaUnits: -25_000_000n, business: "trade" }), 2);
  const paper = await maker.end(4_321);
  expect(paper.coins).toEqual([
    { coin: "BTC", opening: "1", paidIn: "–", paidOut: "0.25", closing: "0.75", rate: "2", value: "1.50" },
    { coin: "USDT", opening: "10", paidIn: "1.5", paidOut: "0.5", closing: "11", rate: "1", value: "11.00" },
  ]);
  expect([paper.openingValue, paper.closingValue, paper.period]).toEqual([
    "12.00",
    "12.50",
    "1 Oct 2026 to 31 Oct 2026",
  ]);
  expect(paper.sections[1]?.moves).toEqual([
    { day: "1 Oct", time: "00:01", words: "Deposit", detail: "Spot · Reference 1", amount: "+1.5", balance: "11.5" },
    {
      day: "1 Oct",
      time: "00:02",
      words: "Test coins",
      detail: "Futures, USDT · Reference 2",
      amount: "−0.5",
      balance: "11",
    },
  ]);
  const text = writeText(paper);
  for (const words of [
    "Clockwork Exchange Limited",
    "jo@example.com",
    "Account 40718",
    "Opening balance",
    "Page 1 of 1",
  ])
    expect(text).toContain(`(${words})`);
  expect(writeText(paper)).toBe(text);
  expect(contentOf({ ...paper, closingValue: "12.51" })).not.toBe(contentOf(paper));
});

test("[WAL-3] long statements go over pages, carry the balance forward and number every page", async () => {
  const maker = makeMaker();
  for (let at = 1; at <= 120; at += 1) maker.add(posting(at), 1);
  const text = writeText(await maker.end(9));
  const pages = text.match(/\/Type \/Page /g)?.length ?? 0;
  expect(pages).toBeGreaterThan(3);
  for (let page = 1; page <= pages; page += 1) expect(text).toContain(`(Page ${page} of ${pages})`);
  expect(text.match(/Carried forward to page/g)).toHaveLength(pages - 1);
  // Every object is where the file says it is.
  const start = Number(/startxref\n(\d+)/.exec(text)?.[1]);
  const places = [...text.slice(start).matchAll(/^(\d{10}) 00000 n/gm)].map(([, place]) => Number(place));
  expect(places.map((place) => Number.parseInt(text.slice(place), 10))).toEqual(places.map((_, at) => at + 1));
});

test("[WAL-3] every movement of the ledger has a name people use, and figures are as wide as the font says", () => {
  expect(BUSINESSES.filter((business) => BUSINESS_NAMES[business] === undefined)).toEqual([]);
  expect(widthOf("1,234.50", "F3", 10)).toBeCloseTo(6 * 5.56 + 2 * 2.78, 6);
});
