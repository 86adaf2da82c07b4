// One press for test funds of the default run, where a form finds the balance short. Where there are none it draws nothing.

import { groupThousands } from "@clockwork/kit/decimal";
import type { Endpoint, InputOf } from "@clockwork/kit/endpoint";
import { FAUCET_CALLS } from "@clockwork/trading/spot/contract";
import { WALLET_CALLS } from "@clockwork/trading/wallet/contract";
import { Button } from "@clockwork/ui/button";
import { useState } from "react";
import { useGlobal } from "#boot/state.ts";
import { sendIntent } from "#live/intent.ts";
import type { RequestClient } from "#live/request.ts";
import { useSiteText } from "#words/site-text.ts";
import { useCalls } from "./auth-context.ts";

const CLIENT_ID_LENGTH = 24;
const SPOT_WALLET = "1";
const FUTURES_WALLETS = { futures: "3", delivery: "4" } as const;
/** Enough to try everything with, and little compared with the daily limit. */
const AMOUNTS: Readonly<Record<string, string>> = { USDT: "10000", BTC: "0.1", ETH: "2" };
const OTHER_AMOUNT = "500";

export interface TestFundsProps {
  readonly asset: string;
  /** The faucet fills the spot account; what is meant for futures is moved on at once. */
  readonly account?: "spot" | keyof typeof FUTURES_WALLETS;
  /** They have arrived. Left out where a stream reports it anyway. */
  readonly onFunded?: (amount: string) => void;
}

function sendOnce<Called extends Endpoint>(
  request: RequestClient,
  called: Called,
  contents: Omit<InputOf<Called>, "clientId">,
  api: "spot" | "root" = "spot",
) {
  const mint = () => request.mintOrderId().slice(-CLIENT_ID_LENGTH);
  return sendIntent(called.path, contents, { mint, nowMs: Date.now() }, (clientId) =>
    request.call(called, { ...contents, clientId } as InputOf<Called>, { api }),
  );
}

export function TestFunds({ asset, account = "spot", onFunded }: TestFundsProps) {
  const text = useSiteText();
  const calls = useCalls();
  const hasTestFunds = useGlobal((state) => state.hasTestFunds);
  const [state, setState] = useState<"ready" | "busy" | "spot" | "futures" | "refused">("ready");
  const amount = AMOUNTS[asset] ?? OTHER_AMOUNT;
  const shown = { amount: groupThousands(amount), asset };
  const get = async () => {
    setState("busy");
    const request = await calls();
    const given = await sendOnce(request, FAUCET_CALLS.give, { asset, amount }, "root");
    if (!given.ok) {
      setState("refused");
      return;
    }
    const to = account === "spot" ? undefined : FUTURES_WALLETS[account];
    const isMoved =
      to !== undefined && (await sendOnce(request, WALLET_CALLS.transfer, { asset, amount, from: SPOT_WALLET, to })).ok;
    setState(isMoved ? "futures" : "spot");
    onFunded?.(amount);
  };
  if (!hasTestFunds) return null;
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <Button size={32} busy={state === "busy"} onPress={() => void get()}>
        {text("testFunds.get", shown)}
      </Button>
      <span role="status" className="text-[13px] text-muted">
        {state === "spot" && text("testFunds.spot", shown)}
        {state === "futures" && text("testFunds.futures", shown)}
        {state === "refused" && text("testFunds.refused")}
      </span>
    </div>
  );
}
