// Carries out movements of earn: each is stored with its reference first, is one settlement of the ledger, and is
// completed or reverted in one transaction. An unfinished one is resumed by its finder; nothing is done twice. Also
// decides whether the treasury can promise one more.

import { changePrincipal } from "@clockwork/kit/earn/accrual";
import { toCoreUnits, units } from "@clockwork/kit/money";
import { DAY_MS } from "@clockwork/kit/time";
import type { MarketAsset } from "@clockwork/trading/markets/pair";
import type { EarnNeeds } from "./needs.ts";
import type { EarnRefusal } from "./refusals.ts";
import type { CouponRow, HoldingRow, MoveRow, ProductRow } from "./row-store.ts";
import { accrualColumns, accrualOf, dayOf, hourOf, promisedUnits, spansOf } from "./rules.ts";
import type { EarnInside, EarnStore } from "./store.ts";

export interface EarnParts {
  readonly store: EarnStore;
  readonly needs: EarnNeeds;
}

/** How a movement ended; `later` is resumed by its finder. */
export type MoveEnd = "done" | "later" | EarnRefusal;

/** Thrown inside a transaction: all of it is rolled back and the code is the answer. */
export class Stop extends Error {
  readonly code: EarnRefusal;
  constructor(code: EarnRefusal) {
    super(code);
    this.code = code;
  }
}

const TRIES = 4;
type Leg = { from: number; to: number; asset: number; units: number; business: string; hold?: string };

export const reserveName = ({ holding_id, term }: Pick<HoldingRow, "holding_id" | "term">): string =>
  `earn:h:${holding_id}:${term}`;

export class MoveService {
  readonly #parts: EarnParts;
  readonly #flights = new Map<string, Promise<MoveEnd>>();

  constructor(parts: EarnParts) {
    this.#parts = parts;
  }

