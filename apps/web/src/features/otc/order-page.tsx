// `/otc/order/:id`: the order's state, the next action with its countdown, the chat next to it, the log below.
import { OTC_ORDER_CALLS, OTC_ORDERS_CHANNEL, type OtcOrder } from "@clockwork/fiat/otcorders/contract";
import { formatMinute } from "@clockwork/kit/time";
import { Breadcrumb } from "@clockwork/ui/breadcrumb";
import { Button } from "@clockwork/ui/button";
import { Card } from "@clockwork/ui/card";
import { CopyButton } from "@clockwork/ui/copy-button";
import { saveFile } from "@clockwork/ui/hooks/save-file";
import { Icon } from "@clockwork/ui/icon";
import { showToast } from "@clockwork/ui/toast";
import { useCallback, useState } from "react";
import { latePart } from "#boot/late-part.tsx";
import { useSitePath } from "#boot/site-link.tsx";
import { useCalls } from "#session/auth-context.ts";
import { Moment } from "#shell/moment.tsx";
import { describeFailure, useAuthText } from "#words/auth-text.ts";
import { coinsOf } from "./order-coins.ts";
import { OrderGauge } from "./order-dial.tsx";
import { useChannelNews, useEvery } from "./otc-calls.ts";
import { OtcFrame } from "./otc-frame.tsx";
import { describeOr, useOtcText } from "./otc-text.ts";

const OrderActions = latePart(async () => (await import("./order-actions.tsx")).OrderActions);
const OrderChat = latePart(async () => (await import("./order-chat.tsx")).OrderChat);

const REFRESH_MS = 5_000;
/** A decided order ends a moment before the text of the decision is there. */
const isOver = ({ state, complaint }: OtcOrder): boolean =>
  (state === "COMPLETED" || state === "CANCELLED") && complaint?.state !== "OPEN";

export function OrderPage({ first }: { readonly first: OtcOrder }) {
  const text = useOtcText();
  const calls = useCalls();
  const [order, setOrder] = useState(first);
  const [version, setVersion] = useState(0);
  const reload = useCallback(async () => {
    const answer = await (await calls()).call(OTC_ORDER_CALLS.get, { id: first.orderId });
    if (answer.ok) setOrder(answer.data);
  }, [calls, first.orderId]);
  useChannelNews<{ orderId: string; what: string }>(OTC_ORDERS_CHANNEL, ({ orderId, what }) => {
    if (orderId !== first.orderId) return;
    if (what === "order") void reload();
    setVersion((now) => now + 1);
  });
  useEvery(REFRESH_MS, () => !isOver(order) && void reload());
  const values = { ...coinsOf(order), name: order.counterpart.name };
  return (
    <OtcFrame
      title={text(`order.title.${order.side}`, values)}
      aside={<HeadActions order={order} />}
      above={<Crumbs order={order} />}
    >
      <div className="flex flex-col gap-4 lg:grid lg:grid-cols-[minmax(0,1fr)_408px] lg:items-start">
        <div className="flex min-w-0 flex-col gap-4 max-lg:contents">
          <Steps order={order} />
          <Now order={order} onOrder={setOrder} />
          <div className="max-lg:order-last">
            <Log order={order} />
          </div>
        </div>
        <OrderChat order={order} version={version} />
      </div>
    </OtcFrame>
  );
}

function Crumbs({ order }: { readonly order: OtcOrder }) {
  const text = useOtcText();
  const sitePath = useSitePath();
  const number = order.orderId.replace(/(.{4})(?=.)/g, "$1 ");
  return (
    <div className="mb-2">
      <Breadcrumb
        crumbs={[
          { title: text("nav.market"), href: sitePath("/otc") },
          { title: text("nav.orders"), href: sitePath("/otc/orders") },
          { title: text("order.number", { number }) },
        ]}
      />
    </div>
  );
}

function HeadActions({ order }: { readonly order: OtcOrder }) {
  const text = useOtcText();
  const words = useAuthText();
  const calls = useCalls();
  const save = async () => {
    const answer = await (await calls()).call(OTC_ORDER_CALLS.receipt, { id: order.orderId });
    if (!answer.ok) {
      showToast({ title: describeFailure(words, answer), tone: "danger" });
      return;
    }
    const bytes = Uint8Array.from(atob(answer.data.data), (letter) => letter.charCodeAt(0));
    saveFile(answer.data.name, new Blob([bytes], { type: answer.data.mediaType }));
  };
  return (
    <Button size={36} icon="document" onPress={() => void save()}>
      {text("order.receipt")}
    </Button>
  );
}

