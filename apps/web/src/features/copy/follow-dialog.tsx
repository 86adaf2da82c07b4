// Following a leader, or changing the settings: settings on one side, their effect on the other. An invalid guard
// disables the button and the reason is below it.

import { trimZeros } from "@clockwork/kit/decimal";
import {
  COPY_CALLS,
  type CopyKind,
  type Follow,
  type LeaderDetail,
  type LeaderSummary,
} from "@clockwork/strategies/copy/contract";
import { WALLET_CALLS } from "@clockwork/trading/wallet/contract";
import { Button } from "@clockwork/ui/button";
import { Checkbox } from "@clockwork/ui/checkbox";
import { Dialog } from "@clockwork/ui/dialog";
import { Segmented } from "@clockwork/ui/segmented";
import { Switch } from "@clockwork/ui/switch";
import { TextField } from "@clockwork/ui/text-field";
import { showToast } from "@clockwork/ui/toast";
import { type ReactNode, useContext, useEffect, useState } from "react";
import { RequestContext } from "#live/react.ts";
import { TestFunds } from "#session/test-funds.tsx";
import { useCopyAct } from "./copy-calls.ts";
import { money, percent } from "./copy-figures.ts";
import { type CopyTextKey, useCopyText } from "./copy-text.ts";
import { Consequences, onlyAt, Steps } from "./follow-consequences.tsx";
import {
  bodyOf,
  type DraftField,
  draftOf,
  exampleOf,
  FIRST_DRAFT,
  type FollowDraft,
  stopsAt,
  type Wrong,
  wrongsOf,
} from "./follow-form.ts";
import { PairChoice } from "./pair-choice.tsx";

