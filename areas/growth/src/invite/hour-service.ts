// Computes one hour of fees and stores it as a whole. The same work here or on a thread of its own: it reads and writes
// the tables it is given, and receives who counts, what coupons return and what coins are worth.
import { type Friendship, type HourFee, netFees, planHour, type Rebate } from "./rules.ts";
import type { InviteStore, RebateRow } from "./store.ts";

/** Fees computed before yielding to others. */
const FEES_AT_ONCE = 64;
/** A coin's worth is given for this many of its units: every price has fewer decimals, so that no precision is lost. */
export const WORTH_UNITS = 10n ** 18n;

/** Invited payers, and the coins they paid in. */
export interface HourPayers {
  readonly userIds: readonly number[];
  readonly assets: readonly number[];
}

export interface HourWork {
  readonly hour: number;
  /** The payers and their inviters. */
  readonly friends: ReadonlyMap<number, Friendship>;
  /** The hour's fees returned by coupons. */
  readonly backs: readonly HourFee[];
  /** By coin, the worth of `WORTH_UNITS` of it in USDT's units; a coin without a price is missing. */
  readonly worths: ReadonlyMap<number, bigint>;
  readonly plannedMs: number;
}

export interface HourPlanner {
  /** Of an hour; their payments are cached until it is planned. */
  listPayers(hour: number): Promise<HourPayers>;
  /** The hour that was listed last. A concurrent second call writes nothing. */
  plan(work: HourWork): Promise<void>;
  close(): Promise<void>;
}

export class HourService implements HourPlanner {
  readonly #store: Pick<InviteStore, "sumFees" | "planHour">;
  readonly #giveWay: () => Promise<void>;
  #listed: { readonly hour: number; readonly fees: readonly HourFee[] } | undefined;
  #computed: { readonly work: HourWork; readonly rows: readonly RebateRow[] } | undefined;

  constructor(store: Pick<InviteStore, "sumFees" | "planHour">, giveWay: () => Promise<void>) {
    this.#store = store;
    this.#giveWay = giveWay;
  }

  async listPayers(hour: number): Promise<HourPayers> {
    const fees = await this.#store.sumFees(hour);
    this.#listed = { hour, fees };
    return {
      userIds: [...new Set(fees.map(({ userId }) => userId))],
      assets: [...new Set(fees.map(({ asset }) => asset))],
    };
  }

  async plan(work: HourWork): Promise<void> {
    await this.compute(work);
    await this.write();
  }

  /** Without a write, for callers that must wait for a slot to write. */
  async compute(work: HourWork): Promise<void> {
    const { hour, friends, backs, worths } = work;
    if (this.#listed?.hour !== hour) throw new Error(`hour ${hour} is not the one whose fees were read`);
    const fees = netFees(this.#listed.fees, backs);
    this.#listed = undefined;
    const rows: RebateRow[] = [];
    for (let at = 0; at < fees.length; at += FEES_AT_ONCE) {
      for (const rebate of planHour(fees.slice(at, at + FEES_AT_ONCE), friends)) rows.push(rowOf(hour, rebate, worths));
      await this.#giveWay();
    }
    this.#computed = { work, rows };
  }

  async write(): Promise<void> {
    if (this.#computed === undefined) throw new Error("nothing was worked out");
    const { work, rows } = this.#computed;
    this.#computed = undefined;
    await this.#store.planHour(work.hour, rows, work.plannedMs);
  }

  async close(): Promise<void> {}
}

function rowOf(hour: number, rebate: Rebate, worths: HourWork["worths"]): RebateRow {
  const worth = worths.get(rebate.asset) ?? 0n;
  return {
    hour,
    receiver_id: rebate.receiverId,
    friend_id: rebate.friendId,
    asset: rebate.asset,
    degree: rebate.degree,
    fee_units: rebate.feeUnits,
    rebate_units: rebate.rebateUnits,
    fee_usdt_units: (rebate.feeUnits * worth) / WORTH_UNITS,
    rebate_usdt_units: (rebate.rebateUnits * worth) / WORTH_UNITS,
  };
}
