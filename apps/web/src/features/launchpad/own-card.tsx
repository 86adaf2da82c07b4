// The visitor's part in a launch: joined, won and payable amounts, and the current actions.
import {
  LAUNCH_CALLS,
  type LaunchOrder,
  type LaunchOwn,
  type LaunchProject,
  type LaunchRound,
} from "@clockwork/earning/launchpad/contract";
import type { Endpoint, InputOf } from "@clockwork/kit/endpoint";
import { formatCountdown, formatDate } from "@clockwork/kit/time";
import { AmountField } from "@clockwork/ui/amount-field";
import { Button } from "@clockwork/ui/button";
import { Card } from "@clockwork/ui/card";
import { Checkbox } from "@clockwork/ui/checkbox";
import { Countdown } from "@clockwork/ui/countdown";
import { buttonClass } from "@clockwork/ui/logic/button-style";
import { type ReactNode, useState } from "react";
import { SiteLink } from "#boot/site-link.tsx";
import { sendIntent } from "#live/intent.ts";
import { useCalls } from "#session/auth-context.ts";
import { FundingOffer } from "#session/funding-offer.tsx";
import { describeFailure, useAuthText } from "#words/auth-text.ts";
import { useEarnText } from "#words/earn-text.ts";
import { formatAmount } from "./launch-model.ts";

interface OwnProps {
  readonly project: LaunchProject;
  readonly own: LaunchOwn | null;
  readonly setOwn: (own: LaunchOwn) => void;
}

function useAct({ project, setOwn }: Pick<OwnProps, "project" | "setOwn">) {
  const authText = useAuthText();
  const calls = useCalls();
  const [failure, setFailure] = useState("");
  const [isBusy, setBusy] = useState(false);
  /** The amount spot lacked, and the click that requested it. */
  const [short, setShort] = useState<{ readonly cost: string; readonly again: () => void }>();
  const act: Act = async (called: Endpoint, body: object, { isNamed = false, cost } = {}) => {
    setBusy(true);
    const request = await calls();
    const mint = () => request.mintOrderId().slice(-13);
    const answer = await sendIntent(called.path, body, { mint, nowMs: Date.now() }, (clientId) =>
      request.call(called, isNamed ? { ...body, clientId } : body),
    );
    const status = await request.call(LAUNCH_CALLS.status, { id: project.projectId });
    setBusy(false);
    setFailure(answer.ok ? "" : describeFailure(authText, answer));
    const isShort = !answer.ok && answer.code === "INSUFFICIENT_BALANCE" && cost !== undefined;
    setShort(isShort ? { cost, again: () => void act(called, body, { isNamed, cost }) } : undefined);
    if (status.ok) setOwn(status.data);
  };
  return { act, failure, isBusy, short };
}

export function OwnCard({ project, own, setOwn }: OwnProps) {
  const text = useEarnText();
  const { act, failure, isBusy, short } = useAct({ project, setOwn });
  const open = project.rounds.filter(({ state }) => state === "SUBSCRIBE");
  if (own === null) {
    return (
      <Card title={text("launch.own")}>
        <SiteLink to="/login" className={buttonClass({ kind: "primary", size: 40, wide: true })}>
          {text("launch.loginOwn")}
        </SiteLink>
      </Card>
    );
  }
  return (
    <Card title={text("launch.own")}>
      <div className="grid gap-4">
        {own.entries.map((entry) => (
          <p key={entry.roundId} className="figures text-ui">
            {entry.tickets > 0
              ? text("launch.joined", { tickets: entry.tickets, first: entry.firstTicket })
              : text("launch.youCommitted", { amount: formatAmount(entry.committed) })}
          </p>
        ))}
        {own.orders.map((order) => (
          <OrderBox key={order.orderId} order={order} project={project} nowMs={own.timeMs} isBusy={isBusy} act={act} />
        ))}
        {own.entries.length + own.orders.length === 0 ? (
          <p className="text-muted text-ui">{text("launch.ownEmpty")}</p>
        ) : null}
        {open.map((round) => (
          <RoundAction key={round.roundId} round={round} own={own} isBusy={isBusy} act={act} />
        ))}
        {failure === "" ? null : (
          <p role="alert" className="text-danger text-ui">
            {failure}
          </p>
        )}
        {short === undefined ? null : (
          <FundingOffer key={short.cost} asset="USDT" missing={short.cost} onMoved={short.again} />
        )}
        {own.snapshots.length === 0 ? null : <Snapshots own={own} project={project} />}
      </div>
    </Card>
  );
}

type Act = <Called extends Endpoint>(
  called: Called,
  body: Omit<InputOf<Called>, "clientId">,
  options?: { readonly isNamed?: boolean; readonly cost?: string },
) => Promise<void>;

