// The first five minutes as one card: test funds, a first trade with everything filled in, protecting the account. Each
// is one click; closed it remains closed in this browser.

import { PRODUCT_SHORT_NAME } from "@clockwork/kit/constants";
import { SPOT_CALLS } from "@clockwork/trading/spot/contract";
import { Button } from "@clockwork/ui/button";
import { Icon } from "@clockwork/ui/icon";
import { buttonClass } from "@clockwork/ui/logic/button-style";
import { type ReactNode, useState } from "react";
import { SiteLink } from "#boot/site-link.tsx";
import { useGlobal } from "#boot/state.ts";
import type { Answer } from "#live/answer.ts";
import { sendIntent } from "#live/intent.ts";
import type { RequestClient } from "#live/request.ts";
import { useCalls } from "#session/auth-context.ts";
import type { KeptSetting } from "#session/kept-setting.ts";
import { describeFailure, useAuthText } from "#words/auth-text.ts";
import { usePortfolioText } from "#words/portfolio-text.ts";
import { type Steps, showAmount, showCost } from "./portfolio-model.ts";

/** The user who closed it: one browser may serve several users. */
export const welcomeSetting = (userId: string): KeptSetting<boolean> => ({
  key: `${PRODUCT_SHORT_NAME}_welcome_closed_${userId}`,
  steps: [(value) => value],
  check: (value) => (typeof value === "boolean" ? value : undefined),
});

/** The faucet is at the root of the site, one step above the API's base. */
const FAUCET_PATH = "/../dev/faucet";
const FUNDS = { asset: "USDT", amount: "10000" };
const EXAMPLE = { pairCode: "BTC_USDT", coin: "BTC", amount: "50" };
const CLIENT_ID_LENGTH = 24;

export interface WelcomeCardProps {
  readonly steps: Steps;
  readonly hasTestFunds: boolean;
  /** Something changed: balances are requested again. */
  readonly onChanged: () => void;
  readonly onTraded: () => void;
  readonly onClose: () => void;
}

/** One click: busy while it runs, its result as text. */
function usePress() {
  const words = useAuthText();
  const calls = useCalls();
  const [isBusy, setBusy] = useState(false);
  const [reply, setReply] = useState("");
  const press = async <Data,>(
    form: string,
    contents: object,
    send: (request: RequestClient, id: string) => Promise<Answer<Data>>,
    say: (data: Data) => string,
  ): Promise<boolean> => {
    if (isBusy) return false;
    setBusy(true);
    const request = await calls();
    const mint = () => request.mintOrderId().slice(-CLIENT_ID_LENGTH);
    const answer = await sendIntent(form, contents, { mint, nowMs: Date.now() }, (id) => send(request, id));
    setBusy(false);
    setReply(answer.ok ? say(answer.data) : describeFailure(words, answer));
    return answer.ok;
  };
  return { isBusy, reply, press };
}

export function WelcomeCard({ steps, hasTestFunds, onChanged, onTraded, onClose }: WelcomeCardProps) {
  const text = usePortfolioText();
  return (
    <section aria-labelledby="welcome" className="mb-6 rounded-panel border border-line bg-surface p-5 lg:p-6">
      <div className="flex items-start justify-between gap-4">
        <div>
          <h2 id="welcome" className="text-card">
            {text("welcome.title")}
          </h2>
          {hasTestFunds && <p className="mt-1 text-muted text-ui">{text("welcome.lead")}</p>}
        </div>
        <button
          type="button"
          aria-label={text("welcome.close")}
          className="-m-2 flex size-9 shrink-0 items-center justify-center rounded-control text-muted hover:bg-hover hover:text-text"
          onClick={onClose}
        >
          <Icon name="close" size={18} />
        </button>
      </div>
      <ol className="mt-5 grid gap-3 lg:grid-cols-3">
        {hasTestFunds && <FundsStep isDone={steps.hasFunds} onChanged={onChanged} />}
        <TradeStep
          isDone={steps.hasTraded}
          isReady={steps.hasFunds}
          onTraded={() => {
            onTraded();
            onChanged();
          }}
        />
        <Step
          number={hasTestFunds ? 3 : 2}
          name="protect"
          isDone={steps.isProtected}
          note={text("welcome.protect.note")}
        >
          <SiteLink to="/security" className={buttonClass({ kind: "neutral", size: 40, wide: true })}>
            {text("welcome.protect.act")}
          </SiteLink>
        </Step>
      </ol>
    </section>
  );
}

