// Pure rules of cost and profit: the average cost of what was bought and is held, what selling it realised, and what a
// day brought. Coins that came from elsewhere have no cost, and selling them realises nothing.

export interface CostFill {
  readonly side: "buy" | "sell";
  /** What came in or went out, fees in the coin itself included. */
  readonly baseUnits: bigint;
  /** What was paid with fees, or received without them, in USDT's units. */
  readonly moneyUnits: bigint;
}

export interface Cost {
  /** Bought here and still held. */
  readonly quantityUnits: bigint;
  readonly costUnits: bigint;
  readonly realisedUnits: bigint;
}

export const NO_COST: Cost = { quantityUnits: 0n, costUnits: 0n, realisedUnits: 0n };

export function takeFill(cost: Cost, { side, baseUnits, moneyUnits }: CostFill): Cost {
  const { quantityUnits, costUnits, realisedUnits } = cost;
  if (baseUnits <= 0n) return cost;
  if (side === "buy") {
    return { quantityUnits: quantityUnits + baseUnits, costUnits: costUnits + moneyUnits, realisedUnits };
  }
  const known = baseUnits < quantityUnits ? baseUnits : quantityUnits;
  const share = quantityUnits === 0n ? 0n : (costUnits * known) / quantityUnits;
  const received = (moneyUnits * known) / baseUnits;
  return {
    quantityUnits: quantityUnits - known,
    costUnits: costUnits - share,
    realisedUnits: realisedUnits + received - share,
  };
}

/** Of what is still held of the bought: some may have been moved elsewhere. */
export function unrealisedOf(
  cost: Cost,
  heldUnits: bigint,
  worthUnits: bigint,
): { costUnits: bigint; gainUnits: bigint } | undefined {
  const { quantityUnits, costUnits } = cost;
  const known = heldUnits < quantityUnits ? heldUnits : quantityUnits;
  if (known <= 0n || heldUnits === 0n) return undefined;
  const paid = (costUnits * known) / quantityUnits;
  return { costUnits: paid, gainUnits: (worthUnits * known) / heldUnits - paid };
}

export interface CoinDay {
  readonly heldUnits: bigint;
  readonly worthUnits: bigint;
  /** All that moved since midnight, whatever for. */
  readonly movedUnits: bigint;
  /** Bought less sold, in the coin and in money, since midnight. */
  readonly boughtUnits: bigint;
  readonly paidUnits: bigint;
  readonly price: { readonly thenTicks: bigint; readonly nowTicks: bigint } | undefined;
}

/** What was there at midnight by the move of its price, and what was traded since by its price against the present one. */
export function dayGain({ heldUnits, worthUnits, movedUnits, boughtUnits, paidUnits, price }: CoinDay): bigint {
  const worthOf = (amount: bigint) => (heldUnits === 0n ? 0n : (worthUnits * amount) / heldUnits);
  const atStart = heldUnits - movedUnits;
  const moved =
    price === undefined || price.nowTicks === 0n
      ? 0n
      : worthOf(atStart) - (worthOf(atStart) * price.thenTicks) / price.nowTicks;
  return moved + worthOf(boughtUnits) - paidUnits;
}

/** Hundredths of a percent; nothing of nothing. */
export function shareText(gainUnits: bigint, ofUnits: bigint): string | null {
  if (ofUnits <= 0n) return null;
  const hundredths = (gainUnits * 10_000n) / ofUnits;
  const digits = (hundredths < 0n ? -hundredths : hundredths).toString().padStart(3, "0");
  return `${hundredths < 0n ? "-" : ""}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