  /**
   * Each separately; completed ones are stored together. A caller of one under way waits for its end: a movement that
   * was rejected and reverted is never retried by a caller with an older read.
   */
  async finish(moves: readonly MoveRow[]): Promise<MoveEnd[]> {
    const own = moves.filter(({ reference }) => !this.#flights.has(reference));
    const running = own.length === 0 ? undefined : this.#finish(own);
    for (const { reference } of own) {
      this.#flights.set(
        reference,
        (running as Promise<Map<string, MoveEnd>>)
          .then((ends) => ends.get(reference) ?? "later")
          .finally(() => this.#flights.delete(reference)),
      );
    }
    return Promise.all(moves.map(({ reference }) => this.#flights.get(reference) ?? "later"));
  }

  async #finish(moves: readonly MoveRow[]): Promise<Map<string, MoveEnd>> {
    const { store } = this.#parts;
    const rows = new Map(
      (await store.listByReference(moves.map(({ reference }) => reference))).map((row) => [row.reference, row]),
    );
    const holdings = byHolding(await store.listHoldings([...rows.values()].map(({ holding_id }) => holding_id)));
    const found = await Promise.all(
      moves.map(async ({ reference }) => {
        const move = rows.get(reference);
        if (move === undefined || move.state === "queued") return [reference, "later"] as const;
        if (move.state !== "intended")
          return [reference, move.state === "done" ? "done" : (move.code as EarnRefusal)] as const;
        return [reference, await this.#settle(move, holdings.get(move.holding_id))] as const;
      }),
    );
    const ends = new Map<string, MoveEnd>(found);
    const intended = [...rows.values()].filter(({ state }) => state === "intended");
    const done = intended.filter(({ reference }) => ends.get(reference) === "done");
    if (done.length > 0) await this.#complete(done);
    await Promise.all(done.map((move) => this.#after(move)));
    for (const move of intended) {
      const end = ends.get(move.reference) ?? "later";
      if (end !== "done" && end !== "later") await this.#undo(move, end);
    }
    return ends;
  }

  /** The treasury reserves interest before money is taken; refused while it is short. */
  async reserve(holding: Pick<HoldingRow, "holding_id" | "term" | "asset">, reserveUnits: bigint): Promise<MoveEnd> {
    const { needs } = this.#parts;
    const coin = needs.findCoin(holding.asset);
    const account = await needs.accountOf(0, "treasury");
    if (coin === undefined || account === undefined) return "later";
    if (reserveUnits === 0n) return "done";
    const name = reserveName(holding);
    const money = { asset: coin.asset, units: toCoreUnits(units(reserveUnits)), reference: name };
    const ack = await needs.submit({ kind: "hold", account, business: "earnInterest", ...money });
    if (ack.done) return "done";
    return ack.code.startsWith("ENGINE_") ? "later" : "TREASURY_SHORT";
  }

  async release(holding: Pick<HoldingRow, "holding_id" | "term">): Promise<void> {
    const account = await this.#parts.needs.accountOf(0, "treasury");
    if (account === undefined) return;
    const name = reserveName(holding);
    // An empty remainder counts as an answer.
    await this.#parts.needs.submit({ kind: "release", account, hold: name, reference: `${name}:x` });
  }

  async #settle(move: MoveRow, holding: HoldingRow | undefined): Promise<MoveEnd> {
    const { needs } = this.#parts;
    const coin = needs.findCoin(move.asset);
    const [spot, earn, treasury] = await Promise.all([
      needs.accountOf(move.user_id, "spot"),
      needs.accountOf(move.user_id, "earn"),
      needs.accountOf(0, "treasury"),
    ]);
    if (coin === undefined || spot === undefined || earn === undefined || treasury === undefined) return "later";
    if (holding === undefined) return "later";
    if (move.kind === "subscribe" && holding.kind !== "flexible") {
      const reserved = await this.reserve(holding, move.interest_units);
      if (reserved !== "done") return reserved;
    }
    const leg = (from: number, to: number, amount: bigint, business: string, hold?: string): Leg[] =>
      amount === 0n
        ? []
        : [
            {
              from,
              to,
              asset: coin.asset,
              units: toCoreUnits(units(amount)),
              business,
              ...(hold === undefined ? {} : { hold }),
            },
          ];
    const held = reserveName(holding);
    const target = move.target === "earn" ? earn : spot;
    const legs = {
      subscribe: () => leg(spot, earn, move.units, "earnSubscribe"),
      redeem: () => leg(earn, spot, move.units, "earnRedeem"),
      credit: () => leg(treasury, target, move.interest_units, "earnInterest"),
      mature: () => [
        ...leg(earn, spot, move.units, "earnRedeem"),
        ...leg(treasury, spot, move.interest_units, "earnInterest", held),
      ],
      renew: () => leg(treasury, spot, move.interest_units, "earnInterest", held),
    }[move.kind]();
    if (legs.length === 0) return "done";
    const ack = await needs.submit({ kind: "settle", reference: move.reference, legs } as Parameters<
      EarnNeeds["submit"]
    >[0]);
    return ack.done ? "done" : this.#read(move, ack.code);
  }

  /** Debts remain due; requests are rejected. */
  #read(move: MoveRow, code: string): MoveEnd {
    if (code.startsWith("ENGINE_")) return "later";
    if (move.kind === "subscribe" || move.kind === "redeem") {
      if (code === "INSUFFICIENT_BALANCE" || code === "ACCOUNT_BLOCKED") return code;
      return "LEDGER_REFUSED";
    }
    this.#parts.needs.report("earn.unpaid", { reference: move.reference, code });
    return "later";
  }

  #complete(moves: readonly MoveRow[]): Promise<void> {
    return this.#again(async (inside) => {
      const rows = byHolding(await inside.listHoldings(moves.map(({ holding_id }) => holding_id)));
      await completeCredits(
        inside,
        moves.filter(({ kind }) => kind === "credit"),
        rows,
      );
      for (const move of moves) {
        if (move.kind === "credit") continue;
        const holding = rows.get(move.holding_id);
        if (holding === undefined || !(await inside.stepMove(move.reference, "intended", "done"))) continue;
        const product = await inside.findProduct(move.product_id);
        const values = completed(move, holding, product?.rate ?? holding.rate);
        if (!(await inside.changeHolding(holding, { ...values, pending: null }))) throw new Stop("EARN_BUSY");
        if (move.kind === "redeem" || move.kind === "mature") await giveBack(inside, move);
      }
    });
  }

  #undo(move: MoveRow, code: EarnRefusal): Promise<void> {
    return this.#again(async (inside) => {
      const holding = await inside.findHolding(move.holding_id);
      if (holding === undefined || !(await inside.stepMove(move.reference, "intended", "refused", code))) return;
      const isFlexible = holding.kind === "flexible";
      const day = dayOf(move.at_ms);
      if (move.kind === "subscribe") {
        await giveBack(inside, move);
        const hadCoupon = await inside.freeCoupon(move.reference);
        if (isFlexible) await inside.takePool(move.product_id, day, "in_units", -move.units, move.units);
        const boost = hadCoupon ? { coupon_id: null, boost_rate: 0 } : {};
        if (!(await inside.changeHolding(holding, { pending: null, ...boost }))) throw new Stop("EARN_BUSY");
        return;
      }
      if (isFlexible) await inside.takePool(move.product_id, day, "out_units", -move.units, move.units);
      const values = isFlexible ? accrualColumns(changePrincipal(accrualOf(holding), move.units)) : {};
      if (!(await inside.changeHolding(holding, { ...values, pending: null }))) throw new Stop("EARN_BUSY");
    });
  }

  /** Reserved funds that are no longer needed go back to the treasury. */
  async #after(move: MoveRow): Promise<void> {
    if (move.kind !== "mature" && move.kind !== "redeem") return;
    const holding = await this.#parts.store.findHolding(move.holding_id);
    if (holding !== undefined && holding.kind !== "flexible") await this.release(holding);
  }

  async #again(work: (inside: EarnInside) => Promise<void>): Promise<void> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.#parts.store.together(work);
      } catch (error) {
        if (!(error instanceof Stop) || tries >= TRIES) throw error;
      }
    }
  }
}

