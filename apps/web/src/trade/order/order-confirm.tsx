// The confirmation of an order, the same for every product: what is sent, member by member, then its effect on the
// account. Loaded on first use.
import { Button } from "@clockwork/ui/button";
import { Checkbox } from "@clockwork/ui/checkbox";
import { Dialog } from "@clockwork/ui/dialog";
import { type ReactNode, useState } from "react";
import { useProduct } from "#trade/product.ts";
import type { TradeSide } from "#trade/trade-order.ts";
import { isTradeKey, useTradeText } from "#trade/trade-text.ts";
import { askingOf, changeAsking } from "./asking.ts";
import { Line } from "./line.tsx";
import type { OrderLine } from "./order-words.ts";

export interface EffectLine {
  readonly label: string;
  readonly value: string;
}

export interface OrderConfirmProps {
  readonly side: TradeSide;
  /** The kind whose confirmation can be switched off. */
  readonly kind: string;
  readonly title: string;
  /** In one line: what is bought or sold. */
  readonly headline: ReactNode;
  readonly lines: readonly OrderLine[];
  readonly effects: readonly EffectLine[];
  readonly note?: string | undefined;
  readonly action: string;
  readonly onYes: () => void;
  readonly onNo: () => void;
}

export function OrderConfirm(props: OrderConfirmProps) {
  const text = useTradeText();
  const { biz } = useProduct();
  const [isUnasked, setUnasked] = useState(false);
  const { side, kind, lines, effects, note } = props;
  const key = `kind.${kind}`;
  const confirm = () => {
    if (isUnasked) changeAsking(biz, { unasked: [...askingOf(biz).get().unasked, kind] });
    props.onYes();
  };
  return (
    <Dialog
      title={props.title}
      isOpen
      onOpenChange={(isOpen) => !isOpen && props.onNo()}
      surface="terminal"
      actions={
        <>
          <Button size={40} onPress={props.onNo}>
            {text("back")}
          </Button>
          <Button kind={side} size={40} onPress={confirm} autoFocus>
            {props.action}
          </Button>
        </>
      }
    >
      <p className="figures rounded-control bg-surface px-3 py-2.5 font-semibold text-ui dark:bg-bg">
        {props.headline}
      </p>
      <dl className="text-ui [&_dd]:whitespace-normal [&_dd]:text-ui [&_div]:min-h-6">
        {lines.map(({ label, value }) => (
          <Line key={label} label={label} value={value} />
        ))}
      </dl>
      {effects.length > 0 && (
        <dl className="border-line border-t pt-2 text-ui [&_dd]:text-ui [&_div]:min-h-6">
          {effects.map(({ label, value }) => (
            <Line key={label} label={label} value={value} />
          ))}
        </dl>
      )}
      {note !== undefined && <p className="text-label text-muted">{note}</p>}
      <Checkbox isSelected={isUnasked} onChange={setUnasked}>
        {text("dontAsk", { kind: (isTradeKey(key) ? text(key) : kind).toLowerCase() })}
      </Checkbox>
    </Dialog>
  );
}
