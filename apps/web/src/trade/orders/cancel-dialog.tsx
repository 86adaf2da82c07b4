// The confirmations before orders are cancelled or changed: what ends, what else ends with it, what changes from what
// to what. Loaded on first use.
import { Button } from "@clockwork/ui/button";
import { Checkbox } from "@clockwork/ui/checkbox";
import { Dialog } from "@clockwork/ui/dialog";
import { RadioGroup } from "@clockwork/ui/radio";
import { type ReactNode, Suspense, useState } from "react";
import { type Asking, changeAsking } from "#trade/order/asking.ts";
import { Line } from "#trade/order/line.tsx";
import { useProduct } from "#trade/product.ts";
import type { TradeOrder } from "#trade/trade-order.ts";
import { type TradeText, useTradeText } from "#trade/trade-text.ts";
import { describeLeg, describeOrderKind, describeTrigger } from "./order-cells.tsx";
import { CLEAR_SCOPES, type ClearChoice, type ClearScope, countCleared, showNumber } from "./orders-model.ts";
import type { OrderQuestion } from "./use-order-questions.ts";

interface FrameProps {
  readonly title: string;
  readonly no: string;
  readonly yes: string;
  readonly isReady?: boolean;
  readonly onYes: () => void;
  readonly onNo: () => void;
  readonly children: ReactNode;
}

function Question({ title, no, yes, isReady = true, onYes, onNo, children }: FrameProps) {
  return (
    <Dialog
      title={title}
      isOpen
      onOpenChange={(isOpen) => !isOpen && onNo()}
      surface="terminal"
      actions={
        <>
          <Button size={40} onPress={onNo}>
            {no}
          </Button>
          <Button kind="primary" size={40} onPress={onYes} isDisabled={!isReady} autoFocus>
            {yes}
          </Button>
        </>
      }
    >
      {children}
    </Dialog>
  );
}

interface CancelAllProps {
  readonly first: ClearChoice;
  /** Everything that is open, to say how many a choice ends. */
  readonly all: readonly TradeOrder[];
  readonly pair: { readonly pairCode: string };
  readonly onYes: (choice: ClearChoice) => void;
  readonly onNo: () => void;
}

export function CancelAllDialog({ first, all, pair, onYes, onNo }: CancelAllProps) {
  const text = useTradeText();
  const { words } = useProduct();
  const [choice, setChoice] = useState(first);
  const count = countCleared(all, choice);
  return (
    <Question
      title={text("cancelAllTitle")}
      no={text("keep")}
      yes={text("cancelCount", { count })}
      isReady={count > 0}
      onYes={() => onYes(choice)}
      onNo={onNo}
    >
      <RadioGroup
        label={text("cancelWhich")}
        value={choice.scope}
        onChange={(scope) => setChoice({ ...choice, scope: scope as ClearScope })}
        options={CLEAR_SCOPES.map((scope) => ({
          value: scope,
          title: text(`scope.${scope}`, { count: countCleared(all, { ...choice, scope }) }),
        }))}
      />
      <RadioGroup
        label={text("cancelWhere")}
        value={choice.pairCode === undefined ? "all" : "pair"}
        onChange={(where) => setChoice({ ...choice, pairCode: where === "pair" ? pair.pairCode : undefined })}
        options={[
          { value: "pair", title: text("onPair", { pair: words.nameOf(pair.pairCode) }) },
          { value: "all", title: text("onEveryPair") },
        ]}
      />
    </Question>
  );
}

interface OrderQuestionProps {
  readonly question: OrderQuestion;
  readonly onAnswer: (isYes: boolean) => void;
}

export function OrderQuestionDialog({ question, onAnswer }: OrderQuestionProps) {
  const text = useTradeText();
  const { biz, moveEffect: MoveEffect } = useProduct();
  const [isUnasked, setUnasked] = useState(false);
  const [isBad, setBad] = useState(false);
  const isCancel = question.kind === "cancel";
  const setting: Partial<Asking> = isCancel ? { unaskedCancel: true } : { unaskedAmend: true };
  const confirm = () => {
    if (isUnasked) changeAsking(biz, setting);
    onAnswer(true);
  };
  return (
    <Question
      title={text(isCancel ? "cancelTitle" : "amendTitle")}
      no={text(isCancel ? "keep" : "back")}
      yes={text(isCancel ? "cancelOrder" : "amendOrder")}
      isReady={!isBad}
      onYes={confirm}
      onNo={() => onAnswer(false)}
    >
      {isCancel ? <CancelNote {...question} /> : <AmendNote {...question} />}
      {question.kind === "amend" && MoveEffect !== undefined && (
        <Suspense fallback={null}>
          <MoveEffect order={question.order} change={question.change} onFault={setBad} />
        </Suspense>
      )}
      <Checkbox isSelected={isUnasked} onChange={setUnasked}>
        {text(isCancel ? "dontAskCancel" : "dontAskAmend")}
      </Checkbox>
    </Question>
  );
}

function describeOrder(text: TradeText, order: TradeOrder): string {
  const kind = order.listLeg === null ? describeOrderKind(text, order) : describeLeg(text, order);
  const at = order.stopPrice === null ? showNumber(order.price) : describeTrigger(text, order);
  return `${kind}, ${at}`;
}

function CancelNote({ order, others }: { readonly order: TradeOrder; readonly others: readonly TradeOrder[] }) {
  const text = useTradeText();
  const { words } = useProduct();
  const { quantity, value } = words.assetsOf(order.pairCode);
  return (
    <>
      <p className="figures text-ui">
        {text("cancelNote", {
          side: text(order.side),
          quantity: showNumber(order.quantity ?? order.amount),
          asset: order.quantity === null ? value : quantity,
          price: order.price === null ? text("market").toLowerCase() : showNumber(order.price),
          pair: words.nameOf(order.pairCode),
        })}
      </p>
      {others.length > 0 && (
        <div className="figures rounded-control bg-surface px-3 py-2 text-ui dark:bg-bg">
          <p className="text-warn">{text("cancelOthers")}</p>
          <ul>
            {others.map((other) => (
              <li key={other.orderId}>{describeOrder(text, other)}</li>
            ))}
          </ul>
        </div>
      )}
    </>
  );
}

function AmendNote({ order, change }: Extract<OrderQuestion, { readonly kind: "amend" }>) {
  const text = useTradeText();
  const { words } = useProduct();
  const assets = words.assetsOf(order.pairCode);
  return (
    <>
      <p className="text-ui">
        {words.nameOf(order.pairCode)} · {text(order.side)} · {describeOrderKind(text, order)}
      </p>
      <dl className="text-ui [&_dd]:text-ui [&_div]:min-h-6">
        {change.stopPrice !== undefined && (
          <Line
            label={text("col.stop")}
            value={`${showNumber(order.stopPrice)} → ${showNumber(change.stopPrice)} ${assets.price}`}
          />
        )}
        {change.price !== undefined && (
          <Line
            label={text("col.price")}
            value={`${showNumber(order.price)} → ${showNumber(change.price)} ${assets.price}`}
          />
        )}
        {change.quantity !== undefined && (
          <Line
            label={text("col.amount")}
            value={`${showNumber(order.quantity)} → ${showNumber(change.quantity)} ${assets.quantity}`}
          />
        )}
      </dl>
      {/* A trigger waits for a price and is in no queue. */}
      {change.stopPrice === undefined && <p className="text-label text-muted">{text("amendPlace")}</p>}
    </>
  );
}