function RoundAction({
  round,
  own,
  isBusy,
  act,
}: {
  readonly round: LaunchRound;
  readonly own: LaunchOwn;
  readonly isBusy: boolean;
  readonly act: Act;
}) {
  const text = useEarnText();
  const [isAuto, setAuto] = useState(true);
  const [amount, setAmount] = useState("100");
  const isIn = own.entries.some(({ roundId }) => roundId === round.roundId);
  if (round.kind === "flash") {
    if (own.orders.some(({ roundId }) => roundId === round.roundId)) return null;
    return (
      <Button
        kind="primary"
        size={40}
        wide
        busy={isBusy}
        onPress={() => void act(LAUNCH_CALLS.buy, { roundId: round.roundId })}
      >
        {text("launch.queue")}
      </Button>
    );
  }
  if (round.kind === "subscription") {
    return (
      <div className="grid gap-3">
        <AmountField
          label={text("launch.commitAmount")}
          value={amount}
          onChange={setAmount}
          rules={{ places: 6, min: "0" }}
          unit="USDT"
        />
        <Button
          kind="primary"
          size={40}
          wide
          busy={isBusy}
          isDisabled={amount === ""}
          onPress={() =>
            void act(LAUNCH_CALLS.join, { roundId: round.roundId, amount }, { isNamed: true, cost: amount })
          }
        >
          {text("launch.commit", { amount: formatAmount(amount === "" ? "0" : amount) })}
        </Button>
      </div>
    );
  }
  if (isIn) return null;
  return (
    <div className="grid gap-3">
      <Checkbox isSelected={isAuto} onChange={setAuto}>
        {text("launch.auto")}
      </Checkbox>
      <Button
        kind="primary"
        size={40}
        wide
        busy={isBusy}
        onPress={() => void act(LAUNCH_CALLS.join, { roundId: round.roundId, autoPay: isAuto })}
      >
        {text("launch.join")}
      </Button>
    </div>
  );
}

function OrderBox(props: {
  readonly order: LaunchOrder;
  readonly project: LaunchProject;
  readonly nowMs: number;
  readonly isBusy: boolean;
  readonly act: Act;
}) {
  const text = useEarnText();
  const { order, project, nowMs, isBusy, act } = props;
  const { orderId } = order;
  const amount = formatAmount(order.amount, { decimals: 0 });
  return (
    <div className="rounded-lg bg-surface p-3 text-ui">
      <p className="font-medium">
        {order.state === "QUEUED"
          ? text("launch.place", { place: order.place })
          : text(`launch.order.${order.state}`, { amount, coin: project.asset })}
      </p>
      {order.state === "WON" ? (
        <>
          <Line label={text("launch.toPay")}>{`${formatAmount(order.cost)} USDT`}</Line>
          <Line label={text("launch.timeLeft")}>
            <Countdown untilMs={order.untilMs} nowMs={nowMs} format={formatCountdown} />
          </Line>
          <div className="mt-3 grid gap-2">
            <Button
              kind="primary"
              size={40}
              wide
              busy={isBusy}
              onPress={() => void act(LAUNCH_CALLS.pay, { orderId }, { cost: order.cost })}
            >
              {text("launch.pay", { cost: formatAmount(order.cost), amount, coin: project.asset })}
            </Button>
            <Button
              kind="ghost"
              size={32}
              wide
              isDisabled={isBusy}
              onPress={() => void act(LAUNCH_CALLS.cancel, { orderId })}
            >
              {text("launch.giveUp")}
            </Button>
          </div>
        </>
      ) : null}
    </div>
  );
}

function Line({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <p className="figures mt-1 flex justify-between gap-3">
      <span className="text-muted">{label}</span>
      <span>{children}</span>
    </p>
  );
}

/** How the number of tickets is computed: the smallest day counts. */
function Snapshots({ own, project }: { readonly own: LaunchOwn; readonly project: LaunchProject }) {
  const text = useEarnText();
  const round = project.rounds.find(({ kind }) => kind === "lottery");
  const values = own.snapshots.map(({ amount }) => Number.parseFloat(amount));
  const [least, most] = [Math.min(...values), Math.max(...values, 1)];
  const tickets = own.entries.find(({ tickets: count }) => count > 0)?.tickets ?? 0;
  return (
    <section>
      <h3 className="mb-2 text-card">{text("launch.why", { tickets })}</h3>
      <ol className="flex h-20 items-end gap-1">
        {own.snapshots.map(({ day, amount }, index) => (
          <li
            key={day}
            title={`${formatDate(day * 86_400_000)}: ${amount} USDT`}
            className={`flex-1 rounded-t ${values[index] === least ? "bg-text" : "bg-line2"}`}
            style={{ height: `${((values[index] ?? 0) / most) * 100}%` }}
          />
        ))}
      </ol>
      <p className="mt-2 text-label text-muted">
        {text("launch.whyNote", {
          days: round?.snapshotDays ?? 7,
          unit: formatAmount(round?.ticketUnit ?? "0", { decimals: 0 }),
        })}
      </p>
    </section>
  );
}
