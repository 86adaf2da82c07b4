// `/security`: how the account is protected, what to change, why withdrawals rest, and who is signed in.
import type { Lock, Overview } from "@clockwork/identity/security/contract";
import { formatDuration } from "@clockwork/kit/time";
import { Button } from "@clockwork/ui/button";
import { Card } from "@clockwork/ui/card";
import { Icon } from "@clockwork/ui/icon";
import type { IconName } from "@clockwork/ui/logic/icon-paths";
import { type ReactNode, useState } from "react";
import { useRevalidator } from "react-router";
import { useGlobal } from "#boot/state.ts";
import { AccountFrame } from "#shell/account-frame.tsx";
import { StepUp } from "#shell/proof/step-up.tsx";
import { type AccountText, describeOr, useAccountText } from "#words/account-text.ts";
import {
  BindContact,
  BindTotp,
  ChangePassword,
  type ChangeProps,
  CloseAccount,
  FreezeAccount,
  RemoveTotp,
  SetPhishing,
  SetTrade,
} from "./change-modals.tsx";
import { ProtectionGauge } from "./protection-dial.tsx";

export type Change =
  | "proof"
  | "totp"
  | "totp-remove"
  | "email"
  | "phone"
  | "password"
  | "trade"
  | "phishing"
  | "freeze"
  | "close";

export interface SecurityPageProps {
  readonly overview: Overview | null;
  /** How many passkeys there are: a layer of their own. */
  readonly passkeyCount: number;
  /** Below the proofs of identity, by another feature; may request a fresh proof. */
  readonly keys: (onStale: () => void) => ReactNode;
  /** The devices below, by another feature. */
  readonly children: ReactNode;
}

export function SecurityPage({ overview, passkeyCount, keys, children }: SecurityPageProps) {
  const text = useAccountText();
  const id = useGlobal((state) => state.topInfo.id);
  const [change, setChange] = useState<Change>();
  const name = overview?.email ?? overview?.phone ?? "";
  return (
    <AccountFrame
      title={text("security.title")}
      lead={[name, text("security.user", { id: id ?? "" })].filter((part) => part !== "").join(" · ")}
      aside={
        overview !== null && (
          <Button size={40} icon="snowflake" onPress={() => setChange("freeze")}>
            {text("security.freeze")}
          </Button>
        )
      }
    >
      {overview === null ? (
        <p className="text-muted">{text("label.failed")}</p>
      ) : (
        <Panels
          overview={overview}
          onChange={setChange}
          keys={keys(() => setChange("proof"))}
          passkeyCount={passkeyCount}
        />
      )}
      {children}
      {overview !== null && (
        <p className="mt-6">
          <Button onPress={() => setChange("close")}>{text("security.close")}</Button>
        </p>
      )}
      {overview !== null && change !== undefined && (
        <ChangeOver overview={overview} change={change} onClose={() => setChange(undefined)} />
      )}
    </AccountFrame>
  );
}

/** First a fresh proof where the last one is too old, then the change itself. */
function ChangeOver({
  overview,
  change,
  onClose,
}: {
  readonly overview: Overview;
  readonly change: Change;
  readonly onClose: () => void;
}) {
  const { revalidate } = useRevalidator();
  // Freezing is the one change that must never wait for a code.
  const [proved, setProved] = useState(change !== "proof" && (overview.isVerified || change === "freeze"));
  if (!proved)
    return (
      <StepUp
        kind={overview.stepUp}
        hasPasskeys={overview.hasPasskeys}
        onProved={() => (change === "proof" ? onClose() : setProved(true))}
        onClose={onClose}
      />
    );
  const props: ChangeProps = {
    onClose,
    onStale: () => setProved(false),
    onDone: () => {
      onClose();
      void revalidate();
    },
  };
  return <ChangeModal change={change} overview={overview} {...props} />;
}

function ChangeModal({
  change,
  overview,
  ...props
}: ChangeProps & { readonly change: Change; readonly overview: Overview }) {
  switch (change) {
    case "proof":
      return null;
    case "totp":
      return <BindTotp {...props} />;
    case "totp-remove":
      return <RemoveTotp {...props} />;
    case "email":
    case "phone":
      return <BindContact kind={change} isBound={overview[change] !== null} {...props} />;
    case "password":
      return <ChangePassword {...props} />;
    case "trade":
      return <SetTrade isSet={overview.hasTradePassword} {...props} />;
    case "phishing":
      return <SetPhishing {...props} />;
    case "close":
      return <CloseAccount {...props} />;
    case "freeze":
      return <FreezeAccount {...props} />;
  }
}

interface PanelsProps {
  readonly overview: Overview;
  readonly onChange: (change: Change) => void;
}

function Panels({
  overview,
  onChange,
  keys,
  passkeyCount,
}: PanelsProps & { readonly keys: ReactNode; readonly passkeyCount: number }) {
  const text = useAccountText();
  return (
    <div className="mb-4 grid gap-4 lg:grid-cols-[minmax(0,1fr)_344px]">
      <div className="flex flex-col gap-4">
        <Card title={text("security.proofs")}>
          <Proofs overview={overview} onChange={onChange} />
        </Card>
        {keys}
        <Card title={text("security.words")}>
          <Words overview={overview} onChange={onChange} />
        </Card>
        <Restrictions locks={overview.withdrawalLocks} />
      </div>
      <Card title={text("security.protection")} className="self-start">
        <Protection overview={overview} passkeyCount={passkeyCount} />
      </Card>
    </div>
  );
}

