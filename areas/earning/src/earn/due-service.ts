// Scheduled steps: the daily credit of flexible holdings, ends of terms, prices of shark fins, redemptions due the next
// day. Every step follows from the rows and the due time alone, so a stop of any length changes nothing: missed steps
// are done in the same order with the same figures, once.
import { accrueTo, type RateSpan, takeWhole } from "@clockwork/kit/earn/accrual";
import { averageTicks, sharkInterestMax, termInterest } from "@clockwork/kit/earn/terms";
import { formatUnits, units } from "@clockwork/kit/money";
import { type Result, refused } from "@clockwork/kit/result";
import { DAY_MS } from "@clockwork/kit/time";
import type { MoveAnswer, SubscribeBody } from "./contract.ts";
import type { EarnParts, MoveService } from "./move-service.ts";
import type { EarnRefusal } from "./refusals.ts";
import type { HoldingRow, HoldingStep, MoveRow, ProductRow } from "./row-store.ts";
import {
  accrualColumns,
  accrualOf,
  boostOf,
  CREDIT_AFTER_MS,
  creditDay,
  finOf,
  interestOf,
  isTouched,
  nextSeries,
  PRICE_WINDOW_MS,
  RESUBSCRIBE_MS,
  readShark,
  spansOf,
} from "./rules.ts";

const CHUNK = 500;
const HOURS = 24;

/** A subscription, as users make it. */
type Subscribe = (userId: number, body: SubscribeBody, timeMs: number) => Promise<Result<MoveAnswer, EarnRefusal>>;

export class DueService {
  readonly #parts: EarnParts;
  readonly #moves: MoveService;

  constructor(parts: EarnParts, moves: MoveService) {
    this.#parts = parts;
    this.#moves = moves;
  }

  /** A holding without pending movements and with every due credit; undefined while the ledger cannot answer. */
  async level(holdingId: string, timeMs: number): Promise<HoldingRow | undefined> {
    for (;;) {
      const row = await this.#parts.store.findHolding(holdingId);
      if (row === undefined) return undefined;
      const isDue = row.kind === "flexible" && row.state === "RUNNING" && row.credited_day < creditDay(timeMs);
      if (row.pending === null && !isDue) return row;
      if ((await this.#step([row], timeMs)) === 0) return undefined;
    }
  }

  /** Everything that is due, in chunks; throws when a payment failed, so that it is retried. */
  async run(timeMs: number): Promise<void> {
    const { store } = this.#parts;
    const day = creditDay(timeMs);
    const failures: unknown[] = [];
    const stages = [
      () => this.resume(timeMs),
      () => this.#settlePrices(timeMs),
      () =>
        this.#sweep(
          (after) => store.listMatured(timeMs, after, CHUNK),
          (rows) => this.#mature(rows),
        ),
      () =>
        this.#sweep(
          (after) => store.listUncredited(day, after, CHUNK),
          (rows) => this.#step(rows, timeMs),
        ),
      () => this.#redeemQueued(timeMs),
    ];
    for (const stage of stages) await stage().catch((error: unknown) => failures.push(error));
    if (failures.length > 0) throw failures[0];
  }

  /** Completes the intents of a stopped process. */
  async resume(timeMs: number): Promise<void> {
    await this.#sweep(
      (after) => this.#parts.store.listDue("intended", timeMs, after, CHUNK),
      async (moves) => (await this.#moves.finish(moves)).filter((end) => end !== "later").length,
    );
  }

