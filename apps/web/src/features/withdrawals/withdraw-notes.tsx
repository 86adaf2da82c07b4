// Why withdrawals are blocked, before the form: every lock with its cause, its end and duration, and a missing signer.
import type { Limits } from "@clockwork/custody/withdrawals/contract";
import { formatMinute } from "@clockwork/kit/time";
import { useEffect, useState } from "react";
import { useZone } from "#session/zone.ts";
import { describeOr, useAccountText } from "#words/account-text.ts";
import { useWalletText } from "#words/wallet-text.ts";

const MINUTE_MS = 60_000;

/** Hours and minutes until then, rounded up; nothing before the page has woken: the server's clock is another one. */
function useLeft(endsAtMs: number): string | undefined {
  const [left, setLeft] = useState<number>();
  useEffect(() => {
    const look = () => setLeft(Math.max(0, Math.ceil((endsAtMs - Date.now()) / MINUTE_MS)));
    look();
    const timer = setInterval(look, MINUTE_MS);
    return () => clearInterval(timer);
  }, [endsAtMs]);
  return left === undefined ? undefined : `${Math.floor(left / 60)} h ${left % 60} min`;
}

export function WithdrawNotes(props: {
  readonly locks: Limits["locks"];
  readonly signer: "ready" | "away" | "refused";
}) {
  const text = useWalletText();
  const { locks, signer } = props;
  if (locks.length === 0 && signer === "ready") return null;
  return (
    <ul className="mb-4 flex flex-col gap-2">
      {locks.map((lock) => (
        <Lock key={lock.cause} lock={lock} />
      ))}
      {signer !== "ready" && (
        <li className="rounded-control bg-warn-soft p-3 text-ui text-warn">{text(`signer.${signer}`)}</li>
      )}
    </ul>
  );
}

function Lock({ lock }: { readonly lock: Limits["locks"][number] }) {
  const text = useWalletText();
  const words = useAccountText();
  const zone = useZone();
  const left = useLeft(lock.endsAtMs);
  const cause = describeOr(words, `cause.${lock.cause}`, lock.cause);
  return (
    <li className="rounded-control bg-warn-soft p-3 text-ui text-warn">
      {text("withdraw.locked", { cause, time: formatMinute(lock.endsAtMs, zone) })}
      {left !== undefined && <span className="figures"> {text("withdraw.lockedLeft", { left })}</span>}
    </li>
  );
}
