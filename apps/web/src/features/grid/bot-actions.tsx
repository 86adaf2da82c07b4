// The owner's actions on a running bot: profit out, other settings, margin, its end.
import type { Endpoint, InputOf } from "@clockwork/kit/endpoint";
import { type BotDetail, bizOf, GRID_CALLS, type GridBiz } from "@clockwork/strategies/grid/contract";
import { Button } from "@clockwork/ui/button";
import { Dialog } from "@clockwork/ui/dialog";
import { TextField } from "@clockwork/ui/text-field";
import { useState } from "react";
import { sendIntent } from "#live/intent.ts";
import { useCalls } from "#session/auth-context.ts";
import { exitText } from "./figures.tsx";
import { useGridText } from "./grid-text.ts";
import { gridIntent } from "./model/grid-intent.ts";
import { readExit } from "./model/grid-model.ts";

interface ActionProps {
  readonly bot: BotDetail;
  readonly onChanged: () => void;
}

type Calls = (typeof GRID_CALLS)[GridBiz];

function useAsk({ bot, onChanged }: ActionProps) {
  const calls = useCalls();
  const [failure, setFailure] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  /** One intent, one id: a retry after a lost answer is the same request. */
  const ask = async <Name extends "profit" | "margin" | "update" | "finish">(
    name: Name,
    input: Omit<InputOf<Calls[Name]>, "id" | "clientId">,
  ): Promise<boolean> => {
    setBusy(true);
    const client = await calls();
    const called: Endpoint = GRID_CALLS[bizOf(bot.kind)][name];
    const contents = { id: bot.id, ...input };
    const answer = await sendIntent(called.path, contents, gridIntent(client), (clientId) =>
      // A bot ends once, however often that is requested.
      client.call(called, name === "finish" ? contents : { ...contents, clientId }),
    );
    setBusy(false);
    setFailure(answer.ok ? undefined : answer.message);
    if (answer.ok) onChanged();
    return answer.ok;
  };
  return { ask, failure, isBusy };
}

export function BotActions({ bot, onChanged }: ActionProps) {
  if (bot.status === "CLOSED" || bot.status === "STOPPING") return null;
  return (
    <div className="flex flex-wrap gap-2">
      <TakeProfit bot={bot} onChanged={onChanged} />
      {bizOf(bot.kind) === "futures" && <Margin bot={bot} onChanged={onChanged} />}
      <Edit bot={bot} onChanged={onChanged} />
      <Stop bot={bot} onChanged={onChanged} />
    </div>
  );
}

function Failure({ text }: { readonly text: string | undefined }) {
  return text === undefined ? null : (
    <p role="alert" className="text-danger text-label">
      {text}
    </p>
  );
}

function TakeProfit(props: ActionProps) {
  const text = useGridText();
  const { ask, failure, isBusy } = useAsk(props);
  const [amount, setAmount] = useState("");
  const { bot } = props;
  return (
    <Dialog
      title={text("detail.take")}
      size="small"
      trigger={<Button>{text("detail.take")}</Button>}
      actions={(close) => (
        <Button
          kind="primary"
          busy={isBusy}
          onPress={() => void ask("profit", { amount }).then((isDone) => isDone && close())}
        >
          {text("detail.take")}
        </Button>
      )}
    >
      <TextField
        label={text("detail.amount")}
        value={amount}
        inputMode="decimal"
        help={`${text("detail.takeable")}: ${bot.takeable} ${bot.quote}`}
        onChange={setAmount}
      />
      <Failure text={failure} />
    </Dialog>
  );
}

function Margin(props: ActionProps) {
  const text = useGridText();
  const { ask, failure, isBusy } = useAsk(props);
  const [amount, setAmount] = useState("");
  const send = (sign: "" | "-", close: () => void) =>
    void ask("margin", { amount: `${sign}${amount}` }).then((isDone) => isDone && close());
  return (
    <Dialog
      title={text("detail.margin")}
      size="small"
      trigger={<Button>{text("detail.margin")}</Button>}
      actions={(close) => (
        <>
          <Button busy={isBusy} onPress={() => send("-", close)}>
            {text("detail.marginTake")}
          </Button>
          <Button kind="primary" busy={isBusy} onPress={() => send("", close)}>
            {text("detail.marginAdd")}
          </Button>
        </>
      )}
    >
      <TextField label={text("detail.amount")} value={amount} inputMode="decimal" onChange={setAmount} />
      <Failure text={failure} />
    </Dialog>
  );
}

const FIELDS = ["takeProfit", "stopLoss", "trailUp", "trailDown"] as const;
/** An infinity grid trails on its own, and a started bot does not start again. */
const fieldsOf = ({ kind, status }: BotDetail) => [
  ...(status === "WAIT_TRIGGER" ? (["trigger"] as const) : []),
  ...FIELDS.slice(0, kind === "infinity" ? 2 : FIELDS.length),
];

function Edit(props: ActionProps) {
  const text = useGridText();
  const { bot } = props;
  const { ask, failure, isBusy } = useAsk(props);
  const [fields, setFields] = useState(() => Object.fromEntries(fieldsOf(bot).map((name) => [name, bot[name] ?? ""])));
  const [exit, setExit] = useState(exitText(bot));
  const save = (close: () => void): void => {
    const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ""));
    const ends = bot.endsAtMs === null ? {} : { endsAtMs: bot.endsAtMs };
    const exitBps = readExit({ exit, kind: bot.kind });
    const exits = exitBps === undefined ? {} : { exitBps };
    void ask("update", { ...given, ...exits, ...ends, keeps: bot.keeps }).then((isDone) => isDone && close());
  };
  return (
    <Dialog
      title={text("detail.edit")}
      size="small"
      trigger={<Button>{text("detail.edit")}</Button>}
      actions={(close) => (
        <Button kind="primary" busy={isBusy} onPress={() => save(close)}>
          {text("detail.save")}
        </Button>
      )}
    >
      <div className="flex flex-col gap-3">
        {fieldsOf(bot).map((name) => (
          <TextField
            key={name}
            label={text(`label.${name}`)}
            value={fields[name] ?? ""}
            inputMode="decimal"
            onChange={(value) => setFields((now) => ({ ...now, [name]: value.trim() }))}
          />
        ))}
        {bot.kind !== "neutral" && (
          <TextField
            label={text("label.exit")}
            value={exit}
            inputMode="decimal"
            suffix={<span className="text-muted">%</span>}
            onChange={(value) => setExit(value.trim())}
          />
        )}
        <Failure text={failure} />
      </div>
    </Dialog>
  );
}

function Stop(props: ActionProps) {
  const text = useGridText();
  const { bot } = props;
  const { ask, failure, isBusy } = useAsk(props);
  const stop = (base: "keep" | "sell", close: () => void): void =>
    void ask("finish", { base }).then((isDone) => isDone && close());
  return (
    <Dialog
      alert
      title={text("detail.stopTitle")}
      size="small"
      trigger={<Button>{text("detail.stop")}</Button>}
      actions={(close) =>
        bizOf(bot.kind) === "spot" ? (
          <>
            <Button busy={isBusy} onPress={() => stop("keep", close)}>
              {text("detail.stopKeep")}
            </Button>
            <Button kind="primary" busy={isBusy} onPress={() => stop("sell", close)}>
              {text("detail.stopSell")}
            </Button>
          </>
        ) : (
          <Button kind="primary" busy={isBusy} onPress={() => stop("sell", close)}>
            {text("detail.stopFutures")}
          </Button>
        )
      }
    >
      <p>{text("detail.stopText")}</p>
      <Failure text={failure} />
    </Dialog>
  );
}
