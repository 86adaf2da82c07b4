// Rules of statements without a database: events and their gains by each basis, sums, and stable bytes.
import { type AccountEvent, eventOf } from "@clockwork/kit/accounting/events";
import { LotBook, type Moment } from "@clockwork/kit/accounting/lots";
import { expect, test } from "vitest";
import { type Document, writeDocument } from "./document-rules.ts";
import { findPeriodProblem, type Posting, Sums } from "./rules.ts";
import { gainOf, sidesOf } from "./tax-rules.ts";

const leg = (asset: string, business: string, deltaUnits: bigint, more: Partial<Posting> = {}): Posting => ({
  sequence: 1,
  line: 0,
  timeMs: 0,
  settledMs: 0,
  account: "Spot",
  scale: 6,
  balanceUnits: 0n,
  market: 1,
  reference: "7",
  asset,
  business,
  deltaUnits,
  ...more,
});

const [USDT, BTC, ETH] = [1, 2, 3];
const moment: Moment = { valueAt: (_, units) => units * 2n, launchCost: () => undefined };
const event = (...moves: readonly (readonly [asset: number, business: string, units: bigint])[]): AccountEvent => {
  const read = eventOf(
    moves.map(([asset, business, units]) => ({
      sequence: 1,
      timeMs: 0,
      asset,
      business,
      units,
      market: 1,
      reference: "7",
      isBot: false,
    })),
  );
  if (read === undefined) throw new Error("there is no event");
  return read;
};

test("[WAL-3] a tax export has cost, proceeds and gain of what is sold for money, for another coin, earned or lost, and nothing of deposits and withdrawals", () => {
  const book = new LotBook("FIFO", USDT);
  const gain = (one: AccountEvent) => Object.values(gainOf(book.take(one, moment)));
  const nothing = [undefined, undefined, undefined];
  expect(gain(event([BTC, "trade", 10n], [BTC, "fee", -2n], [USDT, "trade", -80n]))).toEqual(nothing);
  expect(gain(event([BTC, "trade", -4n], [USDT, "trade", 50n], [USDT, "fee", -1n]))).toEqual([40n, 49n, 9n]);
  const swap = event([BTC, "convert", -3n], [ETH, "convert", 20n]);
  expect(sidesOf(swap)).toEqual({
    sent: { asset: BTC, units: 3n },
    received: { asset: ETH, units: 20n },
    fee: undefined,
  });
  expect(gain(swap)).toEqual([30n, 40n, 10n]);
  expect(gain(event([ETH, "withdrawal", -5n]))).toEqual(nothing);
  expect(gain(event([ETH, "earnInterest", 5n]))).toEqual([0n, 10n, 10n]);
  expect(gain(event([USDT, "realized", -7n], [USDT, "closeFee", -1n]))).toEqual([8n, 0n, -8n]);
});

test("[WAL-3] sums lead from opening to closing, and a balance that disagrees is found", () => {
  const sums = new Sums();
  sums.open("Spot", "USDT", 6, 10n);
  sums.add(leg("USDT", "deposit", 5n, { balanceUnits: 15n }));
  sums.add(leg("USDT", "withdrawal", -3n, { balanceUnits: 12n }));
  expect(sums.read()).toMatchObject([{ openingUnits: 10n, closingUnits: 12n }]);
  expect(sums.findBroken()).toBeUndefined();
  sums.add(leg("USDT", "fee", -1n, { balanceUnits: 12n }));
  expect(sums.findBroken()).toBe("Spot USDT");
});

test("[WAL-3] a period is refused when it is empty, too long or not over", () => {
  expect(findPeriodProblem(5, 5, 10)).toBe("PERIOD_INVALID");
  expect(findPeriodProblem(0, 400_000_000_000, 500_000_000_000)).toBe("PERIOD_INVALID");
  expect(findPeriodProblem(5, 11, 10)).toBe("PERIOD_OPEN");
  expect(findPeriodProblem(5, 10, 10)).toBeUndefined();
});

test("[WAL-3] every format is the same bytes for the same document, and a spreadsheet executes nothing of it", () => {
  const document: Document = {
    head: {
      title: "A (title)",
      facts: [["user", "1"]],
      columns: [
        { name: "a", width: 4 },
        { name: "b", width: 8, isNumber: true },
      ],
    },
    rows: Array.from({ length: 200 }, (_, at) => [at === 0 ? '=1+"1"' : "x", `-${at}.5`]),
    sums: [["closing", "1"]],
  };
  const [csv, json, pdf] = (["CSV", "JSON", "PDF"] as const).map((format) => writeDocument(document, format)) as [
    string,
    string,
    string,
  ];
  expect(csv).toBe(writeDocument(document, "CSV"));
  expect(csv.split("\r\n")[1]).toBe(`"'=1+""1""",-0.5`);
  expect(JSON.parse(json).rows).toHaveLength(200);
  expect(pdf).toBe(writeDocument(document, "PDF"));
  expect(pdf).toContain("Page 3 of 3");
  const start = Number(/startxref\n(\d+)/.exec(pdf)?.[1]);
  expect(pdf.slice(start, start + 4)).toBe("xref");
});

test("[WAL-3] a number that is longer than its printed column wraps, and loses no digit", () => {
  const paper = writeDocument(
    {
      head: {
        title: "T",
        facts: [],
        columns: [
          { name: "name", width: 6 },
          { name: "amount", width: 9, isNumber: true },
          { name: "unprinted", width: 0 },
          { name: "gain", width: 4, isNumber: true },
        ],
      },
      rows: [["a long name", "123456789012.34567891", "elsewhere", "-1"]],
      sums: [],
    },
    "PDF",
  );
  const lines = [...paper.matchAll(/ Tm \((.*)\) Tj ET$/gm)].map(([, line = ""]) => line);
  const from = lines.findIndex((line) => line.startsWith("a lo"));
  expect(lines.slice(from, from + 3)).toEqual([
    "a lo.. 123456789   -1",
    "       012.34567     ",
    "             891     ",
  ]);
  expect(paper).not.toContain("elsewhere");
});
