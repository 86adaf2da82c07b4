// Moving funds between the spot or funding account and the futures account of the contract on the screen.

import type { InputOf } from "@clockwork/kit/endpoint";
import type { ContractInfo } from "@clockwork/trading/markets/contract";
import { WALLET_CALLS } from "@clockwork/trading/wallet/contract";
import { AmountField } from "@clockwork/ui/amount-field";
import { Button } from "@clockwork/ui/button";
import { Dialog } from "@clockwork/ui/dialog";
import { Icon } from "@clockwork/ui/icon";
import { useEffect, useState } from "react";
import { sendIntent } from "#live/intent.ts";
import type { RequestClient } from "#live/request.ts";
import { useCalls } from "#session/auth-context.ts";
import { TestFunds } from "#session/test-funds.tsx";
import { VoidedGold } from "#session/voided-gold.tsx";
import { Choice } from "#trade/order/choice.tsx";
import { readServed, writeShown } from "#trade/order/exact.ts";
import { notify } from "#trade/order/notices.ts";
import { useTerminalData } from "#trade/terminal-market.ts";
import { useTradeText } from "#trade/trade-text.ts";
import { useFuturesText } from "../model/futures-text.ts";
import { useAct } from "../model/use-act.ts";
import { useAccountOf, useBiz } from "../model/use-own.ts";

const CLIENT_ID_LENGTH = 24;

type Outside = "1" | "2";
type Transfer = Omit<InputOf<typeof WALLET_CALLS.transfer>, "clientId">;

/** What the spot and funding accounts have of the coin. */
function useOutside(asset: string) {
  const calls = useCalls();
  const [held, setHeld] = useState<Readonly<Record<Outside, string>>>();
  const [round, setRound] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: requested again in every round
  useEffect(() => {
    let gone = false;
    const ask = async () => {
      const answer = await (await calls()).call(WALLET_CALLS.accounts, { walletTypeList: ["1", "2"] });
      if (!answer.ok || gone) return;
      const of = (type: Outside) =>
        answer.data.accounts.find(({ walletType }) => walletType === type)?.assets.find((one) => one.asset === asset)
          ?.available ?? "0";
      setHeld({ "1": of("1"), "2": of("2") });
    };
    void ask();
    return () => {
      gone = true;
    };
  }, [calls, asset, round]);
  const isShort = held !== undefined && readServed(held["1"]).units === 0n;
  return { held, isShort, requestAgain: () => setRound(round + 1) };
}

function sendTransfer(request: RequestClient, contents: Transfer) {
  return sendIntent(
    "futures transfer",
    contents,
    { mint: () => request.mintOrderId().slice(-CLIENT_ID_LENGTH), nowMs: Date.now() },
    (clientId) => request.call(WALLET_CALLS.transfer, { ...contents, clientId }),
  );
}

const OWN = { "3": "account.linear", "4": "account.inverse" } as const;

export function TransferDialog({ onClose }: { readonly onClose: () => void }) {
  const trade = useTradeText();
  const text = useFuturesText();
  const biz = useBiz();
  const { pair } = useTerminalData<ContractInfo>();
  const { settle } = pair;
  const account = useAccountOf(settle);
  const outside = useOutside(settle);
  const act = useAct(onClose);
  const [other, setOther] = useState<Outside>("1");
  const [isIn, setIn] = useState(true);
  const [amount, setAmount] = useState("");
  const most = isIn ? outside.held?.[other] : account?.transferable;
  const inner = biz === "delivery" ? "4" : "3";
  const contents: Transfer = {
    asset: settle,
    amount,
    from: isIn ? other : inner,
    to: isIn ? inner : other,
    // Every coin has its own inverse account.
    ...(inner === "4" ? { sub: settle } : {}),
  };
  const move = () =>
    act.run(
      (request) => sendTransfer(request, contents),
      () => notify({ title: `${writeShown(readServed(amount), 2)} ${settle}`, detail: trade("transfer") }),
    );
  const outer = (
    <Choice
      label={trade("transfer")}
      value={other}
      options={[
        { id: "1", title: trade("account.spot") },
        { id: "2", title: trade("account.funding") },
      ]}
      onChange={(id) => setOther(id === "2" ? "2" : "1")}
      className="w-[120px]"
    />
  );
  const own = <span className="font-medium">{text(OWN[inner], { settle })}</span>;
  return (
    <Dialog title={trade("transfer")} isOpen onOpenChange={(isOpen) => !isOpen && onClose()} surface="terminal">
      <div className="flex items-center justify-between gap-2 rounded-control bg-surface px-3 py-2 text-ui dark:bg-bg">
        {isIn ? outer : own}
        <Button kind="ghost" size={32} square aria-label={trade("swapWay")} onPress={() => setIn(!isIn)}>
          <Icon name="swap" />
        </Button>
        {isIn ? own : outer}
      </div>
      <AmountField
        label={trade("amount")}
        labelHidden
        value={amount}
        onChange={(next) => {
          setAmount(next);
          act.clear();
        }}
        rules={{ places: pair.settleScale }}
        unit={settle}
        maxValue={most}
        help={`${trade("available")} ${most === undefined ? "–" : writeShown(readServed(most), 2)} ${settle}`}
        error={act.problem}
        autoFocus
      />
      {isIn && outside.isShort && <TestFunds asset={settle} onFunded={outside.requestAgain} />}
      {!isIn && <VoidedGold {...contents} />}
      <Button
        kind="primary"
        size={40}
        wide
        busy={act.isBusy}
        isDisabled={readServed(amount).units === 0n}
        onPress={move}
      >
        {trade("transfer")}
      </Button>
    </Dialog>
  );
}
