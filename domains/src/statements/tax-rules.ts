// Economic events of a user's postings and what they gained: one event each, with what was sent, received and paid as a
// fee. What coins cost is known where USDT was paid for them here; elsewhere nothing is guessed. Pure.
import type { CostBasis } from "./api.ts";
import type { Posting } from "./rules.ts";

const MONEY = "USDT";
const FEES: ReadonlySet<string> = new Set(["fee", "openFee", "closeFee", "liquidationFee", "withdrawalFee", "otcFee"]);

export interface Side {
  readonly asset: string;
  readonly scale: number;
  readonly units: bigint;
}

export interface TaxEvent {
  readonly timeMs: number;
  readonly sequence: number;
  readonly type: string;
  readonly reference: string;
  readonly sent: Side | undefined;
  readonly received: Side | undefined;
  readonly fee: Side | undefined;
}

/** What a sale brought and cost, in USDT's units; nothing where it is not known. */
export interface Gain {
  readonly costUnits: bigint | undefined;
  readonly proceedsUnits: bigint | undefined;
  readonly gainUnits: bigint | undefined;
}

interface Sum {
  readonly scale: number;
  plainUnits: bigint;
  feeUnits: bigint;
}

/** One trade is one event; of a money command everything is. */
export function eventKey({ sequence, market, reference, business }: Posting): string {
  const isTrade = business === "trade" || business === "fee";
  return isTrade ? `${sequence}:${market}:${reference}` : `${sequence}`;
}

/** Undefined for what only moved between the user's own books. */
export function readEvent(postings: readonly Posting[]): TaxEvent | undefined {
  const [first] = postings;
  if (first === undefined) return undefined;
  const sums = new Map<string, Sum>();
  for (const { asset, scale, business, deltaUnits } of postings) {
    const sum = sums.get(asset) ?? { scale, plainUnits: 0n, feeUnits: 0n };
    if (FEES.has(business)) sum.feeUnits += deltaUnits;
    else sum.plainUnits += deltaUnits;
    sums.set(asset, sum);
  }
  const find = (pick: (sum: Sum) => bigint): Side | undefined => {
    for (const [asset, sum] of sums) if (pick(sum) > 0n) return { asset, scale: sum.scale, units: pick(sum) };
    return undefined;
  };
  const sent = find(({ plainUnits }) => -plainUnits);
  const received = find(({ plainUnits }) => plainUnits);
  const fee = find(({ feeUnits }) => -feeUnits);
  if (sent === undefined && received === undefined && fee === undefined) return undefined;
  const named = postings.find(({ business }) => !FEES.has(business)) ?? first;
  const { timeMs, sequence, reference } = first;
  return { timeMs, sequence, type: named.business, reference, sent, received, fee };
}

interface Lot {
  units: bigint;
  /** Undefined for what came from elsewhere. */
  costUnits: bigint | undefined;
}

/** What was bought and is held, taken in the order the basis says. */
export class CostBook {
  readonly #basis: CostBasis;
  readonly #lots = new Map<string, Lot[]>();

  constructor(basis: CostBasis) {
    this.#basis = basis;
  }

  take({ sent, received, fee }: TaxEvent): Gain {
    const inMoney = fee?.asset === MONEY ? fee.units : 0n;
    let gain: Gain = { costUnits: undefined, proceedsUnits: undefined, gainUnits: undefined };
    if (sent !== undefined && sent.asset !== MONEY) {
      const costUnits = this.#remove(sent.asset, sent.units);
      if (received?.asset === MONEY) {
        const proceedsUnits = received.units - inMoney;
        const gainUnits = costUnits === undefined ? undefined : proceedsUnits - costUnits;
        gain = { costUnits, proceedsUnits, gainUnits };
      }
    }
    if (received !== undefined && received.asset !== MONEY) {
      const kept = received.units - (fee?.asset === received.asset ? fee.units : 0n);
      this.#add(received.asset, kept, sent?.asset === MONEY ? sent.units + inMoney : undefined);
    } else if (fee !== undefined && fee.asset !== MONEY) this.#remove(fee.asset, fee.units);
    return gain;
  }

  #add(asset: string, units: bigint, costUnits: bigint | undefined): void {
    const lots = this.#lots.get(asset) ?? [];
    this.#lots.set(asset, lots);
    const last = lots.at(-1);
    if (this.#basis !== "AVERAGE" || last === undefined) lots.push({ units, costUnits });
    else {
      last.costUnits = last.costUnits === undefined || costUnits === undefined ? undefined : last.costUnits + costUnits;
      last.units += units;
    }
  }

  /** What so much had cost; undefined when some of it has no known cost. */
  #remove(asset: string, units: bigint): bigint | undefined {
    const lots = this.#lots.get(asset) ?? [];
    let left = units;
    let cost: bigint | undefined = 0n;
    while (left > 0n) {
      const lot = this.#basis === "LIFO" ? lots.at(-1) : lots[0];
      if (lot === undefined) return undefined;
      const taken = lot.units <= left ? lot.units : left;
      const share = lot.costUnits === undefined ? undefined : (lot.costUnits * taken) / lot.units;
      cost = cost === undefined || share === undefined ? undefined : cost + share;
      lot.costUnits = lot.costUnits === undefined || share === undefined ? undefined : lot.costUnits - share;
      lot.units -= taken;
      left -= taken;
      if (lot.units > 0n) continue;
      if (this.#basis === "LIFO") lots.pop();
      else lots.shift();
    }
    return cost;
  }
}
