// The look of a button as class names, so that links and buttons share it. Independent of the button's action.

import { cx } from "./class-names.ts";

export type ButtonKind = "primary" | "neutral" | "ghost" | "buy" | "sell";
export type ButtonSize = 28 | 32 | 36 | 40 | 48;

export interface ButtonLook {
  readonly kind?: ButtonKind | undefined;
  readonly size?: ButtonSize | undefined;
  readonly wide?: boolean | undefined;
  /** A square button that holds an icon alone. */
  readonly square?: boolean | undefined;
}

const BASE = "button-base";

const KINDS: Readonly<Record<ButtonKind, string>> = {
  primary: "button-primary",
  neutral: "button-neutral",
  ghost: "button-ghost",
  buy: "button-buy",
  sell: "button-sell",
};

const SIZES: Readonly<Record<ButtonSize, string>> = {
  28: "h-7 text-label",
  32: "h-8 text-[13px] leading-5",
  36: "h-9 text-ui",
  40: "h-10 text-ui",
  48: "h-12 text-[15px] leading-6",
};

const PADS: Readonly<Record<ButtonSize, string>> = { 28: "px-2", 32: "px-3", 36: "px-[15px]", 40: "px-4", 48: "px-6" };
const SQUARES: Readonly<Record<ButtonSize, string>> = { 28: "w-7", 32: "w-8", 36: "w-9", 40: "w-10", 48: "w-12" };

export function buttonClass(look: ButtonLook = {}): string {
  const size = look.size ?? 36;
  const shape = look.square ? SQUARES[size] : PADS[size];
  return cx(BASE, KINDS[look.kind ?? "neutral"], SIZES[size], shape, look.wide ? "w-full min-w-0" : "shrink-0");
}