interface StepProps {
  readonly number: number;
  readonly name: "funds" | "trade" | "protect";
  readonly isDone: boolean;
  readonly note: string;
  readonly children: ReactNode;
}

function Step({ number, name, isDone, note, children }: StepProps) {
  const text = usePortfolioText();
  return (
    <li
      data-step={name}
      data-done={isDone ? "" : undefined}
      className="flex flex-col rounded-card border border-line bg-bg p-4"
    >
      <p className="flex items-center justify-between gap-3">
        <span className="font-semibold">
          <span className="mr-2 text-muted">{number}</span>
          {text(`welcome.${name}`)}
        </span>
        {isDone && (
          <span className="flex items-center gap-1 text-[13px] text-up-text">
            <Icon name="check" size={14} />
            {text("welcome.done")}
          </span>
        )}
      </p>
      <p className="mt-1 mb-4 flex-1 text-[13px] text-muted">{note}</p>
      {!isDone && children}
    </li>
  );
}

function FundsStep({ isDone, onChanged }: { readonly isDone: boolean; readonly onChanged: () => void }) {
  const text = usePortfolioText();
  const { isBusy, reply, press } = usePress();
  const get = async () => {
    const sent = await press(
      "faucet",
      FUNDS,
      (request, clientId) => request.postJson(FAUCET_PATH, { ...FUNDS, clientId }),
      () => text("welcome.funded"),
    );
    if (sent) onChanged();
  };
  return (
    <Step number={1} name="funds" isDone={isDone} note={reply === "" ? text("welcome.funds.note") : reply}>
      <Button kind="primary" size={40} wide busy={isBusy} onPress={() => void get()}>
        {text("welcome.funds.act")}
      </Button>
    </Step>
  );
}

interface TradeStepProps {
  readonly isDone: boolean;
  readonly isReady: boolean;
  readonly onTraded: () => void;
}

/** Everything that will be sent is written on the button and next to it: no confirmation is needed. */
function TradeStep({ isDone, isReady, onTraded }: TradeStepProps) {
  const text = usePortfolioText();
  const { isBusy, reply, press } = usePress();
  const last = useGlobal((state) => state.marketData.find(({ pairCode }) => pairCode === EXAMPLE.pairCode)?.last);
  const { coin, amount, pairCode } = EXAMPLE;
  const buy = async () => {
    const order = { pairCode, side: "buy", type: "market", amount } as const;
    const sent = await press(
      "welcome",
      order,
      (request, clientOrderId) => request.call(SPOT_CALLS.place, { ...order, clientOrderId }),
      (placed) =>
        placed.averagePrice === null
          ? text("welcome.trade.placed")
          : text("welcome.trade.filled", {
              quantity: placed.filledQuantity,
              coin,
              price: showCost(placed.averagePrice),
            }),
    );
    if (sent) onTraded();
  };
  const note = text("welcome.trade.note", { coin, amount, price: showAmount(last ?? null, 2) });
  return (
    <Step number={2} name="trade" isDone={isDone} note={reply === "" ? note : reply}>
      <Button
        kind={isReady ? "primary" : "neutral"}
        size={40}
        wide
        busy={isBusy}
        isDisabled={!isReady}
        onPress={() => void buy()}
      >
        {text("welcome.trade.act", { coin, amount })}
      </Button>
      <p className="mt-2 text-center text-[13px] text-muted">
        {isReady ? (
          <SiteLink to={`/spot/${pairCode}`} className="hover:text-text hover:underline">
            {text("welcome.trade.open")}
          </SiteLink>
        ) : (
          text("welcome.trade.wait")
        )}
      </p>
    </Step>
  );
}
