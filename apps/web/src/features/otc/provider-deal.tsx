// One deal with a provider: requested, quoted with its expiry, taken, pending, and its end.

import { OTC_ORDERS_CHANNEL } from "@clockwork/fiat/otcorders/contract";
import { type Deal, OTC_PROVIDER_CALLS } from "@clockwork/fiat/otcproviders/contract";
import { formatCoins, formatDecimal } from "@clockwork/kit/format";
import { Button } from "@clockwork/ui/button";
import { Card } from "@clockwork/ui/card";
import { useCountdown } from "@clockwork/ui/countdown";
import { Icon } from "@clockwork/ui/icon";
import { Badge } from "@clockwork/ui/pill";
import { useCallback, useState } from "react";
import type { OtcTextKey } from "#locales/en-us-otc.ts";
import { useCalls } from "#session/auth-context.ts";
import { FormError } from "#session/auth-fields.tsx";
import { useChannelNews, useEvery, useOtcAction } from "./otc-calls.ts";
import { formatPrice, useOtcText } from "./otc-text.ts";
import { type Choice, ProviderForm } from "./provider-form.tsx";
import type { ProvidersPageProps } from "./providers-page.tsx";

export interface ProviderDealProps extends ProvidersPageProps {
  readonly onChanged: () => void;
}

const QUOTE_MS = 60_000;
const REFRESH_MS = 3_000;

export function ProviderDeal(props: ProviderDealProps) {
  const text = useOtcText();
  const action = useOtcAction();
  const providers = props.providers?.providers ?? [];
  const [choice, setChoice] = useState<Choice>({
    ...props.requested,
    amount: "",
    source: "outside",
    provider: providers[0]?.name ?? "",
  });
  // A returning user finds a deal still in progress.
  const [deal, setDeal] = useState<Deal | undefined>(props.deals?.deals.find(({ state }) => state === "PENDING"));
  useFollow(deal, setDeal);
  const provider = providers.find(({ name }) => name === (deal?.provider ?? choice.provider));
  const ask = async () => {
    const { source, ...others } = choice;
    const quoted = await action.run(OTC_PROVIDER_CALLS.quote, choice.side === "buy" ? { ...others, source } : others);
    if (quoted !== undefined) setDeal(quoted);
  };
  const accept = async () => {
    if (deal === undefined) return;
    const taken = await action.run(OTC_PROVIDER_CALLS.accept, { dealId: deal.dealId });
    if (taken === undefined) return;
    setDeal(taken);
    props.onChanged();
  };
  const again = () => {
    action.clear();
    setDeal(undefined);
  };
  return (
    <Card
      title={provider?.label ?? text("nav.providers")}
      aside={provider?.isSimulated === true && <Badge>{text("simulated")}</Badge>}
    >
      <FormError>{action.error}</FormError>
      {deal === undefined ? (
        <ProviderForm {...props} choice={choice} onChoice={setChoice} isBusy={action.isBusy} onAsk={() => void ask()} />
      ) : (
        <>
          <Rail state={deal.state} />
          <Facts deal={deal} />
          {deal.state === "QUOTED" ? (
            <Quoted key={deal.dealId} deal={deal} again={again} isBusy={action.isBusy} onAccept={() => void accept()} />
          ) : (
            <Outcome deal={deal} onAgain={again} />
          )}
        </>
      )}
      {provider?.isSimulated === true && (
        <p className="mt-4 text-[13px] text-muted">{text("provider.simulated", { name: provider.label })}</p>
      )}
    </Card>
  );
}

/** Until it has ended a deal is read again on every live message, and from time to time. */
function useFollow(deal: Deal | undefined, onDeal: (deal: Deal) => void): void {
  const calls = useCalls();
  const id = deal?.state === "PENDING" ? deal.dealId : undefined;
  const load = useCallback(async () => {
    if (id === undefined) return;
    const answer = await (await calls()).call(OTC_PROVIDER_CALLS.get, { id });
    if (answer.ok) onDeal(answer.data);
  }, [calls, id, onDeal]);
  useChannelNews<{ orderId: string; what: string }>(OTC_ORDERS_CHANNEL, ({ orderId, what }) => {
    if (what === "deal" && orderId === id) void load();
  });
  useEvery(REFRESH_MS, () => void load());
}

const STEP_OF: Readonly<Record<Deal["state"], number>> = { QUOTED: 0, PENDING: 1, SUCCESS: 3, FAILED: 2 };

