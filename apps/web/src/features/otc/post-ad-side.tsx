// Next to an ad's form: every rule by its name, the exact effect, and the buttons to post or save it. Missing coins are
// transferred from Spot by a click.

import { type AdChecks, OTC_AD_CALLS, type OwnAd } from "@clockwork/fiat/otcads/contract";
import { formatCoins, formatDecimal } from "@clockwork/kit/format";
import { WALLET_CALLS } from "@clockwork/trading/wallet/contract";
import { Avatar } from "@clockwork/ui/avatar";
import { Button } from "@clockwork/ui/button";
import { Card } from "@clockwork/ui/card";
import { Icon } from "@clockwork/ui/icon";
import { useNavigate } from "react-router";
import { useSitePath } from "#boot/site-link.tsx";
import { FormError } from "#session/auth-fields.tsx";
import type { OtcAction } from "./otc-calls.ts";
import { describeOr, recordText, useOtcText } from "./otc-text.ts";
import { draftOf, type Form } from "./post-ad-form.tsx";

interface ShownProps {
  readonly form: Form;
  readonly checks: AdChecks | undefined;
}
export interface PostAdSideProps extends ShownProps {
  readonly action: OtcAction;
  readonly ad: OwnAd | undefined;
  /** What was typed need not be kept any more. */
  readonly onPosted: () => void;
}

export function PostAdSide({ form, checks, action, ad, onPosted }: PostAdSideProps) {
  const text = useOtcText();
  // Coins are needed to go online, not to write the terms down.
  const isGood = checks?.checks.every(({ rule, isMet }) => isMet || (ad !== undefined && rule === "funds")) === true;
  return (
    <div className="flex flex-col gap-4 lg:sticky lg:top-20">
      <Preview form={form} checks={checks} />
      <Card title={text("post.checks")}>
        <ul className="flex flex-col gap-2 text-ui">
          {checks?.checks.map(({ rule, isMet, value }) => (
            <li key={rule} className={`flex items-center gap-2 ${isMet ? "" : "text-warn"}`}>
              <Icon name={isMet ? "check" : "warning"} size={16} />
              {text(`check.${rule}`)}
              <span className="figures ml-auto shrink-0 text-[13px] text-muted">
                {rule === "merchant"
                  ? describeOr(text, `merchant.state.${value}`, text("check.noMerchant"))
                  : value.replace(/\d+(\.\d+)?/g, formatCoins)}
              </span>
            </li>
          ))}
          {checks === undefined && <li className="text-muted">{text("post.unchecked")}</li>}
        </ul>
      </Card>
      <Card title={text("post.effect")}>
        <Effect form={form} checks={checks} />
        <FormError>{action.error}</FormError>
        <Missing form={form} checks={checks} action={action} />
        {ad === undefined ? (
          <Press form={form} isGood={isGood} action={action} onPosted={onPosted} />
        ) : (
          <Save form={form} isGood={isGood} action={action} adId={ad.adId} onPosted={onPosted} />
        )}
      </Card>
    </div>
  );
}

/** The line of the list as others will see it. */
function Preview({ form, checks }: ShownProps) {
  const text = useOtcText();
  const money = (value: string): string => (value === "" ? "–" : formatDecimal(value, { grouped: true, decimals: 0 }));
  const side = form.side === "sell" ? "buy" : "sell";
  return (
    <Card title={text("post.preview")}>
      {checks !== undefined && (
        <div className="mb-3 flex items-center gap-3">
          <Avatar name={checks.maker.name} size={36} />
          <p className="min-w-0">
            <span className="block font-medium text-ui">{checks.maker.name}</span>
            <span className="block text-label text-muted">{recordText(text, checks.maker)}</span>
          </p>
        </div>
      )}
      <div className="figures flex items-start justify-between gap-3 rounded-control bg-surface p-3 dark:bg-bg">
        <p>
          <span className="block font-semibold text-[18px] text-text">{checks?.price ?? "–"}</span>
          <span className="block text-label text-muted">
            {text("match.per", { fiat: form.fiat, asset: form.asset })}
          </span>
        </p>
        <p className="text-right">
          <span className="block text-ui">
            {form.quantity === "" ? "–" : formatCoins(form.quantity)} {form.asset}
          </span>
          <span className="block text-label text-muted">
            {text("list.between", { min: money(form.min), max: money(form.max), fiat: form.fiat })}
          </span>
        </p>
      </div>
      <p className="mt-3 flex flex-wrap items-center gap-x-3 text-[13px]">
        {checks?.ways.map((kind) => (
          <span key={kind} className="border-line2 border-l-2 pl-2">
            {text(`pay.${kind}`)}
          </span>
        ))}
        <span className="ml-auto rounded-control border border-line px-3 py-1.5 font-medium text-muted">
          {text(side)} {form.asset}
        </span>
      </p>
    </Card>
  );
}

