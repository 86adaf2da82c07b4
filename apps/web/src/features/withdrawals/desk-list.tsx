// Withdrawals waiting in the operators' console and the paused networks. Fetched separately: the frame comes first.
import { type ReviewQueue, WITHDRAW_CALLS } from "@clockwork/custody/withdrawals/contract";
import { formatCoins, formatDecimal } from "@clockwork/kit/format";
import { formatDateTime } from "@clockwork/kit/time";
import { Button } from "@clockwork/ui/button";
import { Card } from "@clockwork/ui/card";
import { Badge } from "@clockwork/ui/pill";
import { EmptyState } from "@clockwork/ui/state";
import { TextField } from "@clockwork/ui/text-field";
import { useState } from "react";
import { useRevalidator } from "react-router";
import { ActionNote, type OperatorAction, useOperatorAction } from "#console/operator-action.tsx";
import type { ConsoleTextKey } from "#locales/en-us-console.ts";
import { useConsoleText } from "#words/console-text.ts";

export function Desk({ queue }: { readonly queue: ReviewQueue }) {
  const text = useConsoleText();
  const action = useOperatorAction();
  return (
    <div className="flex max-w-[960px] flex-col gap-4">
      <ActionNote action={action} />
      {queue.signer.state !== "ready" && (
        <p role="alert" className="break-words rounded-control bg-warn-soft p-3 text-ui text-warn">
          {queue.signer.state === "refused"
            ? text("outgoing.signerRefused", { problem: queue.signer.problem })
            : text("outgoing.signerAway")}
        </p>
      )}
      <Card title={text("outgoing.waiting")} flush>
        {queue.waiting.length === 0 ? (
          <EmptyState text={text("outgoing.none")} />
        ) : (
          <ul>
            {queue.waiting.map((one) => (
              <Waiting key={one.withdrawalId} one={one} action={action} />
            ))}
          </ul>
        )}
      </Card>
      <Card title={text("outgoing.networks")}>
        <Networks paused={queue.paused} action={action} />
      </Card>
      {queue.gifts.length > 0 && (
        <Card title={text("outgoing.gifts")}>
          <UnclaimedDeposits gifts={queue.gifts} />
        </Card>
      )}
    </div>
  );
}

function UnclaimedDeposits({ gifts }: { readonly gifts: ReviewQueue["gifts"] }) {
  const text = useConsoleText();
  return (
    <>
      <p className="mb-2 text-label text-muted">{text("outgoing.giftsLead")}</p>
      <ul>
        {gifts.map((one) => (
          <li
            key={`${one.asset}:${one.seenAtMs}`}
            className="flex flex-wrap items-center gap-3 border-line border-b py-2 text-ui"
          >
            <span className="figures min-w-40 flex-1 break-all">
              {one.amount} {one.asset}
            </span>
            {!one.isKept && <Badge>{text("outgoing.giftYoung")}</Badge>}
            <span className="text-label text-muted">{formatDateTime(one.seenAtMs)}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

type Item = ReviewQueue["waiting"][number];

function Waiting({ one, action }: { readonly one: Item; readonly action: OperatorAction }) {
  const text = useConsoleText();
  const { revalidate } = useRevalidator();
  const [reason, setReason] = useState("");
  const decide = async (decision: "APPROVED" | "REJECTED") => {
    const body = { withdrawalId: one.withdrawalId, decision, ...(reason === "" ? {} : { reason }) };
    if ((await action.run(WITHDRAW_CALLS.decide, body)) !== undefined) await revalidate();
  };
  const name = `${one.amount} ${one.asset}`;
  return (
    <li className="flex flex-col gap-2 border-line border-t px-6 py-4">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="figures font-medium text-ui">
          {formatCoins(one.amount)} {one.asset}
        </span>
        <span className="figures text-label text-muted">
          {text("outgoing.worth", { worth: formatDecimal(one.worthUsdt, { grouped: true, decimals: 2 }) })}
        </span>
        {one.needsTwo && <Badge tone="warn">{text("outgoing.two")}</Badge>}
        {one.review.map((why) => (
          <Badge key={why} tone={why === "held" ? "warn" : "neutral"}>
            {text(`outgoing.why.${why}` as ConsoleTextKey)}
          </Badge>
        ))}
      </p>
      <p className="break-all font-mono text-label">
        {one.network} {one.address}
      </p>
      <p className="text-label text-muted">
        {text("outgoing.by", { user: one.user, time: formatDateTime(one.createdAtMs) })}
        {one.reason === "" ? "" : ` · ${one.reason}`}
      </p>
      <div className="flex flex-wrap items-end gap-2">
        <TextField
          label={text("outgoing.reason")}
          value={reason}
          onChange={setReason}
          maxLength={300}
          className="min-w-60 flex-1"
        />
        <Button
          size={40}
          aria-label={`${text("outgoing.reject")}: ${name}`}
          isDisabled={reason === ""}
          onPress={() => void decide("REJECTED")}
        >
          {text("outgoing.reject")}
        </Button>
        <Button
          size={40}
          kind="primary"
          aria-label={`${text("outgoing.release")}: ${name}`}
          onPress={() => void decide("APPROVED")}
        >
          {text(one.needsTwo ? "outgoing.propose" : "outgoing.release")}
        </Button>
      </div>
    </li>
  );
}

function Networks({ paused, action }: { readonly paused: ReviewQueue["paused"]; readonly action: OperatorAction }) {
  const text = useConsoleText();
  const { revalidate } = useRevalidator();
  const [network, setNetwork] = useState("");
  const [cause, setCause] = useState("");
  const set = async (body: { readonly network: string; readonly isPaused: boolean; readonly cause: string }) => {
    if ((await action.run(WITHDRAW_CALLS.pause, body)) !== undefined) await revalidate();
  };
  return (
    <>
      <ul>
        {paused.map((one) => (
          <li key={one.network} className="flex flex-wrap items-center gap-3 border-line border-b py-2 text-ui">
            <Badge tone="warn">{one.network}</Badge>
            <span className="min-w-40 flex-1">{one.cause}</span>
            <span className="text-label text-muted">{formatDateTime(one.sinceMs)}</span>
            <Button size={32} onPress={() => void set({ network: one.network, isPaused: false, cause: one.cause })}>
              {text("outgoing.open")}
            </Button>
          </li>
        ))}
      </ul>
      <div className="mt-3 flex flex-wrap items-end gap-2">
        <TextField
          label={text("outgoing.network")}
          value={network}
          onChange={setNetwork}
          maxLength={12}
          className="w-32"
        />
        <TextField
          label={text("outgoing.cause")}
          value={cause}
          onChange={setCause}
          maxLength={200}
          className="min-w-60 flex-1"
        />
        <Button
          size={40}
          isDisabled={network === "" || cause.trim() === ""}
          onPress={() => void set({ network, isPaused: true, cause })}
        >
          {text("outgoing.pause")}
        </Button>
      </div>
    </>
  );
}
