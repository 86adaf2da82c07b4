// What every order form offers, whichever product it trades: the kinds of orders, how long they live, the fields both
// forms have. Types and choices only.

import type { TimezoneName } from "@clockwork/kit/constants";
import { ORDER_KINDS as DESCRIBED, type OrderKind as Kind, ORDER_TYPES } from "@clockwork/trading/orders/contract";
import type { FieldBinding } from "./fields.tsx";
import type { LadderShape } from "./ladder.ts";

export type OrderKind = Kind;
export const ORDER_KINDS: readonly OrderKind[] = ORDER_TYPES;

/** Everything but the two that are one click away. */
export function isPlanKind(kind: OrderKind): boolean {
  return kind !== "limit" && kind !== "market";
}

/** The fields of a kind in every form, in the order they are shown and judged. */
export const kindFields = (kind: OrderKind): readonly SharedField[] => DESCRIBED[kind].fields;

/** Rests outside the book until a price: a buy's money is held only then. */
export const isWaiting = (kind: OrderKind): boolean => DESCRIBED[kind].waits;

export const TIMES_IN_FORCE = ["GTC", "IOC", "FOK", "GTD"] as const;
export type TimeInForce = (typeof TIMES_IN_FORCE)[number];

/** The texts both forms need, with their initial values; a product adds its own. */
export const SHARED_TEXTS = {
  price: "",
  quantity: "",
  stopPrice: "",
  stopLimitPrice: "",
  callbackPercent: "1",
  priceTo: "",
  count: "5",
  durationMinutes: "30",
  intervalSeconds: "60",
  visibleQuantity: "",
  expiresAt: "",
  slippagePercent: "",
};
export type SharedField = keyof typeof SHARED_TEXTS;

/** A form whose fields are shown and typed in. */
export interface TypedForm<Field extends string> {
  readonly state: { readonly texts: Readonly<Record<Field, string>> };
  readonly faultOf: (field: Field) => string | undefined;
  readonly edit: (field: Field, text: string) => void;
  readonly leave: (field: Field) => void;
}

/** As much of a product's form as the parts that both share read and change. */
export interface OrderFormView extends TypedForm<SharedField> {
  readonly state: {
    readonly texts: Readonly<Record<SharedField, string>>;
    readonly kind: OrderKind;
    readonly shape: LadderShape;
    readonly timeInForce: TimeInForce;
  };
  readonly world: {
    readonly pair: { readonly tickSize: string; readonly stepSize: string; readonly quantityDecimals: number };
    readonly zone: TimezoneName;
  };
  readonly setKind: (kind: OrderKind) => void;
  readonly change: (change: { readonly shape?: LadderShape; readonly timeInForce?: TimeInForce }) => void;
}

export function bindField<Field extends string>(
  form: TypedForm<Field>,
  field: NoInfer<Field>,
  label: string,
  placeholder?: string,
): FieldBinding {
  return {
    name: field,
    label,
    value: form.state.texts[field],
    onChange: (text) => form.edit(field, text),
    onBlur: () => form.leave(field),
    error: form.faultOf(field),
    ...(placeholder === undefined ? {} : { placeholder }),
  };
}
