// `/otc/merchant`: applying with a bond, the application's state, hours and first reply, refill and exit, bills.
import { type Merchant, type MerchantCentre, OTC_PEOPLE_CALLS } from "@clockwork/fiat/otcpeople/contract";
import type { FinanceBills, LegalTender } from "@clockwork/fiat/otcproviders/contract";
import { formatCoins, formatDecimal } from "@clockwork/kit/format";
import { formatMinute } from "@clockwork/kit/time";
import { Button } from "@clockwork/ui/button";
import { Card } from "@clockwork/ui/card";
import { Icon } from "@clockwork/ui/icon";
import { buttonClass } from "@clockwork/ui/logic/button-style";
import { Badge } from "@clockwork/ui/pill";
import { EmptyState } from "@clockwork/ui/state";
import { TextField } from "@clockwork/ui/text-field";
import { useState } from "react";
import { useRevalidator } from "react-router";
import { SiteLink } from "#boot/site-link.tsx";
import { FormError } from "#session/auth-fields.tsx";
import { LateSelect } from "#shell/late-select.tsx";
import { BillTable } from "./bills-page.tsx";
import { clockText, readClock } from "./hours.ts";
import { useEvery, useOtcAction } from "./otc-calls.ts";
import { OtcFrame } from "./otc-frame.tsx";
import { useOtcText } from "./otc-text.ts";

export interface MerchantPageProps {
  readonly centre: MerchantCentre | null;
  readonly bills: FinanceBills | null;
  readonly tender: LegalTender | null;
}

const REFRESH_MS = 3_000;
const SHOWN = 8;

export function MerchantPage({ centre, bills, tender }: MerchantPageProps) {
  const text = useOtcText();
  const { revalidate } = useRevalidator();
  const state = centre?.merchant?.state;
  useEvery(REFRESH_MS, () => (state === "APPLIED" || state === "AUDIT") && void revalidate());
  if (centre === null)
    return (
      <OtcFrame title={text("nav.merchant")}>
        <EmptyState boxed text={text("failed")} />
      </OtcFrame>
    );
  const { merchant } = centre;
  return (
    <OtcFrame title={text("nav.merchant")} lead={text("merchant.lead")}>
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_408px]">
        {merchant === null || merchant.state === "EXITED" ? (
          <Apply centre={centre} onDone={() => void revalidate()} />
        ) : (
          <Standing merchant={merchant} bonds={centre.bonds} onDone={() => void revalidate()} />
        )}
        <Bills bills={bills} tender={tender} />
      </div>
    </OtcFrame>
  );
}

function Apply({ centre, onDone }: { readonly centre: MerchantCentre; readonly onDone: () => void }) {
  const text = useOtcText();
  const action = useOtcAction();
  const [level, setLevel] = useState("1");
  const [name, setName] = useState("");
  const bond = centre.bonds.find((one) => String(one.level) === level);
  const needs = [
    [
      text("merchant.needs.level", { level: bond?.identityLevel ?? 2 }),
      centre.identityLevel >= (bond?.identityLevel ?? 2),
    ],
    [text("merchant.needs.factor"), centre.hasSecondFactor],
    [
      text("merchant.needs.age", { days: centre.accountDays, min: centre.accountDaysMin }),
      centre.accountDays >= centre.accountDaysMin,
    ],
    [
      text("merchant.needs.funds", { amount: formatCoins(bond?.bondUsdt ?? "0") }),
      Number(centre.fundingUsdt) >= Number(bond?.bondUsdt ?? 0),
    ],
  ] as const;
  const apply = async () => {
    if ((await action.run(OTC_PEOPLE_CALLS.apply, { level: Number(level), name })) !== undefined) onDone();
  };
  return (
    <Card title={text("merchant.apply")}>
      <div className="flex flex-col gap-4">
        <FormError>{action.error}</FormError>
        <LateSelect
          label={text("merchant.bond")}
          value={level}
          onChange={setLevel}
          options={centre.bonds.map((one) => ({
            id: String(one.level),
            title: text("merchant.bondUsdt", { amount: formatDecimal(one.bondUsdt, { grouped: true }) }),
            detail: text("merchant.allows", {
              ads: one.adsMax,
              max: formatDecimal(one.orderMaxUsdt, { grouped: true, decimals: 0 }),
              level: one.identityLevel,
            }),
          }))}
        />
        <TextField label={text("merchant.name")} name="trading-name" maxLength={30} value={name} onChange={setName} />
        <ul className="flex flex-col gap-2 text-ui" aria-label={text("merchant.needs")}>
          {needs.map(([words, isMet]) => (
            <li key={words} className={`flex items-center gap-2 ${isMet ? "" : "text-warn"}`}>
              <Icon name={isMet ? "check" : "warning"} size={16} />
              {words}
            </li>
          ))}
        </ul>
        {centre.hasSimulatedReviewer && <p className="text-[13px] text-muted">{text("merchant.simulatedReviewer")}</p>}
        <div>
          <Button
            kind="primary"
            size={40}
            busy={action.isBusy}
            isDisabled={name.trim().length < 3 || needs.some(([, isMet]) => !isMet)}
            onPress={() => void apply()}
          >
            {text("merchant.send")}
          </Button>
        </div>
      </div>
    </Card>
  );
}

interface RaiseProps {
  readonly merchant: Merchant;
  readonly bonds: MerchantCentre["bonds"];
  readonly isBusy: boolean;
  readonly onRaise: (level: number) => void;
}