function Proofs({ overview, onChange }: PanelsProps) {
  const text = useAccountText();
  const { hasTotp, email, phone } = overview;
  return (
    <>
      <Row
        icon="phone"
        title={text("security.totp")}
        note={text("security.totpNote")}
        state={hasTotp ? text("security.on") : undefined}
        missing={text("security.notOn")}
        action={text(hasTotp ? "act.remove" : "act.setUp")}
        main={!hasTotp}
        onPress={() => onChange(hasTotp ? "totp-remove" : "totp")}
      />
      <Row
        icon="mail"
        title={text("security.email")}
        note={email ?? text("security.emailNote")}
        state={email === null ? undefined : text("security.verified")}
        missing={text("security.notBound")}
        action={text(email === null ? "act.bind" : "act.change")}
        main={hasTotp && email === null}
        onPress={() => onChange("email")}
      />
      <Row
        icon="phone"
        title={text("security.phone")}
        note={phone ?? text("security.phoneNote")}
        state={phone === null ? undefined : text("security.verified")}
        missing={text("security.notBound")}
        action={text(phone === null ? "act.bind" : "act.change")}
        main={hasTotp && email !== null && phone === null}
        onPress={() => onChange("phone")}
      />
    </>
  );
}

function Words({ overview, onChange }: PanelsProps) {
  const text = useAccountText();
  const { hasTradePassword, antiPhishingCode } = overview;
  return (
    <>
      <Row
        icon="lock"
        title={text("security.password")}
        note={text("security.passwordNote")}
        state={text("security.isSet")}
        missing=""
        action={text("act.change")}
        onPress={() => onChange("password")}
      />
      <Row
        icon="key"
        title={text("security.trade")}
        note={text("security.tradeNote")}
        state={hasTradePassword ? text("security.isSet") : undefined}
        missing={text("security.notOn")}
        action={text(hasTradePassword ? "act.change" : "act.set")}
        onPress={() => onChange("trade")}
      />
      <Row
        icon="mail"
        title={text("security.phishing")}
        note={text("security.phishingNote")}
        state={antiPhishingCode === null ? undefined : antiPhishingCode}
        missing={text("security.notOn")}
        action={text(antiPhishingCode === null ? "act.set" : "act.change")}
        onPress={() => onChange("phishing")}
      />
    </>
  );
}

interface RowProps {
  readonly icon: IconName;
  readonly title: string;
  readonly note: string;
  /** Undefined: not there yet, shown by `missing`. */
  readonly state: string | undefined;
  readonly missing: string;
  readonly action: string;
  /** The one main action of the page: the next layer to add. */
  readonly main?: boolean;
  readonly onPress: () => void;
}

function Row({ icon, title, note, state, missing, action, main = false, onPress }: RowProps) {
  return (
    <div className="flex items-center gap-4 border-line border-b py-3 last:border-0 last:pb-0">
      <span className="flex size-10 shrink-0 items-center justify-center rounded-control bg-surface max-sm:hidden dark:bg-control">
        <Icon name={icon} />
      </span>
      <div className="min-w-0 flex-1">
        <p className="font-medium text-ui">{title}</p>
        <p className="text-[13px] text-muted leading-5">{note}</p>
      </div>
      <p
        className={`flex shrink-0 items-center gap-1.5 text-[13px] max-sm:hidden ${state === undefined ? "text-warn" : "text-text"}`}
      >
        <Icon name={state === undefined ? "warning" : "check"} size={14} />
        {state ?? missing}
      </p>
      <Button
        size={32}
        kind={main ? "primary" : "neutral"}
        aria-label={`${action}: ${title}`}
        onPress={onPress}
        className="w-[92px]"
      >
        {action}
      </Button>
    </div>
  );
}

function Restrictions({ locks }: { readonly locks: readonly Lock[] }) {
  const text = useAccountText();
  const leftMs = Math.max(0, ...locks.map((lock) => lock.leftMs));
  const rests = leftMs > 0;
  return (
    <Card>
      <p data-locked={rests} className="flex items-start gap-3 text-ui">
        <Icon name={rests ? "clock" : "info"} className={`mt-0.5 ${rests ? "text-warn" : ""}`} />
        <span>
          <b className="font-semibold">
            {rests ? text("security.rests", { left: formatDuration(leftMs) }) : text("security.free")}
          </b>{" "}
          {rests && (
            <span className="text-muted">{text("security.cause", { causes: describeCauses(text, locks) })}</span>
          )}
        </span>
      </p>
    </Card>
  );
}

function describeCauses(text: AccountText, locks: readonly Lock[]): string {
  return [...new Set(locks.map(({ cause }) => describeOr(text, `cause.${cause}`, text("cause.other"))))].join(", ");
}

function Protection({ overview, passkeyCount }: { readonly overview: Overview; readonly passkeyCount: number }) {
  const text = useAccountText();
  const layers: readonly (readonly [boolean, string])[] = [
    [overview.hasTotp, text("security.totp")],
    [passkeyCount > 0, text("passkeys.title")],
    [overview.email !== null, text("security.email")],
    [overview.phone !== null, text("security.phone")],
    [overview.hasTradePassword, text("security.trade")],
    [overview.antiPhishingCode !== null, text("security.phishing")],
  ];
  const on = layers.filter(([isOn]) => isOn).length;
  const next = layers.find(([isOn]) => !isOn);
  return (
    <>
      <ProtectionGauge on={on} all={layers.length} />
      <p className="mt-1 text-center text-muted text-ui">
        {next === undefined ? text("security.allLayers") : text("security.nextLayer", { layer: next[1] })}
      </p>
    </>
  );
}