export interface FollowDialogProps {
  readonly kind: CopyKind;
  readonly leader: Pick<LeaderSummary, "leaderId" | "nickname" | "shareRate">;
  /** Of an existing follow: its settings are changed. */
  readonly follow?: Follow | undefined;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

const LEAST = "50";

export function FollowDialog({ kind, leader, follow, onClose, onDone }: FollowDialogProps) {
  const text = useCopyText();
  const { act, busy } = useCopyAct();
  const [draft, setDraft] = useState<FollowDraft>(follow === undefined ? FIRST_DRAFT : draftOf(follow));
  const [agreed, setAgreed] = useState(follow !== undefined);
  const [step, setStep] = useState(1);
  const wrongs = wrongsOf(draft, follow === undefined);
  const isWrong = Object.keys(wrongs).length > 0;
  const send = async () => {
    const body = bodyOf(kind, leader.leaderId, draft);
    const isNew = follow === undefined;
    const sent = isNew
      ? await act(COPY_CALLS[kind].follow, { ...body, investment: draft.investment })
      : await act(COPY_CALLS[kind].settings, body);
    if (sent === undefined) return;
    showToast({ title: isNew ? text("follow.done", { name: leader.nickname }) : text("follow.saved"), tone: "done" });
    onDone();
  };
  const title = text(follow === undefined ? "follow.title" : "follow.settings", { name: leader.nickname });
  return (
    <Dialog title={title} size="wide" isOpen onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Steps step={step} />
      <div className="grid gap-6 md:grid-cols-[minmax(0,1fr)_300px]">
        <Settings
          kind={kind}
          leader={leader}
          draft={draft}
          wrongs={wrongs}
          isNew={follow === undefined}
          step={step}
          onChange={setDraft}
        />
        <div className={`flex flex-col gap-3 ${onlyAt(step, 3)}`}>
          <Consequences leader={leader} draft={draft} />
          <Checkbox isSelected={agreed} onChange={setAgreed}>
            {text("follow.agree")}
          </Checkbox>
          <Button kind="primary" size={40} wide busy={busy} isDisabled={isWrong || !agreed} onPress={() => void send()}>
            {follow === undefined ? text("follow.go", { amount: money(draft.investment) }) : text("follow.save")}
          </Button>
          <p role="status" className="min-h-5 text-center text-[13px] text-muted">
            {isWrong ? text("follow.fix") : ""}
          </p>
        </div>
      </div>
      <div className="mt-4 flex gap-2 md:hidden">
        {step > 1 && (
          <Button size={40} wide onPress={() => setStep(step - 1)}>
            {text("follow.back")}
          </Button>
        )}
        {step < 3 && (
          <Button kind="primary" size={40} wide onPress={() => setStep(step + 1)}>
            {text("follow.next")}
          </Button>
        )}
      </div>
    </Dialog>
  );
}

interface SettingsProps {
  readonly kind: CopyKind;
  readonly leader: FollowDialogProps["leader"];
  readonly draft: FollowDraft;
  readonly wrongs: Partial<Record<DraftField, Wrong>>;
  readonly isNew: boolean;
  readonly step: number;
  readonly onChange: (draft: FollowDraft) => void;
}

const REPLIES: Readonly<Record<Wrong, readonly [CopyTextKey, Readonly<Record<string, string>>]>> = {
  number: ["follow.number", {}],
  least: ["follow.least", { least: LEAST }],
  slippage: ["follow.range", { low: "0.1", high: "5" }],
  multiplier: ["follow.range", { low: "0.01", high: "10" }],
  stopLoss: ["follow.range", { low: "0.01", high: "99.99" }],
  takeProfit: ["follow.range", { low: "100.01", high: "10000" }],
  leverage: ["follow.range", { low: "1", high: "125" }],
  above: ["follow.aboveInvestment", {}],
};

type Field = (name: DraftField, label: string, unit: string, help?: string) => ReactNode;

function Settings(props: SettingsProps) {
  const { draft, wrongs, step, onChange } = props;
  const text = useCopyText();
  const set = (field: DraftField) => (value: string) => onChange({ ...draft, [field]: value.replace(",", ".") });
  const field: Field = (name, label, unit, help) => {
    const wrong = wrongs[name];
    return (
      <TextField
        label={label}
        inputMode="decimal"
        maxLength={16}
        value={String(draft[name])}
        onChange={set(name)}
        suffix={<span className="text-muted">{unit}</span>}
        help={help}
        error={wrong === undefined ? undefined : text(...REPLIES[wrong])}
      />
    );
  };
  return (
    <div className={`flex flex-col gap-4 ${step === 3 ? "max-md:hidden" : ""}`}>
      <Sizing {...props} field={field} onMax={set("investment")} />
      <Guards {...props} field={field} />
    </div>
  );
}

type SizingProps = SettingsProps & { readonly field: Field; readonly onMax: (free: string) => void };

function Sizing({ kind, leader, draft, isNew, step, field, onMax, onChange }: SizingProps) {
  const text = useCopyText();
  const modes = (["fixed", "multiplier", ...(kind === "spot" ? [] : (["proportional"] as const))] as const).map(
    (id) => ({
      id,
      title: text(`follow.${id}`),
    }),
  );
  return (
    <div className={`flex flex-col gap-4 ${onlyAt(step, 1)}`}>
      {isNew && (
        <Investment kind={kind} wanted={draft.investment} onMax={onMax}>
          {(help) => field("investment", text("follow.investment"), "USDT", help)}
        </Investment>
      )}
      <div>
        <p className="mb-1.5 font-medium text-[13px]">{text("follow.sizing")}</p>
        <Segmented
          label={text("follow.sizing")}
          wide
          size={36}
          segments={modes}
          value={draft.mode}
          onChange={(mode) => onChange({ ...draft, mode: mode as FollowDraft["mode"] })}
        />
      </div>
      {draft.mode === "fixed" &&
        field("fixed", text(kind === "spot" ? "follow.fixedSpot" : "follow.fixedAmount"), "USDT")}
      {draft.mode === "multiplier" && field("multiplier", text("follow.times"), "×")}
      <Example kind={kind} leader={leader} draft={draft} />
    </div>
  );
}

function Guards({ kind, draft, step, field, onChange }: SettingsProps & { readonly field: Field }) {
  const text = useCopyText();
  return (
    <div className={`flex flex-col gap-4 ${onlyAt(step, 2)}`}>
      <div className="flex flex-wrap items-baseline justify-between gap-x-3">
        <h3 className="font-semibold text-ui">{text("follow.guards")}</h3>
        <span className="text-[13px] text-muted">{text("follow.guardsNote")}</span>
      </div>
      <div className="grid gap-3 sm:grid-cols-2">
        {field("slippage", text("follow.slippage"), "%", text("follow.slippageHelp"))}
        {kind === "futures" && field("leverage", text("follow.leverage"), "×", text("follow.leverageHelp"))}
        {kind === "futures" && field("leverageMax", text("follow.leverageMax"), "×", text("follow.leverageMaxHelp"))}
        {field("maxOrder", text("follow.maxOrder"), "USDT", text("follow.maxOrderHelp"))}
        {field("maxSymbol", text("follow.maxSymbol"), "USDT", text("follow.maxSymbolHelp"))}
        {field("maxTotal", text("follow.maxTotal"), "USDT", text("follow.maxTotalHelp"))}
        {field(
          "stopLoss",
          text("follow.stopLoss"),
          draft.stopLoss === "" ? "%" : `% = ${money(stopsAt(draft))}`,
          text("follow.stopLossHelp"),
        )}
        {field("takeProfit", text("follow.takeProfit"), "%", text("follow.takeProfitHelp"))}
        {field("dailyLoss", text("follow.dailyLoss"), "USDT", text("follow.dailyLossHelp"))}
      </div>
      <Choices kind={kind} draft={draft} onChange={onChange} />
    </div>
  );
}

const MARGIN_MODES = ["follow", "isolated", "cross"] as const;

/** What is chosen rather than typed: margin as the leader's or another, and which pairs. */
function Choices({ kind, draft, onChange }: Pick<SettingsProps, "kind" | "draft" | "onChange">) {
  const text = useCopyText();
  return (
    <div className="flex flex-col gap-3 border-line border-t pt-3">
      {kind === "futures" && (
        <>
          <p className="-mb-1.5 font-medium text-[13px]">{text("follow.marginMode")}</p>
          <Segmented
            label={text("follow.marginMode")}
            wide
            size={36}
            segments={MARGIN_MODES.map((id) => ({ id, title: text(`follow.margin.${id}`) }))}
            value={draft.marginMode}
            onChange={(mode) => onChange({ ...draft, marginMode: mode as FollowDraft["marginMode"] })}
          />
          <Switch isSelected={draft.mirrorMargin} onChange={(mirrorMargin) => onChange({ ...draft, mirrorMargin })}>
            {text("follow.mirror")}
          </Switch>
        </>
      )}
      <PairChoice kind={kind} draft={draft} onChange={onChange} />
    </div>
  );
}

interface InvestmentProps {
  readonly kind: CopyKind;
  readonly wanted: string;
  readonly onMax: (free: string) => void;
  readonly children: (help: string) => ReactNode;
}

/** The free balance of the funding account; requested again when test funds came. */
function Investment({ kind, wanted, onMax, children }: InvestmentProps) {
  const text = useCopyText();
  const request = useContext(RequestContext);
  const [free, setFree] = useState<string>();
  const [round, setRound] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: requested again in every round
  useEffect(() => {
    const walletType = kind === "spot" ? "1" : "3";
    void request?.call(WALLET_CALLS.accounts, { walletTypeList: [walletType] }).then((answer) => {
      if (!answer.ok) return;
      const held = answer.data.accounts[0]?.assets.find(({ asset }) => asset === "USDT");
      setFree(held?.available ?? "0");
    });
  }, [request, kind, round]);
  const wallet = text(kind === "spot" ? "follow.wallet.spot" : "follow.wallet.futures");
  // A hint, not a judgement: what is short is refused by the exchange.
  const isShort = free !== undefined && Number(free) < Number(wanted);
  return (
    <>
      {children(text("follow.from", { wallet, free: free === undefined ? "–" : money(free), least: LEAST }))}
      {free !== undefined && !isShort && (
        <Button kind="ghost" size={28} className="-mt-3 self-end" onPress={() => onMax(trimZeros(free))}>
          {text("follow.max")}
        </Button>
      )}
      {isShort && <TestFunds asset="USDT" account={kind} onFunded={() => setRound(round + 1)} />}
    </>
  );
}

/** The leader's latest order, and what a copy of it would be. */
function Example({ kind, leader, draft }: Pick<SettingsProps, "kind" | "leader" | "draft">) {
  const text = useCopyText();
  const request = useContext(RequestContext);
  const [detail, setDetail] = useState<Pick<LeaderDetail, "latest" | "equity">>();
  useEffect(() => {
    void request?.call(COPY_CALLS[kind].leader, { id: leader.leaderId }).then((answer) => {
      if (answer.ok) setDetail(answer.data);
    });
  }, [request, kind, leader.leaderId]);
  const latest = detail?.latest ?? null;
  if (latest === null) return null;
  const equity = detail?.equity ?? "0";
  const made = exampleOf(draft, { latest, equity });
  const coin = latest.pairCode.split("_")[0] ?? "";
  const { step } = latest;
  const rate = percent(made.part, 3);
  const yours = {
    fixed: `${money(made.margin)} USDT`,
    multiplier: `${latest.quantity} × ${draft.multiplier}`,
    proportional: text("follow.exampleOf", {
      part: rate,
      whole: money(draft.investment),
      percent: money(made.margin),
    }),
  };
  const isSpot = kind === "spot";
  const taken = text(isSpot ? "follow.exampleMadeSpot" : "follow.exampleMade", {
    quantity: made.quantity,
    coin,
    margin: money(made.taken),
  });
  const row = (label: string, value: string) => (
    <div className="flex flex-wrap justify-between gap-x-4 py-0.5">
      <dt className="text-muted">{label}</dt>
      <dd className="figures">{value}</dd>
    </div>
  );
  return (
    <div className="rounded-control border border-line bg-panel p-3 text-[13px]">
      <p className="mb-1 font-medium">{text("follow.example", { pair: latest.pairCode.replace("_", "") })}</p>
      <dl>
        {row(
          text("follow.exampleLeader"),
          text("follow.exampleOf", { part: money(made.leaderMargin), whole: money(equity), percent: rate }),
        )}
        {row(text("follow.exampleYou"), yours[draft.mode])}
        {row(
          text(isSpot ? "follow.exampleStepSpot" : "follow.exampleStep", { step, coin, leverage: made.leverage }),
          /[1-9]/.test(made.quantity) ? taken : text("follow.exampleNone"),
        )}
      </dl>
    </div>
  );
}
