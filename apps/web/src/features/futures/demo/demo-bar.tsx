// The mark of demo trading: a bar that names it as demo money, its equity, the reset, and the link to real trading.

import { formatCountdown } from "@clockwork/kit/time";
import { type DemoStatus, FUTURES_CALLS } from "@clockwork/trading/futures/contract";
import { Button } from "@clockwork/ui/button";
import { Dialog } from "@clockwork/ui/dialog";
import { Icon } from "@clockwork/ui/icon";
import { useCallback, useEffect, useState } from "react";
import { SiteLink } from "#boot/site-link.tsx";
import { useGlobal } from "#boot/state.ts";
import { useCalls } from "#session/auth-context.ts";
import { notify } from "#trade/order/notices.ts";
import { shownCoin } from "../model/contract.ts";
import { writeCoin } from "../model/figures.ts";
import { useFuturesText } from "../model/futures-text.ts";
import { useAct } from "../model/use-act.ts";
import { useAccountOf } from "../model/use-own.ts";

interface DemoBarProps {
  readonly pairCode: string;
}

export function DemoBar({ pairCode }: DemoBarProps) {
  const text = useFuturesText();
  const isSignedIn = useGlobal((state) => state.topInfo.id !== null);
  return (
    <div className="t-demo-bar">
      <span className="flex items-center gap-2 font-semibold text-ui">
        <Icon name="layers" size={16} />
        {text("demo.title")}
      </span>
      <span className="min-w-0 flex-1 truncate text-label max-lg:hidden" title={text("demo.model")}>
        {text("demo.note")}
      </span>
      {isSignedIn && <DemoAccount />}
      <SiteLink
        to={`/futures/${pairCode}`}
        className="flex h-7 items-center gap-1.5 rounded-control bg-text px-3 font-semibold text-bg text-label max-lg:ml-auto"
      >
        {text("demo.real")} <Icon name="arrow-right" size={13} />
      </SiteLink>
    </div>
  );
}

function useStatus() {
  const calls = useCalls();
  const [status, setStatus] = useState<DemoStatus>();
  const load = useCallback(async () => {
    const answer = await (await calls()).call(FUTURES_CALLS.demoStatus, {}, { api: "futures" });
    if (answer.ok) setStatus(answer.data);
  }, [calls]);
  useEffect(() => void load(), [load]);
  return { status, load };
}

function DemoAccount() {
  const text = useFuturesText();
  const account = useAccountOf("DUSDT");
  const { status, load } = useStatus();
  const [nowMs, setNow] = useState(0);
  const [isAsking, setAsking] = useState(false);
  const act = useAct(() => setAsking(false));
  useEffect(() => {
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  // A user without demo money starts here, on any screen.
  const hasStarted = account !== undefined && Number(account.equity) > 0;
  const waitMs = (status?.nextResetMs ?? 0) - nowMs;
  const reset = () =>
    act.run(
      (request) => request.call(FUTURES_CALLS.demoReset, {}, { api: "futures" }),
      (done) => {
        notify({
          title: text("demo.resetDone", { amount: `${writeCoin(done.balance, done.asset)} ${shownCoin(done.asset)}` }),
        });
        void load();
      },
    );
  return (
    <>
      <span className="figures text-label max-lg:hidden">
        {text("demo.equity")}{" "}
        <span className="font-semibold">{account === undefined ? "–" : writeCoin(account.equity, "USDT")}</span>{" "}
        {text("demo.unit", { asset: "USDT" })}
      </span>
      <button
        type="button"
        className={`t-button ${hasStarted ? "max-lg:hidden" : ""}`}
        disabled={status === undefined || nowMs === 0 || waitMs > 0}
        onClick={() => setAsking(true)}
      >
        <Icon name="refresh" size={13} />
        {nowMs > 0 && waitMs > 0 ? text("demo.resetIn", { time: formatCountdown(waitMs) }) : text("demo.reset")}
      </button>
      {isAsking && (
        <Dialog
          title={text("demo.resetTitle")}
          isOpen
          onOpenChange={(isOpen) => !isOpen && setAsking(false)}
          surface="terminal"
          actions={
            <>
              <Button size={36} autoFocus onPress={() => setAsking(false)}>
                {text("back")}
              </Button>
              <Button kind="primary" size={36} busy={act.isBusy} onPress={reset}>
                {text("demo.reset")}
              </Button>
            </>
          }
        >
          <p className="text-ui">{text("demo.resetNote")}</p>
          {act.problem !== undefined && <p className="text-danger">{act.problem}</p>}
        </Dialog>
      )}
    </>
  );
}
