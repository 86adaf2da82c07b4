// What an ad's form holds, how it becomes a draft, how a posted ad becomes a form again, and the frame of its sections.
import type { AdChecks, AdDraft, OwnAd } from "@clockwork/fiat/otcads/contract";
import type { PaymentList } from "@clockwork/fiat/otcpeople/contract";
import type { ReactNode } from "react";
import type { FieldErrors } from "./otc-calls.ts";
import type { OtcText } from "./otc-text.ts";

/** What the form holds while it is written. */
export interface Form {
  readonly side: "buy" | "sell";
  readonly asset: "USDT" | "BTC" | "ETH";
  readonly fiat: string;
  readonly isFloating: boolean;
  readonly premium: string;
  readonly price: string;
  readonly quantity: string;
  readonly min: string;
  readonly max: string;
  readonly paymentIds: readonly string[];
  readonly windowMinutes: string;
  readonly note: string;
  readonly needDays: string;
  readonly needOrders: string;
  readonly needCompletion: string;
  readonly isLevel3: boolean;
  readonly isTraded: boolean;
}

export const EMPTY_FORM: Form = {
  side: "sell",
  asset: "USDT",
  fiat: "AED",
  isFloating: true,
  premium: "100.00",
  price: "",
  quantity: "1000",
  min: "100",
  max: "3000",
  paymentIds: [],
  windowMinutes: "15",
  note: "",
  needDays: "0",
  needOrders: "0",
  needCompletion: "0",
  isLevel3: false,
  isTraded: false,
};

/** A user with one account in a currency is paid to that one; with several, they choose. */
export function soleAccount(payments: PaymentList | null, fiat: string): readonly string[] {
  const own = payments?.payments.filter((one) => one.fiat === fiat) ?? [];
  return own.length === 1 ? own.map(({ paymentId }) => paymentId) : [];
}

/** A posted ad in the form; the price it does not have is empty. */
export function formOf(ad: OwnAd): Form {
  const { side, fiat, quantity, min, max, paymentIds, note, isFloating } = ad;
  return {
    side,
    fiat,
    quantity,
    min,
    max,
    paymentIds,
    note,
    isFloating,
    asset: ad.asset as Form["asset"],
    premium: isFloating ? ad.premium : "100.00",
    price: isFloating ? "" : (ad.price ?? ""),
    windowMinutes: String(ad.windowMinutes),
    needDays: String(ad.needDays),
    needOrders: String(ad.needOrders),
    needCompletion: String(ad.needCompletion),
    isLevel3: ad.needLevel > 2,
    isTraded: ad.needTraded,
  };
}

/** Input is sent unchanged: the exchange's refusals appear next to the field. */
const wholeOf = (typed: string, otherwise: number): number => (typed.trim() === "" ? otherwise : Number(typed));

/** As the exchange takes it; undefined while something is missing. */
export function draftOf(form: Form): AdDraft | undefined {
  const { side, asset, fiat, quantity, min, max, note } = form;
  const isPriced = form.isFloating ? /^\d{2,3}(\.\d{1,2})?$/.test(form.premium) : form.price !== "";
  if (!isPriced || quantity === "" || min === "" || max === "" || form.paymentIds.length === 0) return undefined;
  return {
    side,
    asset,
    fiat,
    quantity,
    min,
    max,
    note,
    paymentIds: [...form.paymentIds],
    ...(form.isFloating ? { premium: form.premium } : { price: form.price }),
    windowMinutes: wholeOf(form.windowMinutes, 15),
    needLevel: form.isLevel3 ? 3 : 2,
    needTraded: form.isTraded,
    needDays: wholeOf(form.needDays, 0),
    needOrders: wholeOf(form.needOrders, 0),
    needCompletion: wholeOf(form.needCompletion, 0),
  };
}

/** The message of an unmet rule next to its field. */
export function unmetErrors(text: OtcText, { isFloating }: Form, checks: AdChecks | undefined): FieldErrors {
  const fieldOf = { price: isFloating ? "premium" : "price", orderMax: "max", payments: "paymentIds" } as const;
  const unmet = checks?.checks.filter(({ isMet }) => !isMet) ?? [];
  return Object.fromEntries(
    unmet.flatMap(({ rule, value }) =>
      rule === "price" || rule === "orderMax" || rule === "payments"
        ? [[fieldOf[rule], text(`post.unmet.${rule}`, { value })]]
        : [],
    ),
  );
}

export interface PartProps {
  readonly form: Form;
  readonly set: (change: Partial<Form>) => void;
  readonly errors: FieldErrors;
}

export function Part({ title, aside, children }: { title: string; aside?: ReactNode; children: ReactNode }) {
  return (
    <section className="border-line border-b p-4 last:border-0 lg:p-6">
      <header className="mb-3 flex items-center justify-between gap-3">
        <h2 className="text-card text-text">{title}</h2>
        {aside}
      </header>
      {children}
    </section>
  );
}
