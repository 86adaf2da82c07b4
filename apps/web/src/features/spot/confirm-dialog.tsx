// The question before a spot order: its members from the body that is sent, its effect from the preview.

import { readServed, readTyped, subtract, writeShown } from "#trade/order/exact.ts";
import { writeRate } from "#trade/order/line.tsx";
import { OrderConfirm } from "#trade/order/order-confirm.tsx";
import { describeMembers } from "#trade/order/order-words.ts";
import { useProduct } from "#trade/product.ts";
import { type TradeText, useTradeText } from "#trade/trade-text.ts";
import { writeFee, writeMoney } from "./form-effect.tsx";
import type { FormPartProps } from "./form-fields.tsx";
import { buildOrder } from "./form-order.ts";
import { holdOf } from "./form-preview.ts";
import { isInQuote, SLIPPAGE_DEFAULT_PERCENT } from "./form-state.ts";
import type { OrderFormModel } from "./use-order-form.ts";

function describeOrder(form: OrderFormModel, text: TradeText): string {
  const { state, world } = form;
  const { pair } = world;
  if (isInQuote(state)) {
    const amount = `${writeShown(readServed(state.texts.amount), 2)} ${pair.quote}`;
    return text("effectSpend", { asset: pair.base, amount });
  }
  const values = {
    side: text(state.side),
    quantity: writeShown(readServed(state.texts.quantity), pair.quantityDecimals),
    asset: pair.base,
  };
  const price = readTyped(state.texts.price);
  if ((state.kind !== "limit" && state.kind !== "stopLimit") || price === undefined) {
    return text(state.kind === "market" ? "effectMarket" : "effectPlain", values);
  }
  return text("effectAt", { ...values, price: writeShown(price, pair.priceDecimals) });
}

/** The side in its colour, wherever the language puts it. */
function Headline({ reply, form }: FormPartProps & { readonly reply: string }) {
  const { side } = form.state;
  const word = useTradeText()(side);
  const at = reply.indexOf(word);
  if (at === -1) return reply;
  return (
    <>
      {reply.slice(0, at)}
      <span className={side === "buy" ? "text-up-text" : "text-down-text"}>{word}</span>
      {reply.slice(at + word.length)}
    </>
  );
}

/** Fee, proceeds, and the frozen part of the balance; a plan that freezes nothing takes nothing. */
function effectsOf({ state, world, effect }: OrderFormModel, text: TradeText) {
  if (effect === undefined) return [];
  const about = effect.isEstimate;
  const hold = holdOf(state, world, effect);
  const available = state.side === "sell" ? world.availableBase : world.availableQuote;
  const left = available === undefined ? undefined : subtract(readServed(available), hold.value);
  const lines = [
    {
      label: text(effect.role === "maker" ? "feeMaker" : "feeTaker", { rate: writeRate(effect.rate) }),
      value: writeFee(effect.fee, world),
    },
    { label: text(about ? "youReceiveAbout" : "youReceive"), value: writeMoney(effect.receive, world) },
  ];
  if (about && state.kind === "market")
    lines.unshift({ label: text("averagePrice"), value: writeShown(effect.price, world.pair.priceDecimals) });
  if (hold.value.units === 0n) return lines;
  if (state.kind !== "market") lines.push({ label: text("frozenUntil"), value: writeMoney(hold, world) });
  if (left !== undefined && left.units >= 0n)
    lines.push({ label: text("left", { asset: hold.asset }), value: writeMoney({ ...hold, value: left }, world) });
  return lines;
}

export function ConfirmDialog({ form }: FormPartProps) {
  const text = useTradeText();
  const { words } = useProduct();
  const { state, world, effect } = form;
  const { pair } = world;
  const lines = describeMembers(buildOrder(state, world), {
    text,
    assets: words.assetsOf(pair.pairCode),
    priceDecimals: pair.priceDecimals,
    quantityDecimals: pair.quantityDecimals,
    zone: world.zone,
    slippageDefault: SLIPPAGE_DEFAULT_PERCENT,
  });
  const holdsNothing = effect !== undefined && holdOf(state, world, effect).value.units === 0n;
  return (
    <OrderConfirm
      side={state.side}
      kind={state.kind}
      title={text(state.side === "buy" ? "confirmBuy" : "confirmSell")}
      headline={<Headline reply={describeOrder(form, text)} form={form} />}
      lines={lines}
      effects={effectsOf(form, text)}
      note={holdsNothing ? text("nothingFrozen") : undefined}
      action={text(state.side === "buy" ? "ctaBuyPlain" : "ctaSellPlain", { asset: pair.base })}
      onYes={form.confirm}
      onNo={form.giveUp}
    />
  );
}
