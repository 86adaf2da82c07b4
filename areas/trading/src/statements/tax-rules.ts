// The tax export of an event: what was sent, received and paid as a fee, and its cost, proceeds and gain. Pure.
import type { AccountEvent, EventSide } from "@clockwork/kit/accounting/events";
import type { EventResult } from "@clockwork/kit/accounting/lots";

export interface TaxSide {
  readonly asset: number;
  readonly units: bigint;
}

export interface TaxSides {
  readonly sent: TaxSide | undefined;
  readonly received: TaxSide | undefined;
  readonly fee: TaxSide | undefined;
}

export function sidesOf({ sides }: AccountEvent): TaxSides {
  const find = (pick: (side: EventSide) => bigint): TaxSide | undefined => {
    const side = sides.find((one) => pick(one) > 0n);
    return side === undefined ? undefined : { asset: side.asset, units: pick(side) };
  };
  return {
    sent: find(({ plainUnits }) => -plainUnits),
    received: find(({ plainUnits }) => plainUnits),
    fee: find(({ feeUnits }) => -feeUnits),
  };
}

/** In money's units; null without a value, or where nothing was sold, earned or lost. */
export interface Gain {
  readonly costUnits: bigint | undefined;
  readonly proceedsUnits: bigint | undefined;
  readonly gainUnits: bigint | undefined;
}

export function gainOf({ disposals, incomeUnits }: EventResult): Gain {
  if (disposals.length === 0 && incomeUnits === 0n) {
    return { costUnits: undefined, proceedsUnits: undefined, gainUnits: undefined };
  }
  const sum = (start: bigint, values: readonly (bigint | undefined)[]): bigint | undefined =>
    values.reduce<bigint | undefined>(
      (total, value) => (total === undefined || value === undefined ? undefined : total + value),
      start,
    );
  const costUnits = sum(
    0n,
    disposals.map((one) => one.costUnits),
  );
  const proceedsUnits = sum(
    incomeUnits,
    disposals.map((one) => one.proceedsUnits),
  );
  const isKnown = costUnits !== undefined && proceedsUnits !== undefined;
  return { costUnits, proceedsUnits, gainUnits: isKnown ? proceedsUnits - costUnits : undefined };
}