const STEP_OF: Readonly<Record<OtcOrder["state"], number>> = {
  PLACING: 0,
  WAIT_PAY: 1,
  PAID: 2,
  APPEAL: 2,
  COMPLETED: 4,
  CANCELLED: 0,
  REFUSED: 0,
};

/** The rail of the four steps. */
function Steps({ order }: { readonly order: OtcOrder }) {
  const text = useOtcText();
  const at = STEP_OF[order.state];
  const { releaseMinutes } = order.counterpart;
  const coins = coinsOf(order);
  const isBuy = order.side === "buy";
  const steps = [
    { title: text("step.placed"), note: formatMinute(order.createdAtMs) },
    { title: text(isBuy ? "step.pay" : "step.pay.sell"), note: `${coins.amount} ${order.fiat}` },
    {
      title: text(isBuy ? "step.release" : "step.release.sell"),
      note: isBuy && releaseMinutes !== null ? text("step.usually", { minutes: releaseMinutes }) : "",
    },
    { title: text("step.done"), note: text("step.funding") },
  ];
  return (
    <Card>
      <ol className="grid gap-x-2 gap-y-4 max-sm:grid-cols-2 sm:grid-cols-4">
        {steps.map(({ title, note }, i) => (
          <li
            key={title}
            aria-current={i === at ? "step" : undefined}
            className={`relative ${i > at ? "text-muted" : "text-text"}`}
          >
            {i < steps.length - 1 && (
              <span
                aria-hidden="true"
                className={`absolute top-3 -right-2 left-6 h-px max-sm:hidden ${i < at ? "bg-text" : "bg-line2"}`}
              />
            )}
            <span
              className={`mb-2 flex size-6 items-center justify-center rounded-full border text-label ${i < at ? "border-text bg-text text-bg" : i === at ? "border-accent text-accent" : "border-line2"}`}
            >
              {i < at ? <Icon name="check" size={14} /> : i + 1}
            </span>
            <span className="block font-medium text-ui">{title}</span>
            <span className="figures block text-[13px] text-muted">{note}</span>
          </li>
        ))}
      </ol>
    </Card>
  );
}

function headOf(
  text: ReturnType<typeof useOtcText>,
  order: OtcOrder,
): { readonly head: string; readonly lead: string } {
  const coins = coinsOf(order);
  const isBuy = order.side === "buy";
  const way = text(`pay.${order.payment.kind}`).toLowerCase();
  switch (order.state) {
    case "WAIT_PAY":
      return isBuy
        ? { head: text("order.pay.head", { ...coins, way }), lead: text("order.pay.text", coins) }
        : { head: text("order.wait.head", coins), lead: text("order.wait.text", coins) };
    case "PAID": {
      const role = isBuy ? "buyer" : "seller";
      return { head: text(`order.paid.${role}.head`, coins), lead: text(`order.paid.${role}.text`, coins) };
    }
    case "APPEAL":
      return { head: text("order.APPEAL.head"), lead: text("order.APPEAL.text") };
    case "COMPLETED":
      return { head: text("order.COMPLETED.head"), lead: text(`order.COMPLETED.text.${order.side}`, coins) };
    default:
      return { head: text("order.CANCELLED.head"), lead: text("order.CANCELLED.text") };
  }
}