/** The bonds above the current one, and what each permits. */
function Raise({ merchant, bonds, isBusy, onRaise }: RaiseProps) {
  const text = useOtcText();
  const higher = bonds.filter(({ level }) => level > merchant.level);
  return (
    <ul className="mt-3 flex flex-col gap-2 text-ui">
      {higher.map((one) => (
        <li key={one.level} className="flex flex-wrap items-center justify-between gap-3">
          <span className="text-muted">
            {text("merchant.allows", {
              ads: one.adsMax,
              max: formatDecimal(one.orderMaxUsdt, { grouped: true, decimals: 0 }),
              level: one.identityLevel,
            })}
          </span>
          <Button size={32} busy={isBusy} onPress={() => onRaise(one.level)}>
            {text("merchant.raise", { amount: formatDecimal(one.bondUsdt, { grouped: true }) })}
          </Button>
        </li>
      ))}
    </ul>
  );
}

interface StandingProps {
  readonly merchant: Merchant;
  readonly bonds: MerchantCentre["bonds"];
  readonly onDone: () => void;
}

function Standing({ merchant, bonds, onDone }: StandingProps) {
  const text = useOtcText();
  const action = useOtcAction();
  const missing = Number(merchant.bondDueUsdt) - Number(merchant.bondUsdt);
  const run = async (called: typeof OTC_PEOPLE_CALLS.refill) => {
    if ((await action.run(called, {})) !== undefined) onDone();
  };
  const raise = async (level: number) => {
    if ((await action.run(OTC_PEOPLE_CALLS.upgrade, { level })) !== undefined) onDone();
  };
  const isWorking = merchant.state === "ACTIVE" || merchant.state === "SUSPENDED";
  return (
    <div className="flex flex-col gap-4">
      <Card title={merchant.name} aside={<Badge>{text(`merchant.state.${merchant.state}`)}</Badge>}>
        <FormError>{action.error}</FormError>
        <p className="figures text-ui">
          {text("merchant.bond")}: {text("merchant.bondUsdt", { amount: formatCoins(merchant.bondUsdt) })}
        </p>
        {merchant.reason !== "" && <p className="mt-2 text-ui text-warn">{merchant.reason}</p>}
        {isWorking && missing > 0 && (
          <div className="mt-3 rounded-control bg-warn-soft p-3 text-ui text-warn">
            <p>{text("merchant.refillBy", { time: formatMinute(merchant.refillByMs) })}</p>
            <Button size={32} className="mt-2" onPress={() => void run(OTC_PEOPLE_CALLS.refill)}>
              {text("merchant.refill", { amount: String(missing) })}
            </Button>
          </div>
        )}
        {merchant.state === "ACTIVE" && missing <= 0 && (
          <Raise merchant={merchant} bonds={bonds} isBusy={action.isBusy} onRaise={(level) => void raise(level)} />
        )}
        {merchant.state === "EXITING" && (
          <p className="mt-2 text-muted text-ui">
            {text("merchant.exitAt", { time: formatMinute(merchant.exitAtMs) })}
          </p>
        )}
        {isWorking && (
          <Button size={32} kind="ghost" className="mt-3" onPress={() => void run(OTC_PEOPLE_CALLS.exit)}>
            {text("merchant.exit")}
          </Button>
        )}
      </Card>
      {isWorking && <Hours merchant={merchant} onDone={onDone} />}
    </div>
  );
}

function Hours({ merchant, onDone }: { readonly merchant: Merchant; readonly onDone: () => void }) {
  const text = useOtcText();
  const action = useOtcAction();
  const [opens, setOpens] = useState(clockText(merchant.opensMinute));
  const [closes, setCloses] = useState(clockText(merchant.closesMinute));
  const [reply, setReply] = useState(merchant.reply);
  const [opensMinute, closesMinute] = [readClock(opens), readClock(closes)];
  const errorOf = (minute: number | undefined) => (minute === undefined ? text("merchant.clock") : undefined);
  const save = async () => {
    if (opensMinute === undefined || closesMinute === undefined) return;
    if ((await action.run(OTC_PEOPLE_CALLS.settings, { opensMinute, closesMinute, reply })) !== undefined) onDone();
  };
  return (
    <Card title={text("merchant.hours")}>
      <FormError>{action.error}</FormError>
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label={text("merchant.opens")}
          value={opens}
          onChange={setOpens}
          maxLength={5}
          error={errorOf(opensMinute)}
        />
        <TextField
          label={text("merchant.closes")}
          value={closes}
          onChange={setCloses}
          maxLength={5}
          error={errorOf(closesMinute)}
        />
      </div>
      <p className="mt-2 text-[13px] text-muted">{text("merchant.hoursHelp")}</p>
      <TextField className="mt-3" label={text("merchant.reply")} maxLength={300} value={reply} onChange={setReply} />
      <Button
        size={36}
        className="mt-3"
        busy={action.isBusy}
        isDisabled={opensMinute === undefined || closesMinute === undefined}
        onPress={() => void save()}
      >
        {text("merchant.save")}
      </Button>
    </Card>
  );
}

/** The newest few; all of them have a page of their own. */
function Bills({ bills, tender }: Omit<MerchantPageProps, "centre">) {
  const text = useOtcText();
  const all = (
    <SiteLink to="/otc/bills" className={buttonClass({ size: 32 })}>
      {text("bills.open")}
    </SiteLink>
  );
  return (
    <Card title={text("merchant.bills")} aside={all}>
      {tender?.assets.map(({ fiat, name, amount }) => (
        <p key={fiat} className="figures flex justify-between py-1 text-ui">
          <span className="text-muted">{name}</span>
          {formatDecimal(amount, { grouped: true })} {fiat}
        </p>
      ))}
      {bills === null || bills.bills.length === 0 ? (
        <p className="text-muted text-ui">{text(bills === null ? "failed" : "bills.none")}</p>
      ) : (
        <BillTable bills={bills.bills.slice(0, SHOWN)} isNarrow />
      )}
    </Card>
  );
}