function Effect({ form, checks }: ShownProps) {
  const text = useOtcText();
  const shown = (value: string | undefined): string => (value === undefined ? "–" : formatCoins(value));
  const lines = [
    [text("post.frozen"), shown(checks?.frozen), form.asset],
    [text("post.total"), checks === undefined ? "–" : formatDecimal(checks.total, { grouped: true }), form.fiat],
    [text("post.fee"), shown(checks?.fee), form.asset],
    [text("post.free"), shown(checks?.free), form.asset],
  ] as const;
  return (
    <dl className="mb-4 grid grid-cols-[1fr_auto] gap-y-2 text-ui">
      {lines.map(([name, value, unit]) => (
        <div key={name} className="contents">
          <dt className="text-muted">{name}</dt>
          <dd className="figures text-right">
            {value} {unit}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Missing({ form, checks, action }: ShownProps & { readonly action: OtcAction }) {
  const text = useOtcText();
  if (checks === undefined || checks.missing === "0") return null;
  const choice = { asset: form.asset, amount: checks.missing, from: "1", to: "2" } as const;
  return (
    <div className="mb-3 rounded-control bg-warn-soft p-3 text-ui text-warn">
      <p>{text("post.missing", { amount: formatCoins(checks.missing), asset: form.asset })}</p>
      <Button size={32} className="mt-2" onPress={() => void action.intend("otc-fund", WALLET_CALLS.transfer, choice)}>
        {text("post.transfer")}
      </Button>
    </div>
  );
}

interface PressProps {
  readonly form: Form;
  readonly isGood: boolean;
  readonly action: OtcAction;
  readonly onPosted: () => void;
}

function Press({ form, isGood, action, onPosted }: PressProps) {
  const text = useOtcText();
  const navigate = useNavigate();
  const sitePath = useSitePath();
  const draft = draftOf(form);
  const post = async (online: boolean) => {
    if (draft === undefined) return;
    const posted = await action.intend("otc-ad", OTC_AD_CALLS.add, { ...draft, online });
    if (posted === undefined) return;
    onPosted();
    await navigate(sitePath("/otc/ads"));
  };
  return (
    <div className="flex flex-col gap-2">
      <Button kind="primary" size={40} wide busy={action.isBusy} isDisabled={!isGood} onPress={() => void post(true)}>
        {text("post.online")}
      </Button>
      <Button size={40} wide isDisabled={draft === undefined} onPress={() => void post(false)}>
        {text("post.save")}
      </Button>
    </div>
  );
}

function Save({ form, isGood, action, adId, onPosted }: PressProps & { readonly adId: string }) {
  const text = useOtcText();
  const navigate = useNavigate();
  const sitePath = useSitePath();
  const save = async () => {
    const terms = draftOf(form);
    if (terms === undefined) return;
    const saved = await action.run(OTC_AD_CALLS.update, { adId, terms });
    if (saved === undefined) return;
    onPosted();
    await navigate(sitePath("/otc/ads"));
  };
  return (
    <Button kind="primary" size={40} wide busy={action.isBusy} isDisabled={!isGood} onPress={() => void save()}>
      {text("ads.save")}
    </Button>
  );
}
