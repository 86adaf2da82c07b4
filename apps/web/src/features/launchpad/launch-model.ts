// Amounts as launches show them: cut, with thousands apart; and shares for bars, which are drawn and never counted with.
import type { LaunchProject, LaunchRound } from "@clockwork/earning/launchpad/contract";
import { type DecimalTextOptions, formatDecimal } from "@clockwork/kit/format";

export const formatAmount = (amount: string, options: DecimalTextOptions = {}): string =>
  formatDecimal(amount, { grouped: true, ...options });

/** What is sold of all coins there are: 2.28%. */
export function supplyShare({ forSale, supply }: Pick<LaunchProject, "forSale" | "supply">): string {
  const all = Number(supply);
  return `${(all === 0 ? 0 : (Number(forSale) / all) * 100).toFixed(2)}%`;
}

/** How much of a round is paid for, committed or sold, in percent of what there is. */
export function doneShare(
  round: Pick<LaunchRound, "kind" | "paid" | "winners" | "committed" | "stock" | "left">,
  { price }: Pick<LaunchProject, "price">,
): number {
  const [part, all] =
    round.kind === "lottery"
      ? [round.paid, round.winners]
      : round.kind === "subscription"
        ? [Number(round.committed), Number(round.stock) * Number(price)]
        : [Number(round.stock) - Number(round.left ?? round.stock), Number(round.stock)];
  return all === 0 ? 0 : Math.min(100, (part / all) * 100);
}
