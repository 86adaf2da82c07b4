// Pure rules of the portfolio: the gain in a holding's worth, and a gain as a share.
import type { CoinCost } from "@clockwork/kit/accounting/lots";

/** Of holdings with a cost. */
export function unrealisedOf(
  { units, knownUnits, costUnits }: CoinCost,
  worthUnits: bigint,
): { readonly costUnits: bigint; readonly gainUnits: bigint } | undefined {
  if (knownUnits <= 0n || units <= 0n) return undefined;
  return { costUnits, gainUnits: (worthUnits * knownUnits) / units - costUnits };
}

/** Hundredths of a percent; null of zero. */
export function shareText(gainUnits: bigint, ofUnits: bigint): string | null {
  if (ofUnits <= 0n) return null;
  const hundredths = (gainUnits * 10_000n) / ofUnits;
  const digits = (hundredths < 0n ? -hundredths : hundredths).toString().padStart(3, "0");
  return `${hundredths < 0n ? "-" : ""}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