function Rail({ state }: { readonly state: Deal["state"] }) {
  const text = useOtcText();
  const at = STEP_OF[state];
  const isFailed = state === "FAILED";
  const steps = [
    text("deal.step.quote"),
    text("deal.step.pending"),
    text(isFailed ? "deal.step.failed" : "deal.step.done"),
  ];
  return (
    <ol className="mb-4 grid grid-cols-3 gap-2">
      {steps.map((title, i) => (
        <li key={title} aria-current={i === at ? "step" : undefined} className={i > at ? "text-muted" : "text-text"}>
          <span
            className={`mb-2 flex size-6 items-center justify-center rounded-full border text-label ${i < at ? "border-text bg-text text-bg" : i === at ? (isFailed ? "border-down text-down-text" : "border-accent text-accent") : "border-line2"}`}
          >
            {i < at ? <Icon name="check" size={14} /> : isFailed && i === at ? <Icon name="close" size={14} /> : i + 1}
          </span>
          <span className="block font-medium text-ui">{title}</span>
        </li>
      ))}
    </ol>
  );
}

function Facts({ deal }: { readonly deal: Deal }) {
  const text = useOtcText();
  const isBuy = deal.side === "buy";
  const [money, coins] = [formatDecimal(deal.amount, { grouped: true }), formatCoins(deal.quantity)];
  const facts = [
    [text(isBuy ? "label.pay" : "label.sellPay"), money, deal.fiat],
    [text(isBuy ? "label.receive" : "label.sellGive"), coins, deal.asset],
    [text("label.price"), formatPrice(deal.price), text("match.per", { fiat: deal.fiat, asset: deal.asset })],
  ] as const;
  return (
    <dl className="flex flex-wrap gap-x-8 gap-y-3">
      {facts.map(([name, value, unit]) => (
        <div key={name}>
          <dt className="text-[13px] text-muted">{name}</dt>
          <dd className="figures font-semibold text-[18px] text-text">
            {value} <span className="font-normal text-label text-muted">{unit}</span>
          </dd>
        </div>
      ))}
    </dl>
  );
}

interface QuotedProps {
  readonly deal: Deal;
  readonly isBusy: boolean;
  readonly onAccept: () => void;
  readonly again: () => void;
}

function Quoted({ deal, isBusy, onAccept, again }: QuotedProps) {
  const text = useOtcText();
  // By the exchange's clock: a device that is wrong counts the same.
  const [until] = useState(() => Date.now() + deal.leftMs);
  const leftMs = useCountdown(until, until - deal.leftMs);
  const coins = { quantity: formatCoins(deal.quantity), asset: deal.asset };
  return (
    <div className="mt-5">
      <p className="mb-1 flex items-center gap-2 text-[13px]">
        <Icon name="lock" size={14} />
        {text(leftMs > 0 ? "match.held" : "match.again")}
        <span role="timer" aria-live="off" className="figures ml-auto text-muted">
          {text("match.left", { seconds: Math.ceil(leftMs / 1000) })}
        </span>
      </p>
      <span className="block h-1 rounded bg-line">
        <span className="block h-1 rounded bg-text" style={{ width: `${Math.min(100, (leftMs / QUOTE_MS) * 100)}%` }} />
      </span>
      <div className="mt-4 flex flex-wrap gap-3">
        <Button kind="primary" size={48} busy={isBusy} isDisabled={leftMs === 0} onPress={onAccept}>
          {text(`match.go.${deal.side}`, coins)}
        </Button>
        <Button size={48} onPress={again}>
          {text(leftMs === 0 ? "provider.again" : "take.cancel")}
        </Button>
      </div>
    </div>
  );
}

function wordOf({ state, side }: Deal): OtcTextKey {
  return state === "SUCCESS" || state === "FAILED" ? `deal.${state}.${side}` : "deal.pending";
}

function Outcome({ deal, onAgain }: { readonly deal: Deal; readonly onAgain: () => void }) {
  const text = useOtcText();
  const look = deal.state === "FAILED" ? "bg-warn-soft text-warn" : "bg-surface dark:bg-bg";
  return (
    <div className="mt-5 flex flex-col gap-4">
      <p role="status" className={`rounded-control p-3 text-ui ${look}`}>
        {text(wordOf(deal))}
      </p>
      {deal.state !== "PENDING" && (
        <div>
          <Button size={40} onPress={onAgain}>
            {text("provider.again")}
          </Button>
        </div>
      )}
    </div>
  );
}
