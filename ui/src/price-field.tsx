// An amount on a grid of steps: two arrows, arrow keys (Shift for ten), label inside as order forms have it.

import { AmountField, type AmountFieldProps } from "./amount-field.tsx";

export interface PriceFieldProps extends Omit<AmountFieldProps, "steppers" | "rules"> {
  /** The smallest move, such as "0.1"; its places are the places accepted. */
  readonly step: string;
  readonly min?: string | undefined;
  readonly max?: string | undefined;
}

export function countPlaces(step: string): number {
  const point = step.indexOf(".");
  return point < 0 ? 0 : step.length - point - 1;
}

export function PriceField({ step, min, max, labelInside = true, ...rest }: PriceFieldProps) {
  return (
    <AmountField {...rest} labelInside={labelInside} steppers rules={{ places: countPlaces(step), step, min, max }} />
  );
}
