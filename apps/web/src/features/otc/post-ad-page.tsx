// `/otc/post` and `/otc/ad/…`: a new ad or a posted one section by section, with what is refused beside its field; beside it
// every rule by its name, and what it does.
import { type AdChecks, OTC_AD_PATHS, type OwnAd } from "@clockwork/domains/otcads/api";
import type { PaymentList } from "@clockwork/domains/otcpeople/api";
import { FIATS } from "@clockwork/kit/otc/fiat";
import { AmountField } from "@clockwork/ui/amount-field";
import { Segmented } from "@clockwork/ui/segmented";
import { useEffect, useState } from "react";
import { latePart } from "#boot/late-part.tsx";
import { useCalls } from "#session/auth-context.ts";
import { LateSelect } from "#shell/late-select.tsx";
import { type FieldErrors, fieldErrors, useOtcAction } from "./otc-calls.ts";
import { OtcFrame } from "./otc-frame.tsx";
import { useOtcText } from "./otc-text.ts";
import { draftOf, type Form, formOf, Part, type PartProps, unmetErrors } from "./post-ad-form.tsx";

const PostAdSide = latePart(async () => (await import("./post-ad-side.tsx")).PostAdSide);
const Rank = latePart(async () => (await import("./post-ad-rank.tsx")).Rank);
const Paid = latePart(async () => (await import("./post-ad-terms.tsx")).Paid);
const Who = latePart(async () => (await import("./post-ad-terms.tsx")).Who);

const EMPTY: Form = {
  ...{ side: "sell", asset: "USDT", fiat: "AED", isFloating: true, premium: "100.00", price: "", quantity: "1000" },
  ...{ min: "100", max: "3000", paymentIds: [], windowMinutes: "15", note: "" },
  ...{ needDays: "0", needOrders: "0", needCompletion: "0", isLevel3: false },
};
const CHECK_MS = 300;

interface Checked {
  readonly checks?: AdChecks;
  readonly errors: FieldErrors;
}
const UNCHECKED: Checked = { errors: {} };

/** Asked for a moment after the last change; an answer to what is no longer typed is left. */
function useChecks(form: Form, adId: string | undefined): Checked {
  const calls = useCalls();
  const [checked, setChecked] = useState(UNCHECKED);
  useEffect(() => {
    const draft = draftOf(form);
    if (draft === undefined) {
      setChecked(UNCHECKED);
      return;
    }
    let isPast = false;
    const timer = setTimeout(async () => {
      const body = { ...draft, ...(adId === undefined ? {} : { adId }) };
      const answer = await (await calls()).postJson<AdChecks>(OTC_AD_PATHS.validate, body);
      if (isPast) return;
      setChecked(answer.ok ? { checks: answer.data, errors: {} } : { errors: fieldErrors(answer) });
    }, CHECK_MS);
    return () => {
      isPast = true;
      clearTimeout(timer);
    };
  }, [calls, form, adId]);
  return checked;
}

export interface PostAdPageProps {
  readonly payments: PaymentList | null;
  /** The posted ad that gets new terms. */
  readonly ad?: OwnAd;
}

export function PostAdPage({ payments, ad }: PostAdPageProps) {
  const text = useOtcText();
  const action = useOtcAction();
  const [form, setForm] = useState<Form>(ad === undefined ? EMPTY : formOf(ad));
  const { checks, errors: found } = useChecks(form, ad?.adId);
  const set = (change: Partial<Form>) => {
    action.clear();
    setForm({ ...form, ...change });
  };
  const errors = { ...unmetErrors(text, form, checks), ...found, ...action.fields };
  const isOnline = ad !== undefined && ad.state !== "OFFLINE";
  return (
    <OtcFrame title={text(ad === undefined ? "nav.post" : "ads.edit")}>
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_360px]">
        <div className="rounded-card border border-line bg-bg dark:bg-surface">
          {ad === undefined ? <What form={form} set={set} errors={errors} /> : <Fixed ad={ad} />}
          <Price form={form} set={set} errors={errors} checks={checks} />
          <HowMuch form={form} set={set} errors={errors} isOnline={isOnline} />
          <Paid form={form} set={set} errors={errors} payments={payments} />
          <Who form={form} set={set} errors={errors} />
        </div>
        <PostAdSide form={form} checks={checks} action={action} ad={ad} />
      </div>
    </OtcFrame>
  );
}

