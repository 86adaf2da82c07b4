// Makes one statement: reads the user's postings in the journal's order, page by page, and writes the document. A
// function of the period, the user and the journal only; a result that disagrees with the ledger's own balances is not
// published.
import { EventReader, eventOf, type Movement } from "@clockwork/kit/accounting/events";
import { LotBook } from "@clockwork/kit/accounting/lots";
import { Moments } from "@clockwork/kit/accounting/moments";
import { decimalText } from "@clockwork/kit/decimal";
import { formatInstant } from "@clockwork/kit/time";
import { readMovements } from "../accounting/movements.ts";
import type { CostBasis, StatementFormat, StatementKind } from "./contract.ts";
import { type Column, type Document, type DocumentHead, type Row, writeDocument } from "./document-rules.ts";
import { writeText } from "./paper-rules.ts";
import { PaperMaker, type PaperNeeds } from "./paper-service.ts";
import { type Posting, Sums } from "./rules.ts";
import type { PostingRow, Range, StatementStore } from "./store.ts";
import { gainOf, sidesOf, type TaxSide } from "./tax-rules.ts";

export interface Ask {
  readonly userId: number;
  readonly kind: StatementKind;
  readonly format: StatementFormat;
  /** Empty for all coins. */
  readonly asset: string;
  readonly basis: CostBasis;
  readonly fromMs: number;
  readonly toMs: number;
}

export interface MakerNeeds extends PaperNeeds {
  readonly store: Pick<StatementStore, "listPostings" | "openings" | "lastSequence">;
  /** The name of the user's book, by the core's account. */
  readonly accounts: ReadonlyMap<number, string>;
  findAsset(asset: number): { readonly symbol: string; readonly scale: number } | undefined;
  readonly range: Range;
  /** Told after every page; false stops. */
  progress(rowsDone: number): Promise<boolean>;
}

export interface Made {
  readonly text: string;
  readonly journalHead: number;
  readonly rows: number;
}

const MONEY_SCALE = 6;
const POSTING_COLUMNS: readonly Column[] = [
  { name: "time", width: 24 },
  { name: "account", width: 14 },
  { name: "coin", width: 6 },
  { name: "type", width: 14 },
  { name: "amount", width: 17, isNumber: true },
  { name: "balance", width: 17, isNumber: true },
  { name: "reference", width: 16 },
  { name: "journal", width: 10, isNumber: true },
];
const TAX_COLUMNS: readonly Column[] = [
  { name: "time", width: 24 },
  { name: "type", width: 12 },
  { name: "sent", width: 12, isNumber: true },
  { name: "sent coin", width: 6 },
  { name: "received", width: 12, isNumber: true },
  { name: "received coin", width: 6 },
  { name: "fee", width: 9, isNumber: true },
  { name: "fee coin", width: 6 },
  { name: "cost USDT", width: 9, isNumber: true },
  { name: "proceeds USDT", width: 9, isNumber: true },
  { name: "gain USDT", width: 9, isNumber: true },
  { name: "reference", width: 0 },
  { name: "journal", width: 0, isNumber: true },
];

/** Undefined when it was stopped. Throws when the postings do not lead to the balances. */
export async function makeStatement(ask: Ask, needs: MakerNeeds): Promise<Made | undefined> {
  const sums = new Sums();
  const isTax = ask.kind === "tax";
  const tax = isTax ? new TaxRows(ask, needs) : undefined;
  const paper = ask.format === "PDF" && !isTax ? new PaperMaker(ask, needs) : undefined;
  const rows: Row[] = [];
  let count = 0;
  for (const { account, asset, units } of await needs.store.openings(needs.range)) {
    const coin = needs.findAsset(asset);
    const name = needs.accounts.get(account);
    if (coin === undefined || name === undefined || units === 0n) continue;
    sums.open(name, coin.symbol, coin.scale, units);
    paper?.open(coin.symbol, asset, coin.scale, units);
  }
  // What coins cost is known from the first one on, whatever the period.
  const range = isTax ? { ...needs.range, asset: undefined, fromMs: 0 } : needs.range;
  const read = (account: number, after: number, through: number, limit: number) =>
    needs.store.listPostings(range, account, after, through, limit);
  for await (const page of readMovements(read, range.accounts)) {
    for (const row of page.rows) {
      const posting = postingOf(row, needs);
      if (posting === undefined) continue;
      await tax?.add(movementOf(row));
      if (posting.timeMs < ask.fromMs || (ask.asset !== "" && posting.asset !== ask.asset)) continue;
      sums.add(posting);
      paper?.add(posting, row.asset);
      if (tax === undefined && paper === undefined) rows.push(describe(posting));
      count += 1;
    }
    if (!(await needs.progress(count))) return undefined;
  }
  const broken = sums.findBroken();
  if (broken !== undefined) throw new Error(`the postings of ${broken} do not lead to its balance`);
  const journalHead = await needs.store.lastSequence(needs.range);
  if (paper !== undefined) return { text: writeText(await paper.end(journalHead)), journalHead, rows: count };
  const document = { head: headOf(ask, journalHead), rows: (await tax?.end()) ?? rows, sums: sumLines(sums) };
  return { text: writeDocument(document, ask.format), journalHead, rows: count };
}

