// Owns the list of readers of the last trade, which a third party can move with a few coins: nothing is valued, bounded
// or decided by it.
import { readFileSync } from "node:fs";
import { join } from "node:path";

const READS = /\bT_LAST\b|\bsourcePrice\(|\blastTicks\(/;
const SOURCES = /^(?:core|areas|apps\/server)\/.*src\/.+\.ts$/;
const TESTS = /\.test\.ts$|-fixture\.ts$|\/testing\//;

/** Each reader, by the end of its path, with why it may. */
const READERS: Readonly<Record<string, string>> = {
  "core/src/book/book.ts": "holds it",
  "core/src/order/fill/fills.ts": "writes it",
  "core/src/perp/demo/fills.ts": "writes it",
  "core/src/inspect/depth.ts": "shows it",
  "core/src/value/value.ts": "observes it: bounded by step and median, this is the valuation itself",
  "core/src/perp/price/index.ts": "one of three prices whose median is the mark",
  "core/src/bot/price/seen.ts": "near the fair price alone",
  "core/src/copy/share/lots.ts": "only where no fair price is known",
  "core/src/order/end/prices.ts": "triggers of orders whose owner has chosen it",
  "core/src/follow-up/firing.ts": "tells by which price an order was triggered",
  "core/src/order/plan/amend.ts": "on which side of its trigger the owner's order stands",
  "core/src/order/plan/conditional.ts": "on which side of its trigger the owner's order stands",
  "core/src/order/plan/lists.ts": "on which side of its triggers the owner's list stands",
  "spot/service.ts": "on which side of its trigger the owner's order stands",
  "dialect/part/dialect.ts": "on which side of its trigger the owner's order stands",
  "positions/views.ts": "on which side of its trigger the owner's stop stands",
  "alerts/needs.ts": "an alert is about the last trade",
  "alerts/service.ts": "an alert is about the last trade",
  "grid/seen.ts": "near the fair price alone",
  "grid/simulated-bots.ts": "whether anybody has traded at all",
  "copy/simulated.ts": "simulated leaders, who trade for themselves",
  "market/history.ts": "where generated history joins what is shown",
  "market/pairs.ts": "holds it",
};

/** A new reader is listed here with its reason; one that no longer reads it is removed. */
export const checkLastPrices = (root: string, files: readonly string[]): readonly string[] => {
  const readers = files
    .filter((path) => SOURCES.test(path) && !TESTS.test(path))
    .filter((path) => READS.test(readFileSync(join(root, path), "utf8")));
  const known = Object.keys(READERS);
  const unknown = readers.filter((path) => !known.some((end) => path === end || path.endsWith(`/${end}`)));
  return unknown.map(
    (path) => `${path} reads the last trade, which a stranger moves: use the fair price, or say why in check-prices.ts`,
  );
};

/** Entries of the list without a reader. */
export const checkPriceReaders = (root: string, files: readonly string[]): readonly string[] =>
  Object.keys(READERS)
    .filter((end) => {
      const path = files.find((file) => file === end || file.endsWith(`/${end}`));
      return path === undefined || !READS.test(readFileSync(join(root, path), "utf8"));
    })
    .map((end) => `${end} no longer reads the last trade: strike it off in check-prices.ts`);