/** Another coin or currency is another ad. */
function Fixed({ ad }: { readonly ad: OwnAd }) {
  const text = useOtcText();
  return (
    <Part title={text("post.what")}>
      <p className="text-ui">{text("ads.fixed", { side: text(ad.side), asset: ad.asset, fiat: ad.fiat })}</p>
      {ad.openOrders > 0 && <p className="mt-2 text-[13px] text-warn">{text("ads.editOpen")}</p>}
    </Part>
  );
}

function What({ form, set }: PartProps) {
  const text = useOtcText();
  return (
    <Part
      title={text("post.what")}
      aside={
        <Segmented
          label={text("post.side")}
          segments={[
            { id: "buy", title: text("buy") },
            { id: "sell", title: text("sell") },
          ]}
          value={form.side}
          onChange={(side) => set({ side: side === "buy" ? "buy" : "sell" })}
        />
      }
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <LateSelect
          label={text("post.coin")}
          value={form.asset}
          onChange={(asset) => set({ asset: asset as Form["asset"] })}
          options={["USDT", "BTC", "ETH"].map((id) => ({ id, title: id }))}
        />
        <LateSelect
          label={text("post.for")}
          value={form.fiat}
          onChange={(fiat) => set({ fiat, paymentIds: [] })}
          options={FIATS.map(({ code, name }) => ({ id: code, title: code, detail: name }))}
        />
      </div>
    </Part>
  );
}

function Price({ form, set, errors, checks }: PartProps & { readonly checks: AdChecks | undefined }) {
  const text = useOtcText();
  return (
    <Part
      title={text("post.price")}
      aside={
        <Segmented
          label={text("post.priceKind")}
          segments={[
            { id: "fixed", title: text("post.fixed") },
            { id: "floating", title: text("post.floating") },
          ]}
          value={form.isFloating ? "floating" : "fixed"}
          onChange={(kind) => set({ isFloating: kind === "floating" })}
        />
      }
    >
      <div className="grid items-start gap-4 sm:grid-cols-[200px_1fr]">
        {form.isFloating ? (
          <AmountField
            label={text("post.premium")}
            value={form.premium}
            onChange={(premium) => set({ premium })}
            rules={{ places: 2 }}
            help={text("post.premiumHelp")}
            error={errors.premium}
          />
        ) : (
          <AmountField
            label={text("post.price")}
            value={form.price}
            onChange={(price) => set({ price })}
            rules={{ places: 4 }}
            unit={form.fiat}
            help={text("post.fixedHelp")}
            error={errors.price}
          />
        )}
        {checks !== undefined && (
          <div>
            <p className="figures font-semibold text-[24px] text-text">
              {checks.price ?? "–"}{" "}
              <span className="font-normal text-label text-muted">
                {text("match.per", { fiat: form.fiat, asset: form.asset })}
              </span>
            </p>
            {form.isFloating && (
              <p className="text-[13px] text-muted">
                {text("post.sum", { index: checks.index ?? "–", rate: checks.rate ?? "–", premium: form.premium })}
              </p>
            )}
          </div>
        )}
      </div>
      {checks !== undefined && <Rank checks={checks} side={form.side} />}
    </Part>
  );
}

function HowMuch({ form, set, errors, isOnline }: PartProps & { readonly isOnline: boolean }) {
  const text = useOtcText();
  return (
    <Part title={text("post.howMuch")}>
      <div className="grid gap-4 sm:grid-cols-3">
        <AmountField
          label={text("post.quantity")}
          value={form.quantity}
          onChange={(quantity) => set({ quantity })}
          rules={{ places: 6 }}
          unit={form.asset}
          isDisabled={isOnline}
          help={isOnline ? text("ads.editOnline") : undefined}
          error={errors.quantity}
        />
        <AmountField
          label={text("post.min")}
          value={form.min}
          onChange={(min) => set({ min })}
          rules={{ places: 2 }}
          unit={form.fiat}
          error={errors.min}
        />
        <AmountField
          label={text("post.max")}
          value={form.max}
          onChange={(max) => set({ max })}
          rules={{ places: 2 }}
          unit={form.fiat}
          error={errors.max}
        />
      </div>
    </Part>
  );
}
