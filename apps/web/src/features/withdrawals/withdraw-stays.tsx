// The withdrawable and the locked part of a coin, as one bar with its reasons: bought from others within a day, or
// deposits that wait for blocks. The exchange locks a sum of USDT over all coins; the bar shows what that leaves of
// this one.
import type { Limits } from "@clockwork/custody/withdrawals/contract";
import { formatCoins, formatDecimal } from "@clockwork/kit/format";
import { formatUnits, parseUnits, units } from "@clockwork/kit/money";
import { formatMinute } from "@clockwork/kit/time";
import { useZone } from "#session/zone.ts";
import { useWalletText } from "#words/wallet-text.ts";

/** What may leave of a coin in spot; nothing where the exchange names none. */
export function leavesOf(limits: Limits | null, asset: string, held: string): string {
  if (limits === null || limits.mayLeaveUsdt === null) return held;
  return limits.withdrawable.find((one) => one.asset === asset && one.from === "1")?.amount ?? "0";
}

const USDT_SCALE = 6;

function sumUsdt(amounts: readonly string[]): string {
  const read = amounts.map((amount) => parseUnits(amount, USDT_SCALE));
  return formatUnits(units(read.reduce((sum, one) => (one.done ? sum + one.value : sum), 0n)), USDT_SCALE);
}

export function Stays(props: {
  readonly limits: Limits;
  readonly asset: string;
  readonly held: string;
  readonly leaves: string;
}) {
  const text = useWalletText();
  const zone = useZone();
  const { limits, asset, held, leaves } = props;
  if (limits.stays.length === 0 || asset === "") return null;
  const share = Number(held) === 0 ? 100 : Math.min(100, (Number(leaves) / Number(held)) * 100);
  const sumOf = (cause: "otc" | "deposit"): string =>
    sumUsdt(limits.stays.flatMap((one) => (one.cause === cause ? [one.usdt] : [])));
  const usdt = (amount: string): string => formatDecimal(amount, { grouped: true, decimals: 2 });
  const [otc, deposit] = [sumOf("otc"), sumOf("deposit")];
  const lastMs = Math.max(0, ...limits.stays.map(({ untilMs }) => untilMs ?? 0));
  return (
    <div className="mt-2">
      <span className="flex h-1.5 gap-px overflow-hidden rounded" aria-hidden="true">
        <span className="bg-text" style={{ width: `${share}%` }} />
        <span className="flex-1 bg-warn" />
      </span>
      <ul className="figures mt-2 flex flex-wrap gap-x-5 gap-y-1 text-label text-muted">
        <li>{text("withdraw.free", { amount: formatCoins(leaves), asset })}</li>
        {deposit !== "0" && <li>{text("withdraw.staysDeposit", { amount: usdt(deposit) })}</li>}
        {otc !== "0" && <li>{text("withdraw.staysOtc", { amount: usdt(otc), time: formatMinute(lastMs, zone) })}</li>}
      </ul>
    </div>
  );
}