function Now({ order, onOrder }: { readonly order: OtcOrder; readonly onOrder: (order: OtcOrder) => void }) {
  const text = useOtcText();
  const { head, lead } = headOf(text, order);
  const coins = coinsOf(order);
  const isBuy = order.side === "buy";
  const facts = [
    [text(isBuy ? "label.pay" : "label.sellPay"), coins.amount, order.fiat],
    [text("label.price"), order.price, ""],
    [text(isBuy ? "label.receive" : "label.sellGive"), coins.net, order.asset],
    [text("label.fee"), order.fee, ""],
  ] as const;
  return (
    <Card>
      <div className="flex items-start justify-between gap-4 max-sm:flex-col">
        <div className="min-w-0 flex-1">
          <h2 className="font-semibold text-[17px] text-text" aria-live="polite">
            {head}
          </h2>
          <p className="mt-1 max-w-prose text-muted text-ui">{lead}</p>
          <dl className="mt-4 flex flex-wrap gap-x-6 gap-y-3">
            {facts.map(([name, value, unit]) => (
              <div key={name}>
                <dt className="text-[13px] text-muted">{name}</dt>
                <dd className="figures font-semibold text-[18px] text-text">
                  {value} <span className="font-normal text-label text-muted">{unit}</span>
                </dd>
              </div>
            ))}
          </dl>
        </div>
        {order.state === "WAIT_PAY" && <OrderGauge order={order} />}
      </div>
      {isBuy && (order.state === "WAIT_PAY" || order.state === "PAID") && <PayTo order={order} />}
      {!isBuy && !isOver(order) && <PaidBy order={order} />}
      <OrderActions order={order} onOrder={onOrder} />
    </Card>
  );
}

interface Line {
  readonly label: string;
  readonly value: string;
}

/** Long numbers of accounts are read in groups of four, and copied without. */
function inFours(value: string): string {
  return /^(?=.*[0-9]{4})[A-Z0-9]{12,34}$/.test(value) ? value.replace(/(.{4})(?=.)/g, "$1 ") : value;
}

/** Each line to be copied. */
function Lines({ lines }: { readonly lines: readonly Line[] }) {
  return (
    <dl className="mt-4 rounded-control border border-line">
      {lines.map(({ label, value }) => (
        <div key={label} className="flex items-center gap-3 border-line border-b px-4 py-2 last:border-0">
          <dt className="w-24 shrink-0 text-[13px] text-muted sm:w-32">{label}</dt>
          <dd className="figures flex min-w-0 flex-1 items-center justify-between gap-3 text-ui">
            <span className="min-w-0 break-words">{inFours(value)}</span>
            <CopyButton text={value} what={label} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Warning({ children }: { readonly children: string }) {
  return (
    <p className="mt-3 flex items-start gap-2 rounded-control bg-warn-soft p-3 text-ui text-warn">
      <Icon name="warning" size={16} className="mt-0.5 shrink-0" />
      {children}
    </p>
  );
}

/** For the seller to compare with the transfer received. */
function PaidBy({ order }: { readonly order: OtcOrder }) {
  const text = useOtcText();
  const lines = [
    ...(order.payerName === null ? [] : [{ label: text("label.payer"), value: order.payerName }]),
    { label: text("label.amount"), value: `${order.amount} ${order.fiat}` },
    { label: text("label.reference"), value: order.reference },
  ];
  return (
    <>
      <Lines lines={lines} />
      <Warning>{text("order.payer.warning")}</Warning>
    </>
  );
}

/** Where the money goes. */
function PayTo({ order }: { readonly order: OtcOrder }) {
  const text = useOtcText();
  const lines = [
    { label: text("label.name"), value: order.payment.name },
    ...order.payment.fields,
    { label: text("label.amount"), value: `${order.amount} ${order.fiat}` },
    { label: text("label.reference"), value: order.reference },
  ];
  return (
    <>
      <Lines lines={lines} />
      <Warning>
        {order.payerName === null ? text("order.warning") : text("order.warning.name", { name: order.payerName })}
      </Warning>
    </>
  );
}

function Log({ order }: { readonly order: OtcOrder }) {
  const text = useOtcText();
  return (
    <Card title={text("log.title")}>
      <ol className="flex flex-col gap-2 text-ui">
        {order.log.map((line) => (
          <li key={`${line.atMs}${line.action}`} className="flex justify-between gap-3">
            <span>
              {describeOr(text, `log.${line.action}`, line.action)}
              {line.detail !== "" && (
                <span className="text-muted"> · {describeOr(text, `appeal.reason.${line.detail}`, line.detail)}</span>
              )}
            </span>
            <time className="figures shrink-0 text-[13px] text-muted">
              <Moment at={line.atMs} />
            </time>
          </li>
        ))}
      </ol>
    </Card>
  );
}
