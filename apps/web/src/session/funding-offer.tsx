// Next to a form that lacks funds in spot while there is enough in funding: one click transfers what is missing, and
// the form continues. Draws nothing where funding has too little.

import { compareDecimals, groupThousands, parseDecimal } from "@clockwork/kit/decimal";
import { WALLET_CALLS } from "@clockwork/trading/wallet/contract";
import { Button } from "@clockwork/ui/button";
import { useEffect, useState } from "react";
import { sendIntent } from "#live/intent.ts";
import { useEarnText } from "#words/earn-text.ts";
import { useCalls } from "./auth-context.ts";

const CLIENT_ID_LENGTH = 24;
const WALLETS = { spot: "1", funding: "2" } as const;

/** The free balance of a coin in funding; undefined until it is loaded. */
function useFunding(asset: string): string | undefined {
  const calls = useCalls();
  const [free, setFree] = useState<string>();
  useEffect(() => {
    const ask = async () => {
      const answer = await (await calls()).call(WALLET_CALLS.accounts, { walletTypeList: [WALLETS.funding] });
      if (!answer.ok) return;
      const own = answer.data.accounts.find(({ walletType }) => walletType === WALLETS.funding)?.assets ?? [];
      setFree(own.find((one) => one.asset === asset)?.available ?? "0");
    };
    void ask();
  }, [calls, asset]);
  return free;
}

const covers = (free: string | undefined, missing: string): boolean => {
  const [has, lacks] = [parseDecimal(free ?? ""), parseDecimal(missing)];
  return has.ok && lacks.ok && compareDecimals(has.value, lacks.value) >= 0;
};

export interface FundingOfferProps {
  readonly asset: string;
  readonly missing: string;
  /** It is in spot now. */
  readonly onMoved: () => void;
}

export function FundingOffer({ asset, missing, onMoved }: FundingOfferProps) {
  const text = useEarnText();
  const calls = useCalls();
  const free = useFunding(asset);
  const [state, setState] = useState<"ready" | "busy" | "refused">("ready");
  const move = async () => {
    setState("busy");
    const request = await calls();
    const contents = { asset, amount: missing, from: WALLETS.funding, to: WALLETS.spot };
    const mint = () => request.mintOrderId().slice(-CLIENT_ID_LENGTH);
    const answer = await sendIntent("funding", contents, { mint, nowMs: Date.now() }, (clientId) =>
      request.call(WALLET_CALLS.transfer, { ...contents, clientId }),
    );
    setState(answer.ok ? "ready" : "refused");
    if (answer.ok) onMoved();
  };
  if (!covers(free, missing)) return null;
  return (
    <div>
      <Button size={32} icon="swap" busy={state === "busy"} onPress={() => void move()}>
        {text("funding.move", { amount: groupThousands(missing), coin: asset })}
      </Button>
      <span role="status" className="ml-3 text-danger text-label">
        {state === "refused" && text("funding.refused")}
      </span>
    </div>
  );
}