function postingOf(row: PostingRow, { accounts, findAsset }: MakerNeeds): Posting | undefined {
  const coin = findAsset(row.asset);
  const account = accounts.get(row.account);
  if (coin === undefined || account === undefined) return undefined;
  return {
    sequence: row.sequence,
    line: row.line,
    timeMs: row.time_ms,
    settledMs: row.settled_ms ?? row.time_ms,
    account,
    asset: coin.symbol,
    scale: coin.scale,
    business: row.business,
    deltaUnits: row.delta_units,
    balanceUnits: row.available_units + row.frozen_units,
    market: row.market,
    reference: referenceOf(row),
  };
}

function text(value: bigint, scale: number): string {
  return value < 0n ? `-${decimalText(-value, scale)}` : decimalText(value, scale);
}

function describe({ settledMs, account, asset, business, deltaUnits, balanceUnits, scale, ...rest }: Posting): Row {
  const amounts = [text(deltaUnits, scale), text(balanceUnits, scale)];
  return [formatInstant(settledMs), account, asset, business, ...amounts, rest.reference, String(rest.sequence)];
}

function headOf({ userId, kind, asset, basis, fromMs, toMs }: Ask, journalHead: number): DocumentHead {
  return {
    title: kind === "tax" ? "Clockwork tax export" : "Clockwork statement",
    facts: [
      ["user", String(userId)],
      ["coins", asset === "" ? "all" : asset],
      ["from", formatInstant(fromMs)],
      ["to, not included", formatInstant(toMs)],
      ...(kind === "tax" ? [["cost basis", basis] as const] : []),
      ["journal head", String(journalHead)],
    ],
    columns: kind === "tax" ? TAX_COLUMNS : POSTING_COLUMNS,
  };
}

function sumLines(sums: Sums): Document["sums"] {
  return sums
    .read()
    .flatMap(({ account, asset, scale, openingUnits, byBusiness, closingUnits }) => [
      [`${account} ${asset} opening`, text(openingUnits, scale)] as const,
      ...byBusiness.map(([business, units]) => [`${account} ${asset} ${business}`, text(units, scale)] as const),
      [`${account} ${asset} closing`, text(closingUnits, scale)] as const,
    ]);
}

/** Events of the user's account, each with its gain at the value of that moment. */
class TaxRows {
  readonly #ask: Ask;
  readonly #needs: MakerNeeds;
  readonly #book: LotBook;
  readonly #moments: Moments;
  readonly #reader = new EventReader();
  readonly #rows: Row[] = [];

  constructor(ask: Ask, needs: MakerNeeds) {
    this.#ask = ask;
    this.#needs = needs;
    this.#book = new LotBook(ask.basis, needs.money);
    this.#moments = new Moments(needs.values, needs.money);
  }

  async add(movement: Movement): Promise<void> {
    await this.#take(this.#reader.add(movement));
  }

  async end(): Promise<readonly Row[]> {
    await this.#take(this.#reader.end());
    return this.#rows;
  }

  async #take(groups: readonly (readonly Movement[])[]): Promise<void> {
    for (const group of groups) {
      const event = eventOf(group);
      if (event === undefined) continue;
      const gain = gainOf(this.#book.take(event, await this.#moments.of(group)));
      const sides = sidesOf(event);
      const { asset, fromMs } = this.#ask;
      const shown = [sides.sent, sides.received, sides.fee];
      const concerns = asset === "" || shown.some((side) => side !== undefined && this.#symbolOf(side) === asset);
      if (event.timeMs < fromMs || !concerns) continue;
      this.#rows.push([
        formatInstant(event.timeMs),
        event.business,
        ...shown.flatMap((side) => this.#describe(side)),
        ...[gain.costUnits, gain.proceedsUnits, gain.gainUnits].map((value) =>
          value === undefined ? "" : text(value, MONEY_SCALE),
        ),
        event.reference,
        String(event.sequence),
      ]);
    }
  }

  #symbolOf({ asset }: TaxSide): string {
    return this.#needs.findAsset(asset)?.symbol ?? "";
  }

  #describe(side: TaxSide | undefined): readonly [amount: string, coin: string] {
    const coin = side === undefined ? undefined : this.#needs.findAsset(side.asset);
    return side === undefined || coin === undefined ? ["", ""] : [text(side.units, coin.scale), coin.symbol];
  }
}

function referenceOf({ reference, reference_number }: PostingRow): string {
  return reference ?? (reference_number === 0 ? "" : String(reference_number));
}

function movementOf(row: PostingRow): Movement {
  const { sequence, asset, business, market } = row;
  const reference = referenceOf(row);
  return { sequence, timeMs: row.time_ms, asset, business, units: row.delta_units, market, reference, isBot: false };
}
