// Amounts as launches show them: cut, with thousands apart; and shares for bars, which are drawn and never counted with.
import type { LaunchProject, LaunchRound, LaunchState } from "@clockwork/earning/launchpad/contract";
import { type DecimalTextOptions, formatDecimal } from "@clockwork/kit/format";

export const formatAmount = (amount: string, options: DecimalTextOptions = {}): string =>
  formatDecimal(amount, { grouped: true, ...options });

const OPEN: ReadonlySet<LaunchState> = new Set(["SUBSCRIBE", "PAY"]);
const ENDED: ReadonlySet<LaunchState> = new Set(["DISTRIBUTED", "CANCELLED"]);

/** What is open comes first, by what closes next; then what opens next; what is over comes last, the newest first. */
export function orderLaunches<Launch extends Pick<LaunchProject, "state" | "listingAtMs" | "rounds">>(
  launches: readonly Launch[],
  nowMs: number,
): readonly Launch[] {
  const place = ({ state }: Launch): number => (OPEN.has(state) ? 0 : ENDED.has(state) ? 2 : 1);
  const next = (launch: Launch): number => {
    if (ENDED.has(launch.state)) return -launch.listingAtMs;
    const moments = launch.rounds.flatMap(({ opensAtMs, closesAtMs, payUntilMs }) => [
      opensAtMs,
      closesAtMs,
      payUntilMs,
    ]);
    return Math.min(...moments.filter((timeMs) => timeMs > nowMs), Number.MAX_SAFE_INTEGER);
  };
  return [...launches].sort((left, right) => place(left) - place(right) || next(left) - next(right));
}

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