  /** Processes everything due, a chunk at a time, until nothing is left; failing payments delay nothing else. */
  async #sweep<Row extends { readonly holding_id: string; readonly reference?: string }>(
    list: (after: string) => Promise<Row[]>,
    work: (rows: Row[]) => Promise<number>,
  ): Promise<void> {
    for (;;) {
      let after = "";
      let seen = 0;
      let went = 0;
      for (let rows = await list(after); rows.length > 0; rows = await list(after)) {
        seen += rows.length;
        went += await work(rows);
        after = rows.at(-1)?.reference ?? rows.at(-1)?.holding_id ?? "";
      }
      if (seen === 0) return;
      if (went === 0) throw new Error("earn: what is due could not be paid");
    }
  }

  /** One step of each: what is under way, else the next day's credit. Returns the number of steps made. */
  async #step(rows: readonly HoldingRow[], timeMs: number): Promise<number> {
    const { store } = this.#parts;
    const waiting = await store.listByReference(rows.flatMap(({ pending }) => pending ?? []));
    const ends = await this.#moves.finish(waiting.filter(({ state }) => state === "intended"));
    const went = ends.filter((end) => end !== "later").length;
    const free = rows.filter(({ pending, credited_day }) => pending === null && credited_day < creditDay(timeMs));
    if (free.length === 0) return went;
    const intended = await this.#intendCredits(free);
    const paid = await this.#moves.finish(intended.moves);
    return went + intended.settled + paid.filter((end) => end === "done").length;
  }

  /** Interest up to the start of the day after the last one credited, stored before it is paid. */
  async #intendCredits(rows: readonly HoldingRow[]): Promise<{ moves: MoveRow[]; settled: number }> {
    const { store } = this.#parts;
    const names = [...new Set(rows.map(({ product_id }) => product_id))];
    const spans = new Map(
      await Promise.all(names.map(async (id) => [id, spansOf(await store.listRates(id))] as const)),
    );
    const steps = rows.map((row) => creditStep(row, spans.get(row.product_id) ?? []));
    return store.together(async (inside) => {
      // A concurrent caller changed the others: the next run finds what is left.
      const changed = await inside.changeHoldings(steps);
      const own = steps.filter(({ row }) => changed.has(row.holding_id));
      const moves = own.flatMap(({ move }) => move ?? []);
      const added = await inside.addMoves(moves);
      return { moves: moves.filter(({ reference }) => added.has(reference)), settled: own.length - moves.length };
    });
  }

  async #mature(rows: readonly HoldingRow[]): Promise<number> {
    const { store } = this.#parts;
    const waiting = await store.listByReference(rows.flatMap(({ pending }) => pending ?? []));
    const ends = await this.#moves.finish(waiting.filter(({ state }) => state === "intended"));
    const names = [...new Set(rows.map(({ product_id }) => product_id))];
    const products = new Map(await Promise.all(names.map(async (id) => [id, await store.findProduct(id)] as const)));
    const intended = await Promise.all(
      rows.map((row) => {
        const product = row.pending === null ? products.get(row.product_id) : undefined;
        const interest = product === undefined ? undefined : interestOf(row, product);
        return product === undefined || interest === undefined ? undefined : this.#intendEnd(row, product, interest);
      }),
    );
    const moves = intended.filter((move) => move !== undefined);
    const paid = await this.#moves.finish(moves);
    await Promise.all(moves.map((move, index) => (paid[index] === "done" ? this.#notify(move) : undefined)));
    return [...ends, ...paid].filter((end) => end !== "later").length;
  }

  async #intendEnd(row: HoldingRow, product: ProductRow, interest: bigint): Promise<MoveRow | undefined> {
    const isOpen = product.is_open && row.ends_ms >= product.opens_ms && row.ends_ms < product.closes_ms;
    const next = { ...row, term: row.term + 1 };
    const isRenewed = row.is_renewed && row.kind === "fixed" && isOpen;
    const reserveUnits = termInterest(row.principal_units, product.rate, row.days);
    const reserved = isRenewed ? await this.#moves.reserve(next, reserveUnits) : undefined;
    // Only a treasury that is short ends the term; an unavailable ledger is retried.
    if (reserved === "later") return undefined;
    const kind = reserved === "done" ? "renew" : "mature";
    const move: MoveRow = {
      ...moveOf(row, row.ends_ms),
      reference: `earn:m:${row.holding_id}:${row.term}`,
      client_id: `earn:m:${row.holding_id}:${row.term}`,
      kind,
      units: kind === "renew" ? 0n : row.principal_units,
      interest_units: interest,
    };
    return this.#parts.store.together(async (inside) => {
      if (!(await inside.changeHolding(row, { pending: move.reference }))) return undefined;
      return (await inside.addMove(move)) ? move : undefined;
    });
  }

  /** The price of a shark fin is the average of the index's own record; set once. */
  async #settlePrices(timeMs: number): Promise<void> {
    const { store, needs } = this.#parts;
    for (const product of await store.listUnsettled(timeMs)) {
      const terms = readShark(product);
      const record = await needs.readRecord(terms.index, product.ends_ms - PRICE_WINDOW_MS, product.ends_ms);
      const price = record === undefined ? undefined : averageTicks(record.closes);
      if (price === undefined) {
        needs.report("earn.unpriced", { product: product.product_id });
        continue;
      }
      const term = terms.isTouch ? await needs.readRecord(terms.index, product.starts_ms, product.ends_ms) : undefined;
      const isKnockedOut = term !== undefined && isTouched(terms, term);
      const found = { sum: price.over, count: (record?.closes ?? []).length, isKnockedOut };
      await store.settleProduct(product.product_id, found, timeMs);
    }
  }

  /**
   * Puts the principal of ended shark fins into the next series where the owner chose so: one subscription under the
   * holding's own id, so that a repeat is the same one; a rejected one is reported and not retried.
   */
  async resubscribe(subscribe: Subscribe, timeMs: number): Promise<void> {
    const { store } = this.#parts;
    const products = await store.listProducts();
    for (let after = ""; ; ) {
      const rows = await store.listResubscribing(after, CHUNK);
      for (const row of rows) await this.#resubscribe(row, products, subscribe, timeMs);
      after = rows.at(-1)?.holding_id ?? "";
      if (rows.length < CHUNK) return;
    }
  }

  async #resubscribe(
    row: HoldingRow,
    products: readonly ProductRow[],
    subscribe: Subscribe,
    timeMs: number,
  ): Promise<void> {
    const { store, needs } = this.#parts;
    const coin = needs.findCoin(row.asset);
    const ended = await store.findProduct(row.product_id);
    if (coin === undefined || ended === undefined) return;
    const clientId = `earn:n:${row.holding_id}`;
    const started = await store.findByClient(row.user_id, clientId);
    const productId = started?.product_id ?? nextSeries(ended, products, timeMs)?.product_id;
    if (productId === undefined && timeMs < row.ends_ms + RESUBSCRIBE_MS) return;
    const amount = formatUnits(units(row.principal_units), coin.scale);
    const answer =
      productId === undefined
        ? refused("PRODUCT_CLOSED")
        : await subscribe(row.user_id, { productId, amount, clientId, autoRenew: true }, timeMs);
    if (!answer.done && answer.code === "EARN_BUSY") return;
    if (!(await store.changeHolding(row, { is_renewed: false }))) return;
    const [title, body] = answer.done
      ? ["Your shark fin goes on", "Its principal is in the next series; the interest is in your spot account."]
      : [
          "Your shark fin does not go on",
          "Its principal could not be put into a next series. It is in your spot account.",
        ];
    await needs.notify(row.user_id, { reference: clientId, title, body }, timeMs);
  }

  async #redeemQueued(timeMs: number): Promise<void> {
    const { store } = this.#parts;
    for (const move of await store.listDue("queued", timeMs, "", CHUNK)) {
      const row = await this.level(move.holding_id, timeMs);
      if (row === undefined || row.pending !== null) continue;
      const isTaken = await store.together(async (inside) => {
        if (!(await inside.changeHolding(row, { pending: move.reference }))) return false;
        return inside.stepMove(move.reference, "queued", "intended");
      });
      if (isTaken) await this.#moves.finish([{ ...move, state: "intended" }]);
    }
  }

  async #notify(move: MoveRow): Promise<void> {
    const { needs } = this.#parts;
    const [title, body] =
      move.kind === "renew"
        ? ["Your fixed term goes on", "Its interest is in your spot account and the principal has begun another term."]
        : ["Your term has ended", "Principal and interest are in your spot account."];
    await needs.notify(move.user_id, { reference: move.reference, title, body }, needs.now());
  }
}

