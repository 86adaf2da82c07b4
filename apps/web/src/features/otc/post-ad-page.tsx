// `/otc/post` and `/otc/ad/…`: a new ad or a posted one section by section, with refusals next to their fields; to the
// side every rule by its name, and its effect.
import { type AdChecks, OTC_AD_CALLS, type OwnAd } from "@clockwork/fiat/otcads/contract";
import type { PaymentList } from "@clockwork/fiat/otcpeople/contract";
import { FIATS } from "@clockwork/kit/otc/fiat";
import { formatDateTime } from "@clockwork/kit/time";
import { AmountField } from "@clockwork/ui/amount-field";
import { Button } from "@clockwork/ui/button";
import { Segmented } from "@clockwork/ui/segmented";
import { useEffect, useRef, useState } from "react";
import { latePart } from "#boot/late-part.tsx";
import { useGlobal } from "#boot/state.ts";
import { useCalls } from "#session/auth-context.ts";
import { useZone } from "#session/zone.ts";
import { LateSelect } from "#shell/late-select.tsx";
import { keepDraft, readDraft } from "./ad-drafts.ts";
import { type FieldErrors, fieldErrors, useEvery, useOtcAction } from "./otc-calls.ts";
import { OtcFrame } from "./otc-frame.tsx";
import { useOtcText } from "./otc-text.ts";
import {
  draftOf,
  EMPTY_FORM,
  type Form,
  formOf,
  Part,
  type PartProps,
  soleAccount,
  unmetErrors,
} from "./post-ad-form.tsx";

const PostAdSide = latePart(async () => (await import("./post-ad-side.tsx")).PostAdSide);
const PriceLine = latePart(async () => (await import("./post-ad-price.tsx")).PriceLine);
const Rank = latePart(async () => (await import("./post-ad-rank.tsx")).Rank);
const Paid = latePart(async () => (await import("./post-ad-terms.tsx")).Paid);
const Who = latePart(async () => (await import("./post-ad-terms.tsx")).Who);

const CHECK_MS = 300;
/** The index moves while the user types: rules and rank are requested again at this interval. */
const AGAIN_MS = 10_000;

interface Checked {
  readonly checks?: AdChecks;
  readonly errors: FieldErrors;
}
const UNCHECKED: Checked = { errors: {} };

/** Requested shortly after the last change; an answer to outdated input is dropped. */
function useChecks(form: Form, adId: string | undefined): Checked {
  const calls = useCalls();
  const [checked, setChecked] = useState(UNCHECKED);
  const [turn, setTurn] = useState(0);
  useEvery(AGAIN_MS, () => setTurn((last) => last + 1));
  // biome-ignore lint/correctness/useExhaustiveDependencies: another turn repeats the request
  useEffect(() => {
    const draft = draftOf(form);
    if (draft === undefined) {
      setChecked(UNCHECKED);
      return;
    }
    let isPast = false;
    const timer = setTimeout(async () => {
      const body = { ...draft, ...(adId === undefined ? {} : { adId }) };
      const answer = await (await calls()).call(OTC_AD_CALLS.validate, body);
      if (isPast) return;
      setChecked(answer.ok ? { checks: answer.data, errors: {} } : { errors: fieldErrors(answer) });
    }, CHECK_MS);
    return () => {
      isPast = true;
      clearTimeout(timer);
    };
  }, [calls, form, adId, turn]);
  return checked;
}

/** What is typed is kept in this browser until it is posted or dropped. */
function useDraft(ad: OwnAd | undefined, payments: PaymentList | null) {
  const owner = useGlobal((state) => state.topInfo.id) ?? "";
  const name = ad?.adId ?? "new";
  const empty = { ...EMPTY_FORM, paymentIds: soleAccount(payments, EMPTY_FORM.fiat) };
  const first = ad === undefined ? empty : formOf(ad);
  const [form, setForm] = useState<Form>(first);
  const [keptAtMs, setKeptAtMs] = useState<number>();
  const known = useRef(payments);
  // Once, after hydration: the server has no drafts.
  useEffect(() => {
    const kept = readDraft(owner, name);
    if (kept === undefined) return;
    const ids = known.current?.payments.map(({ paymentId }) => paymentId) ?? [];
    setForm({ ...kept.form, paymentIds: kept.form.paymentIds.filter((id) => ids.includes(id)) });
    setKeptAtMs(kept.atMs);
  }, [owner, name]);
  return {
    form,
    keptAtMs,
    setForm(next: Form): void {
      setForm(next);
      keepDraft(owner, name, { form: next, atMs: Date.now() });
    },
    drop(): void {
      keepDraft(owner, name, undefined);
      setForm(first);
      setKeptAtMs(undefined);
    },
  };
}

export interface PostAdPageProps {
  readonly payments: PaymentList | null;
  /** The posted ad that gets new terms. */
  readonly ad?: OwnAd;
}

export function PostAdPage({ payments, ad }: PostAdPageProps) {
  const text = useOtcText();
  const action = useOtcAction();
  const zone = useZone();
  const { form, setForm, keptAtMs, drop } = useDraft(ad, payments);
  const { checks, errors: found } = useChecks(form, ad?.adId);
  const set = (change: Partial<Form>) => {
    action.clear();
    setForm({ ...form, ...change });
  };
  const errors = { ...unmetErrors(text, form, checks), ...found, ...action.fields };
  const isOnline = ad !== undefined && ad.state !== "OFFLINE";
  return (
    <OtcFrame title={text(ad === undefined ? "nav.post" : "ads.edit")}>
      {keptAtMs !== undefined && (
        <p role="status" className="mb-3 flex flex-wrap items-center gap-3 text-muted text-ui">
          {text("post.draft", { time: formatDateTime(keptAtMs, zone) })}
          <Button size={32} onPress={drop}>
            {text("post.draftDrop")}
          </Button>
        </p>
      )}
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_360px]">
        <div className="rounded-card border border-line bg-bg dark:bg-surface">
          {ad === undefined ? <What form={form} set={set} errors={errors} payments={payments} /> : <Fixed ad={ad} />}
          <Price form={form} set={set} errors={errors} checks={checks} />
          <HowMuch form={form} set={set} errors={errors} isOnline={isOnline} />
          <Paid form={form} set={set} errors={errors} payments={payments} />
          <Who form={form} set={set} errors={errors} />
        </div>
        <PostAdSide form={form} checks={checks} action={action} ad={ad} onPosted={drop} />
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

function What({ form, set, payments }: PartProps & { readonly payments: PaymentList | null }) {
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
          onChange={(fiat) => set({ fiat, paymentIds: soleAccount(payments, fiat) })}
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
        <PriceLine form={form} checks={checks} />
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
