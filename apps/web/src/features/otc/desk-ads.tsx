// The ads of one merchant in the operators' console: banned with the reason written above, or permitted again.
import { OTC_AD_CALLS, type OwnAds } from "@clockwork/fiat/otcads/contract";
import { formatCoins } from "@clockwork/kit/format";
import { Button } from "@clockwork/ui/button";
import { Badge } from "@clockwork/ui/pill";
import { useCallback, useEffect, useState } from "react";
import type { OperatorAction } from "#console/operator-action.tsx";
import { useCalls } from "#session/auth-context.ts";
import { FailedLine } from "#session/failed-line.tsx";
import { useOtcText } from "./otc-text.ts";

interface DeskAdsProps {
  readonly user: string;
  readonly reason: string;
  readonly action: OperatorAction;
}

export function DeskAds({ user, reason, action }: DeskAdsProps) {
  const text = useOtcText();
  const calls = useCalls();
  const [list, setList] = useState<OwnAds>();
  const [isFailed, setFailed] = useState(false);
  const load = useCallback(async () => {
    const answer = await (await calls()).call(OTC_AD_CALLS.desk, { user });
    if (answer.ok) setList(answer.data);
    setFailed(!answer.ok);
  }, [calls, user]);
  useEffect(() => {
    void load();
  }, [load]);
  const ban = async (adId: string, isBanned: boolean) => {
    const done = await action.run(OTC_AD_CALLS.ban, { adId, isBanned, reason });
    if (done !== undefined) setList(done.data);
  };
  if (list === undefined) return isFailed ? <FailedLine onAgain={load} /> : null;
  return (
    <ul className="w-full rounded-control border border-line" aria-label={text("desk.ads")}>
      {list.ads.length === 0 && <li className="p-3 text-muted">{text("ads.none")}</li>}
      {list.ads.map(({ adId, side, asset, fiat, price, stock, state, reason: why }) => (
        <li key={adId} className="flex flex-wrap items-center gap-3 border-line border-b p-3 last:border-0">
          <span className="figures min-w-40 flex-1">
            {text(side)} {asset} · {price ?? "–"} {fiat}
            <span className="block text-label text-muted">
              {formatCoins(stock)} {asset}
              {why !== "" && ` · ${why}`}
            </span>
          </span>
          <Badge tone={state === "BANNED" ? "warn" : "neutral"}>{text(`ads.state.${state}`)}</Badge>
          <Button
            size={32}
            busy={action.isBusy}
            isDisabled={reason.trim().length < 3}
            onPress={() => void ban(adId, state !== "BANNED")}
          >
            {text(state === "BANNED" ? "desk.free" : "desk.ban")}
          </Button>
        </li>
      ))}
    </ul>
  );
}