const byHolding = (rows: readonly HoldingRow[]): ReadonlyMap<string, HoldingRow> =>
  new Map(rows.map((row) => [row.holding_id, row]));

/** All users' at once: they are due in the same minute. */
async function completeCredits(
  inside: EarnInside,
  moves: readonly MoveRow[],
  rows: ReadonlyMap<string, HoldingRow>,
): Promise<void> {
  const references = moves.filter(({ holding_id }) => rows.has(holding_id)).map(({ reference }) => reference);
  const stepped = await inside.stepMoves(references, "intended", "done");
  const own = moves.filter(({ reference }) => stepped.has(reference));
  const steps = own.flatMap((move) => {
    const row = rows.get(move.holding_id);
    return row === undefined ? [] : [{ row, values: { ...credited(move, row), pending: null } }];
  });
  if ((await inside.changeHoldings(steps)).size !== steps.length) throw new Stop("EARN_BUSY");
  await inside.growShares(own.filter(({ target }) => target === "earn"));
}

async function giveBack(inside: EarnInside, move: MoveRow): Promise<void> {
  await inside.giveQuota(move.product_id, move.units);
  await inside.giveShare(move.user_id, move.product_id, move.units);
}

function credited(move: MoveRow, holding: HoldingRow) {
  const before = accrualOf(holding);
  const grown = move.target === "earn" ? changePrincipal(before, move.interest_units) : before;
  return {
    ...accrualColumns(grown),
    credited_day: dayOf(move.due_ms),
    paid_units: holding.paid_units + move.interest_units,
    state: grown.principalUnits === 0n ? ("REDEEMED" as const) : ("RUNNING" as const),
  };
}

function completed(move: MoveRow, holding: HoldingRow, rate: number): Partial<HoldingRow> {
  const paid_units = holding.paid_units + move.interest_units;
  switch (move.kind) {
    case "subscribe":
      if (holding.kind !== "flexible") return { state: "OPEN" };
      return { state: "RUNNING", ...accrualColumns(changePrincipal(accrualOf(holding), move.units)) };
    case "redeem":
      return holding.kind === "flexible" ? {} : { state: "REDEEMED" };
    case "credit":
      return credited(move, holding);
    case "mature":
      return { state: "MATURED", paid_units };
    case "renew":
      return {
        term: holding.term + 1,
        starts_ms: holding.ends_ms,
        ends_ms: holding.ends_ms + holding.days * DAY_MS,
        rate,
        coupon_id: null,
        boost_rate: 0,
        paid_units,
      };
  }
}

/** The requested subscription. */
export interface Wanted {
  readonly product: ProductRow;
  readonly coin: MarketAsset;
  readonly amountUnits: bigint;
  readonly coupon: CouponRow | undefined;
}

/** With the free balance of the treasury. */
export type Intent = Wanted & { readonly freeUnits: bigint };

/** Undefined while the ledger cannot answer. */
export async function treasuryFree(needs: EarnNeeds, coin: MarketAsset): Promise<bigint | undefined> {
  const treasury = await needs.accountOf(0, "treasury");
  return treasury === undefined ? undefined : needs.freeUnits(treasury, coin.asset);
}

/**
 * Flexible interest has no end: the treasury must hold a month of all that was promised in this coin before it promises
 * more, be it a flexible subscription, a coupon or a term, whose interest is reserved. Checked where the quota is
 * taken.
 */
export async function canPromise(
  inside: EarnInside,
  wanted: Intent,
  move: Pick<MoveRow, "interest_units">,
  timeMs: number,
): Promise<boolean> {
  const { product, coin, coupon } = wanted;
  const hour = hourOf(timeMs);
  const flexible = await Promise.all(
    (await inside.listFlexible(coin.symbol)).map(async ({ product_id, taken_units }) => {
      const spans = spansOf(await inside.listRates(product_id));
      const tiers = spans.findLast(({ fromHour }) => fromHour <= hour)?.tiers ?? [];
      return { takenUnits: taken_units, tiers };
    }),
  );
  const boosts = await inside.sumBoosts(coin.symbol, hour);
  const isBoosted = coupon !== undefined && product.kind === "flexible";
  const own = isBoosted ? [{ rate: coupon.rate, capUnits: coupon.cap_units }] : [];
  return promisedUnits(flexible, [...boosts, ...own]) + move.interest_units <= wanted.freeUnits;
}
