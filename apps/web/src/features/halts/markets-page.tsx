// `/operator/markets`: every market with its status; stopping requires the typed code, opening is proposed.

import { formatDateTime } from "@clockwork/kit/time";
import { HALT_CALLS, type HaltedMarket, type HaltedMarkets } from "@clockwork/trading/halts/contract";
import { Button } from "@clockwork/ui/button";
import { Card } from "@clockwork/ui/card";
import { Badge } from "@clockwork/ui/pill";
import { TextField } from "@clockwork/ui/text-field";
import { type ReactNode, useState } from "react";
import { useRevalidator } from "react-router";
import { ConsoleFrame, type ConsoleOperator } from "#console/console-frame.tsx";
import { ActionNote, ChoiceField, useOperatorAction } from "#console/operator-action.tsx";
import { TypedConfirm } from "#console/typed-confirm.tsx";
import { FailedLine } from "#session/failed-line.tsx";
import { useConsoleText } from "#words/console-text.ts";

export interface MarketsPageProps {
  readonly me: ConsoleOperator;
  /** Null while the second factor is missing, or when unavailable. */
  readonly list: HaltedMarkets | null;
  readonly proof: ReactNode;
}

type StopStatus = "CANCEL_ONLY" | "HALT";

export function MarketsPage({ me, list, proof }: MarketsPageProps) {
  const text = useConsoleText();
  return (
    <ConsoleFrame me={me} title={text("halts.title")} lead={text("halts.lead")} proof={proof}>
      {list === null ? <FailedLine /> : <Markets list={list} />}
    </ConsoleFrame>
  );
}

function Markets({ list }: { readonly list: HaltedMarkets }) {
  const text = useConsoleText();
  const action = useOperatorAction();
  const { revalidate } = useRevalidator();
  const [stopping, setStopping] = useState<HaltedMarket>();
  const stop = async (market: HaltedMarket, status: StopStatus, reason: string, confirmation: string) => {
    const { biz, pairCode } = market;
    const body = { biz, pairCode, status, reason, confirmation };
    if ((await action.run(HALT_CALLS.stop, body)) !== undefined) await revalidate();
  };
  const open = async ({ biz, pairCode }: HaltedMarket) => {
    await action.propose(HALT_CALLS.open, { biz, pairCode });
  };
  return (
    <>
      <ActionNote action={action} />
      <Card flush className="max-w-[960px]">
        <ul>
          {list.markets.map((market) => (
            <Row
              key={`${market.biz} ${market.pairCode}`}
              market={market}
              onStop={() => setStopping(market)}
              onOpen={() => void open(market)}
            />
          ))}
        </ul>
      </Card>
      {stopping !== undefined && (
        <StopDialog
          market={stopping}
          onClose={() => setStopping(undefined)}
          onStop={(status, reason, typed) => void stop(stopping, status, reason, typed)}
        />
      )}
      {list.markets.length === 0 && <p className="text-muted text-ui">{text("halts.none")}</p>}
    </>
  );
}

interface RowProps {
  readonly market: HaltedMarket;
  readonly onStop: () => void;
  readonly onOpen: () => void;
}

function Row({ market: { biz, pairCode, status, stop }, onStop, onOpen }: RowProps) {
  const text = useConsoleText();
  const name = `${pairCode} ${biz}`;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 border-line border-b px-6 py-3 last:border-0">
      <div className="min-w-48 flex-1">
        <p className="font-medium text-ui">
          {pairCode} <span className="text-muted">{biz}</span>
        </p>
        {stop !== null && (
          <p className="text-[13px] text-muted [overflow-wrap:anywhere]">
            {stop.reason} · {stop.by} · {formatDateTime(stop.atMs)}
          </p>
        )}
      </div>
      <Badge tone={status === "TRADING" ? "up" : "warn"}>{status}</Badge>
      {stop === null ? (
        <Button size={32} aria-label={`${text("halts.stop")}: ${name}`} onPress={onStop}>
          {text("halts.stop")}
        </Button>
      ) : (
        <Button size={32} aria-label={`${text("halts.open")}: ${name}`} onPress={onOpen}>
          {text("halts.open")}
        </Button>
      )}
    </li>
  );
}

interface StopDialogProps {
  readonly market: HaltedMarket;
  readonly onClose: () => void;
  readonly onStop: (status: StopStatus, reason: string, typed: string) => void;
}

function StopDialog({ market, onClose, onStop }: StopDialogProps) {
  const text = useConsoleText();
  const [status, setStatus] = useState<StopStatus>("CANCEL_ONLY");
  const [reason, setReason] = useState("");
  return (
    <TypedConfirm
      title={text("halts.stop")}
      word={market.pairCode}
      onClose={onClose}
      onConfirm={(typed) => onStop(status, reason, typed)}
    >
      <ChoiceField
        label={text("halts.how")}
        value={status}
        onChange={(next) => setStatus(next === "HALT" ? "HALT" : "CANCEL_ONLY")}
        options={[
          ["CANCEL_ONLY", text("halts.cancelOnly")],
          ["HALT", text("halts.halt")],
        ]}
      />
      <p role="alert">
        {text(status === "HALT" ? "halts.effect.halt" : "halts.effect.cancelOnly", { pair: market.pairCode })}
      </p>
      <TextField label={text("halts.reason")} value={reason} onChange={setReason} maxLength={300} />
    </TypedConfirm>
  );
}
