// The questions before orders are cancelled. Loaded when first asked.

import { Button } from "@clockwork/ui/button";
import { Checkbox } from "@clockwork/ui/checkbox";
import { Dialog } from "@clockwork/ui/dialog";
import { useState } from "react";
import { changeAsking } from "#trade/order/asking.ts";
import { useProduct } from "#trade/product.ts";
import type { TradeOrder } from "#trade/trade-order.ts";
import { useTradeText } from "#trade/trade-text.ts";
import { showNumber } from "./orders-model.ts";

interface QuestionProps {
  readonly onYes: () => void;
  readonly onNo: () => void;
}

export function CancelAllDialog({ note, onYes, onNo }: QuestionProps & { readonly note: string }) {
  const text = useTradeText();
  return (
    <Dialog
      title={text("cancelAllTitle")}
      isOpen
      onOpenChange={(isOpen) => !isOpen && onNo()}
      surface="terminal"
      actions={
        <>
          <Button size={40} onPress={onNo}>
            {text("keep")}
          </Button>
          <Button kind="primary" size={40} onPress={onYes} autoFocus>
            {text("cancelAll")}
          </Button>
        </>
      }
    >
      <p className="text-ui">{note}</p>
    </Dialog>
  );
}

export function CancelDialog({ order, onYes, onNo }: QuestionProps & { readonly order: TradeOrder }) {
  const text = useTradeText();
  const { biz, words } = useProduct();
  const [isUnasked, setUnasked] = useState(false);
  const confirm = () => {
    if (isUnasked) changeAsking(biz, { unaskedCancel: true });
    onYes();
  };
  return (
    <Dialog
      title={text("cancelTitle")}
      isOpen
      onOpenChange={(isOpen) => !isOpen && onNo()}
      surface="terminal"
      actions={
        <>
          <Button size={40} onPress={onNo}>
            {text("keep")}
          </Button>
          <Button kind="primary" size={40} onPress={confirm} autoFocus>
            {text("cancelOrder")}
          </Button>
        </>
      }
    >
      <p className="figures text-ui">
        {text("cancelNote", {
          side: text(order.side),
          quantity: showNumber(order.quantity ?? order.amount),
          asset: words.assetsOf(order.pairCode).quantity,
          price: order.price === null ? text("market").toLowerCase() : showNumber(order.price),
          pair: words.nameOf(order.pairCode),
        })}
      </p>
      <Checkbox isSelected={isUnasked} onChange={setUnasked}>
        {text("dontAskCancel")}
      </Checkbox>
    </Dialog>
  );
}
