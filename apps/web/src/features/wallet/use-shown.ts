// Figures as they may be shown now.
import { formatCoins, formatDecimal } from "@clockwork/kit/format";
import { HIDDEN_TEXT, useHiddenAmounts } from "#session/hidden-amounts.ts";
import { useWithheld } from "#session/worth.ts";

/** None where they say what something is worth and the exchange withholds that. */
export function useShown(isWorth = false): (amount: string | null | undefined, decimals?: number) => string {
  const { isHidden } = useHiddenAmounts();
  const isWithheld = useWithheld() && isWorth;
  return (amount, decimals) => {
    if (isHidden) return HIDDEN_TEXT;
    if (amount === null || amount === undefined || isWithheld) return "–";
    return decimals === undefined ? formatCoins(amount) : formatDecimal(amount, { grouped: true, decimals });
  };
}