/** The treasury's reserve for a term. */
export function reserveOf(
  holding: Pick<
    HoldingRow,
    "kind" | "principal_units" | "rate" | "days" | "boost_rate" | "boost_cap_units" | "boost_until"
  >,
  product: ProductRow,
): bigint {
  const { principal_units: principal, rate, days } = holding;
  if (holding.kind === "shark") return sharkInterestMax(principal, finOf(readShark(product)), days);
  const boost = { rate: holding.boost_rate, capUnits: holding.boost_cap_units, days: holding.boost_until };
  return termInterest(principal, rate, days, holding.boost_rate === 0 ? undefined : boost);
}

/** The next day of a holding: interest that is paid by a movement, or none yet. */
function creditStep(row: HoldingRow, spans: readonly RateSpan[]): HoldingStep & { readonly move?: MoveRow } {
  const day = row.credited_day + 1;
  const accrued = accrueTo(accrualOf(row), day * HOURS, spans, boostOf(row));
  const { units: interest, state } = takeWhole(accrued);
  if (interest === 0n) {
    const ended = row.principal_units === 0n ? ({ state: "REDEEMED" } as const) : {};
    return { row, values: { ...accrualColumns(state), credited_day: day, ...ended } };
  }
  const isPlain = row.hour === (day - 1) * HOURS && state.boostParts.toString() === row.boost_parts;
  // The first hour is paid on its own minimum.
  const base = (row.earning_units + row.principal_units * BigInt(HOURS - 1)) / BigInt(HOURS);
  const move = { ...creditOf(row, day, interest), base_units: isPlain ? base : 0n };
  return { row, values: { ...accrualColumns(state), pending: move.reference }, move };
}

function creditOf(row: HoldingRow, day: number, interest: bigint): MoveRow {
  const dueMs = day * DAY_MS + CREDIT_AFTER_MS;
  const reference = `earn:${row.holding_id}:${day}`;
  return {
    ...moveOf(row, dueMs),
    reference,
    client_id: reference,
    kind: "credit",
    units: 0n,
    interest_units: interest,
    target: row.is_compound && row.principal_units > 0n ? "earn" : "spot",
  };
}

export function moveOf(row: HoldingRow, timeMs: number): Omit<MoveRow, "reference" | "client_id" | "kind" | "units"> {
  return {
    user_id: row.user_id,
    holding_id: row.holding_id,
    product_id: row.product_id,
    asset: row.asset,
    interest_units: 0n,
    target: "spot",
    state: "intended",
    code: "",
    at_ms: timeMs,
    due_ms: timeMs,
    base_units: 0n,
  };
}
