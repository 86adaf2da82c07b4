// Owns the meaning of a movement in accounting: the postings of one command over all books of a user as events, each
// with amounts in, out and fees, and the treatment of its business. Pure.

/** One posting in one of the user's own books. */
export interface Movement {
  readonly sequence: number;
  readonly timeMs: number;
  readonly asset: number;
  readonly business: string;
  /** Positive in, negative out. */
  readonly units: bigint;
  readonly market: number;
  readonly reference: string;
  /** In a book of a bot or of a copy. */
  readonly isBot: boolean;
}

/** The movement of one asset, over all books together. */
export interface EventSide {
  readonly asset: number;
  readonly plainUnits: bigint;
  readonly feeUnits: bigint;
}

export interface AccountEvent {
  readonly sequence: number;
  readonly timeMs: number;
  /** The name of the event: the first business that is no fee. */
  readonly business: string;
  readonly reference: string;
  /** By asset; none of them is zero in both. */
  readonly sides: readonly EventSide[];
}

/** Paid for a service: it adds to the cost or reduces the proceeds of its event. */
export const FEE_BUSINESSES: ReadonlySet<string> = new Set([
  "fee",
  "openFee",
  "closeFee",
  "liquidationFee",
  "withdrawalFee",
  "otcFee",
]);

/**
 * What a business is when nothing comes back for it in the same event. `flow`: the user's own money from or to outside, in
 * at its value and out at its cost; `sale`: bought or sold for money outside; `launch` and `bond`: committed and still the
 * user's; everything else is a result, earned or lost.
 */
type BusinessClass = "flow" | "sale" | "launch" | "bond" | "result";
const CLASSES: Readonly<Record<string, BusinessClass>> = {
  deposit: "flow",
  faucet: "flow",
  reorg: "flow",
  withdrawal: "flow",
  internalTransfer: "flow",
  transfer: "flow",
  adjustment: "flow",
  convert: "sale",
  trade: "sale",
  otcRelease: "sale",
  otcEscrow: "sale",
  launchCommit: "launch",
  launchAllocate: "launch",
  launchRefund: "launch",
  merchantBond: "bond",
};

export function classOf(business: string): BusinessClass {
  return CLASSES[business] ?? "result";
}

/** One trade is one event; of a money command everything is. */
function eventKey({
  sequence,
  market,
  reference,
  business,
}: Omit<Movement, "units" | "asset" | "timeMs" | "isBot">): string {
  const isTrade = business === "trade" || business === "fee";
  return isTrade ? `${sequence}:${market}:${reference}` : `${sequence}`;
}

/** Undefined for movements only between the user's own books. */
export function eventOf(movements: readonly Movement[]): AccountEvent | undefined {
  const [first] = movements;
  if (first === undefined) return undefined;
  const sums = new Map<number, { plainUnits: bigint; feeUnits: bigint }>();
  for (const { asset, business, units } of movements) {
    let sum = sums.get(asset);
    if (sum === undefined) {
      sum = { plainUnits: 0n, feeUnits: 0n };
      sums.set(asset, sum);
    }
    if (FEE_BUSINESSES.has(business)) sum.feeUnits += units;
    else sum.plainUnits += units;
  }
  const sides = [...sums].flatMap(([asset, sum]) =>
    sum.plainUnits === 0n && sum.feeUnits === 0n ? [] : [{ asset, ...sum }],
  );
  if (sides.length === 0) return undefined;
  const named = movements.find(({ business }) => !FEE_BUSINESSES.has(business)) ?? first;
  const { sequence, timeMs } = first;
  return { sequence, timeMs, business: named.business, reference: named.reference, sides };
}

/** Collects postings in the journal's order; the events of a command are complete when the next command starts. */
export class EventReader {
  #sequence = 0;
  #open = new Map<string, Movement[]>();

  /** The events of the command before, once another starts. */
  add(movement: Movement): readonly (readonly Movement[])[] {
    const done = movement.sequence === this.#sequence ? [] : this.end();
    this.#sequence = movement.sequence;
    const key = eventKey(movement);
    const known = this.#open.get(key);
    if (known === undefined) this.#open.set(key, [movement]);
    else known.push(movement);
    return done;
  }

  end(): readonly (readonly Movement[])[] {
    const groups = [...this.#open.values()];
    this.#open = new Map();
    return groups;
  }
}
