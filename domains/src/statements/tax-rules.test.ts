// Rules of statements without a database: events and what they gained by each basis, sums, and bytes that stay the same.
import { expect, test } from "vitest";
import { type Document, writeDocument } from "./document-rules.ts";
import { findPeriodProblem, type Posting, Sums } from "./rules.ts";
import { CostBook, readEvent, type TaxEvent } from "./tax-rules.ts";

const leg = (asset: string, business: string, deltaUnits: bigint, more: Partial<Posting> = {}): Posting => ({
  ...{ sequence: 1, line: 0, timeMs: 0, account: "Spot", scale: 6, balanceUnits: 0n, market: 1, reference: "7" },
  ...{ asset, business, deltaUnits },
  ...more,
});
const trade = (...postings: readonly Posting[]): TaxEvent => {
  const event = readEvent(postings);
  if (event === undefined) throw new Error("there is no event");
  return event;
};
const buy = (units: bigint, cost: bigint) => trade(leg("BTC", "trade", units), leg("USDT", "trade", -cost));
const sell = (units: bigint, money: bigint) => trade(leg("BTC", "trade", -units), leg("USDT", "trade", money));

test("[WAL-3] FIFO, LIFO and average count what was sold by their own order, fees included", () => {
  const gains = (["FIFO", "LIFO", "AVERAGE"] as const).map((basis) => {
    const book = new CostBook(basis);
    book.take(buy(10n, 100n));
    book.take(buy(10n, 300n));
    const sold = trade(leg("BTC", "trade", -10n), leg("USDT", "trade", 250n), leg("USDT", "fee", -5n));
    return book.take(sold).gainUnits;
  });
  expect(gains).toEqual([145n, -55n, 45n]);
});

test("[WAL-3] what came from elsewhere has no cost, so its sale has no gain; a fee in the coin makes the rest dearer", () => {
  const book = new CostBook("FIFO");
  book.take(trade(leg("BTC", "deposit", 5n)));
  expect(book.take(sell(5n, 50n))).toEqual({ costUnits: undefined, proceedsUnits: 50n, gainUnits: undefined });
  book.take(trade(leg("BTC", "trade", 10n), leg("BTC", "fee", -2n), leg("USDT", "trade", -80n)));
  expect(book.take(sell(4n, 50n))).toEqual({ costUnits: 40n, proceedsUnits: 50n, gainUnits: 10n });
});

test("[WAL-3] what moves between a user's own books is no event", () => {
  expect(
    readEvent([leg("USDT", "transfer", -5n), leg("USDT", "transfer", 5n, { account: "Funding" })]),
  ).toBeUndefined();
});

test("[WAL-3] sums lead from opening to closing, and a balance that says otherwise is found", () => {
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

test("[WAL-3] every format is the same bytes for the same document, and a spreadsheet runs nothing of it", () => {
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
  expect(pdf).toContain("page 3 of 3");
  const start = Number(/startxref\n(\d+)/.exec(pdf)?.[1]);
  expect(pdf.slice(start, start + 4)).toBe("xref");
});

test("[WAL-3] a number that is longer than its column goes on below it on paper, and loses no digit", () => {
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
  const lines = [...paper.matchAll(/^\((.*)\) Tj T\*$/gm)].map(([, line = ""]) => line);
  const from = lines.findIndex((line) => line.startsWith("a lo"));
  expect(lines.slice(from, from + 3)).toEqual([
    "a lo.. 123456789   -1",
    "       012.34567     ",
    "             891     ",
  ]);
  expect(paper).not.toContain("elsewhere");
});
