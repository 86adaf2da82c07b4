// The question before an order: its exact effect, what is left, how long it lives. Loaded when first asked.
import { Button } from "@clockwork/ui/button";
import { Checkbox } from "@clockwork/ui/checkbox";
import { Dialog } from "@clockwork/ui/dialog";
import { Icon } from "@clockwork/ui/icon";
import { useState } from "react";
import { askingOf, changeAsking } from "#trade/order/asking.ts";
import { add, readServed, readTyped, writeShown } from "#trade/order/exact.ts";
import { Line, writeRate } from "#trade/order/line.tsx";
import { useProduct } from "#trade/product.ts";
import { type TradeSpeak, useTradeText } from "#trade/trade-text.ts";
import { leftAfter, writeFee, writeMoney } from "./form-effect.tsx";
import type { FormPartProps } from "./form-fields.tsx";
import type { Effect, Money } from "./form-preview.ts";
import { isInQuote } from "./form-state.ts";
import type { OrderFormModel } from "./use-order-form.ts";

function sayOrder(form: OrderFormModel, text: TradeSpeak): string {
  const { state, world } = form;
  const { pair } = world;
  if (isInQuote(state)) {
    return text("effectSpend", {
      asset: pair.base,
      amount: `${writeShown(readServed(state.texts.amount), 2)} ${pair.quote}`,
    });
  }
  const values = {
    side: text(state.side),
    quantity: writeShown(readServed(state.texts.quantity), pair.quantityDecimals),
    asset: pair.base,
  };
  const price = readTyped(state.texts.price);
  const hasPrice = state.kind !== "market" && state.kind !== "stopMarket" && state.kind !== "trailingStop";
  if (!hasPrice || price === undefined) return text("effectMarket", values);
  return text("effectAt", { ...values, price: writeShown(price, pair.priceDecimals) });
}

/** The side in its colour, wherever the language puts it. */
function Order({ said, form }: FormPartProps & { readonly said: string }) {
  const text = useTradeText();
  const { side } = form.state;
  const word = text(side);
  const at = said.indexOf(word);
  if (at === -1) return said;
  return (
    <span>
      {said.slice(0, at)}
      <span className={side === "buy" ? "text-up-text" : "text-down-text"}>{word}</span>
      {said.slice(at + word.length)}
    </span>
  );
}

function sayLife(form: OrderFormModel, text: TradeSpeak): string {
  const { state } = form;
  if (state.kind === "market" || state.timeInForce === "IOC" || state.timeInForce === "FOK") return text("validOnce");
  if (state.timeInForce === "GTD") return text("until", { time: state.texts.expiresAt.replace("T", " ") });
  return text("untilCancelled");
}

/** Before the fee: what the arrow points at. */
function grossOf({ receive, fee }: Effect): Money {
  return { value: add(receive.value, fee.value), asset: receive.asset };
}

export function ConfirmDialog({ form }: FormPartProps) {
  const text = useTradeText();
  const { biz } = useProduct();
  const [isUnasked, setUnasked] = useState(false);
  const { state, world, effect } = form;
  const left = effect === undefined ? undefined : leftAfter(effect, world, state.side);
  const kind = text(`kind.${state.kind}`).toLowerCase();
  const confirm = () => {
    if (isUnasked) changeAsking(biz, { unasked: [...askingOf(biz).get().unasked, state.kind] });
    form.confirm();
  };
  return (
    <Dialog
      title={text(state.side === "buy" ? "confirmBuy" : "confirmSell")}
      isOpen
      onOpenChange={(isOpen) => !isOpen && form.giveUp()}
      surface="terminal"
      actions={
        <>
          <Button size={40} onPress={form.giveUp}>
            {text("back")}
          </Button>
          <Button kind={state.side} size={40} onPress={confirm} autoFocus>
            {text(state.side === "buy" ? "ctaBuyPlain" : "ctaSellPlain", { asset: world.pair.base })}
          </Button>
        </>
      }
    >
      <p className="figures flex flex-wrap items-center gap-x-2 rounded-control bg-surface px-3 py-3 font-semibold text-ui dark:bg-bg">
        {state.kind !== "limit" && state.kind !== "market" && (
          <span className="font-medium text-muted">{text(`kind.${state.kind}`)}</span>
        )}
        <Order said={sayOrder(form, text)} form={form} />
        {effect !== undefined && (
          <>
            <Icon name="arrow-right" size={14} className="text-muted" />
            {writeMoney(state.side === "buy" ? effect.pay : grossOf(effect), world)}
          </>
        )}
      </p>
      {effect !== undefined && (
        <dl className="text-ui [&_dd]:text-ui [&_div]:min-h-6">
          <Line
            label={text(effect.role === "maker" ? "feeMaker" : "feeTaker", { rate: writeRate(effect.rate) })}
            value={writeFee(effect.fee, world)}
          />
          <Line
            label={text(effect.isEstimate ? "youReceiveAbout" : "youReceive")}
            value={writeMoney(effect.receive, world)}
          />
          {left !== undefined && left.units >= 0n && (
            <Line
              label={text("left", { asset: effect.pay.asset })}
              value={writeMoney({ value: left, asset: effect.pay.asset }, world)}
            />
          )}
          <Line label={text("valid")} value={sayLife(form, text)} />
        </dl>
      )}
      <Checkbox isSelected={isUnasked} onChange={setUnasked}>
        {text("dontAsk", { kind })}
      </Checkbox>
    </Dialog>
  );
}
