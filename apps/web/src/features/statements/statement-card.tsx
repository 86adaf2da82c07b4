// Asking for a statement: a period, a coin, a format; what it will come to is shown before it is made.

import { formatCoins } from "@clockwork/kit/format";
import { DAY_MS, formatDate } from "@clockwork/kit/time";
import {
  type CostBasis,
  type Preview,
  STATEMENT_CALLS,
  type StatementFormat,
  type StatementKind,
} from "@clockwork/trading/statements/contract";
import { Button } from "@clockwork/ui/button";
import { Card } from "@clockwork/ui/card";
import { Segmented } from "@clockwork/ui/segmented";
import { useEffect, useState } from "react";
import { sendIntent } from "#live/intent.ts";
import { useCalls } from "#session/auth-context.ts";
import { FormError } from "#session/auth-fields.tsx";
import { LateDateField } from "#shell/late-fields.tsx";
import { LateSelect } from "#shell/late-select.tsx";
import { describeFailure, useAuthText } from "#words/auth-text.ts";
import { useWalletText } from "#words/wallet-text.ts";

const ALL = "all";
const CLIENT_ID_LENGTH = 24;

export interface StatementCardProps {
  readonly coins: readonly { readonly asset: string; readonly name: string }[];
  /** The day it is, as the server has it. */
  readonly todayMs: number;
}

function readDay(text: string): number {
  return Date.parse(`${text}T00:00:00Z`);
}

function useChoice({ todayMs }: StatementCardProps) {
  const yesterday = formatDate(todayMs - DAY_MS);
  const [from, setFrom] = useState(() => `${yesterday.slice(0, 7)}-01`);
  const [to, setTo] = useState(yesterday);
  const [asset, setAsset] = useState("USDT");
  const [kind, setKind] = useState<StatementKind>("postings");
  const [format, setFormat] = useState<StatementFormat>("CSV");
  const [basis, setBasis] = useState<CostBasis>("FIFO");
  const fromMs = readDay(from);
  const toMs = readDay(to) + DAY_MS;
  const isGood = fromMs < toMs && toMs <= todayMs;
  return {
    from,
    setFrom,
    to,
    setTo,
    asset,
    setAsset,
    kind,
    setKind,
    format,
    setFormat,
    basis,
    setBasis,
    fromMs,
    toMs,
    isGood,
  };
}

export function StatementCard(props: StatementCardProps) {
  const text = useWalletText();
  const choice = useChoice(props);
  const { error, isBusy, make } = useMaking(choice);
  const days = { min: "2020-01-01", max: formatDate(props.todayMs - DAY_MS) };
  return (
    <Card title={text("statement.title")}>
      <div className="flex flex-col gap-4">
        <FormError>{error}</FormError>
        {/* Side by side only where a whole day and its icon fit into each. */}
        <div className="grid grid-cols-[repeat(auto-fit,minmax(160px,1fr))] gap-3">
          <LateDateField
            label={text("statement.from")}
            value={choice.from}
            onChange={(day) => choice.setFrom(day ?? choice.from)}
            {...days}
          />
          <LateDateField
            label={text("statement.to")}
            value={choice.to}
            onChange={(day) => choice.setTo(day ?? choice.to)}
            {...days}
          />
        </div>
        <div className="grid grid-cols-2 gap-3">
          <LateSelect
            label={text("label.coin")}
            value={choice.asset}
            onChange={choice.setAsset}
            options={[
              { id: ALL, title: text("statement.allCoins") },
              ...props.coins.map(({ asset, name }) => ({ id: asset, title: asset, detail: name })),
            ]}
          />
          <LateSelect
            label={text("statement.kind")}
            value={choice.kind}
            onChange={(kind) => choice.setKind(kind as StatementKind)}
            options={(["postings", "tax"] as const).map((id) => ({ id, title: text(`statement.${id}`) }))}
          />
        </div>
        {choice.kind === "tax" && (
          <LateSelect
            label={text("statement.basis")}
            value={choice.basis}
            onChange={(basis) => choice.setBasis(basis as CostBasis)}
            options={(["FIFO", "LIFO", "AVERAGE"] as const).map((id) => ({ id, title: text(`statement.${id}`) }))}
          />
        )}
        <Segmented
          label={text("statement.format")}
          wide
          value={choice.format}
          onChange={(format) => choice.setFormat(format as StatementFormat)}
          segments={["CSV", "JSON", "PDF"].map((id) => ({ id, title: id }))}
        />
        {choice.asset !== ALL && choice.isGood && (
          <Comes asset={choice.asset} fromMs={choice.fromMs} toMs={choice.toMs} />
        )}
        <Button kind="primary" size={40} wide busy={isBusy} isDisabled={!choice.isGood} onPress={() => void make()}>
          {text("statement.build")}
        </Button>
        <p className="text-label text-muted">{text("statement.note")}</p>
      </div>
    </Card>
  );
}

function useMaking({ kind, format, asset, basis, fromMs, toMs }: ReturnType<typeof useChoice>) {
  const words = useAuthText();
  const calls = useCalls();
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const make = async () => {
    setBusy(true);
    const request = await calls();
    const coin = asset === ALL ? {} : { asset };
    const body = { kind, format, ...coin, ...(kind === "tax" ? { basis } : {}), from: fromMs, to: toMs };
    const mint = () => request.mintOrderId().slice(-CLIENT_ID_LENGTH);
    const answer = await sendIntent("statement", body, { mint, nowMs: Date.now() }, (clientId) =>
      request.call(STATEMENT_CALLS.make, { ...body, clientId }),
    );
    setBusy(false);
    setError(answer.ok ? undefined : describeFailure(words, answer));
  };
  return { error, isBusy, make };
}

/** Opening, changes, closing: requested again whenever the choice changes. */
function Comes({ asset, fromMs, toMs }: { readonly asset: string; readonly fromMs: number; readonly toMs: number }) {
  const text = useWalletText();
  const calls = useCalls();
  const [preview, setPreview] = useState<Preview>();
  useEffect(() => {
    let isGone = false;
    const ask = async () => {
      const answer = await (await calls()).call(STATEMENT_CALLS.preview, { asset, from: fromMs, to: toMs });
      if (answer.ok && !isGone) setPreview(answer.data);
    };
    void ask();
    return () => {
      isGone = true;
    };
  }, [calls, asset, fromMs, toMs]);
  if (preview === undefined) return null;
  const shown = (amount: string, isChange = false): string => {
    const figure = formatCoins(amount);
    return isChange && !amount.startsWith("-") && amount !== "0" ? `+${figure}` : figure;
  };
  const line = "flex justify-between gap-4 py-1 text-ui";
  return (
    <dl className="border-line border-y py-2">
      <div className={line}>
        <dt className="text-muted">{text("statement.opening")}</dt>
        <dd className="figures">{shown(preview.opening)}</dd>
      </div>
      {preview.groups.map(({ group, change }) => (
        <div key={group} className={line}>
          <dt className="text-muted">{text(`group.${group}`)}</dt>
          <dd className="figures">{shown(change, true)}</dd>
        </div>
      ))}
      <div className={`${line} border-line border-t font-medium`}>
        <dt>{text("statement.closing", { rows: preview.rows })}</dt>
        <dd className="figures">
          {shown(preview.closing)} {asset}
        </dd>
      </div>
    </dl>
  );
}
