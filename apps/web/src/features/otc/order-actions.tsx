// Each side's current actions on an order: pay, cancel, release with a proof, request a cancel, appeal and its
// evidence.
import { APPEAL_REASONS, OTC_ORDER_CALLS, type OtcOrder } from "@clockwork/fiat/otcorders/contract";
import type { Endpoint, InputOf } from "@clockwork/kit/endpoint";
import { formatMinute } from "@clockwork/kit/time";
import { Button } from "@clockwork/ui/button";
import { Dialog } from "@clockwork/ui/dialog";
import { TextArea } from "@clockwork/ui/text-area";
import { useState } from "react";
import { latePart } from "#boot/late-part.tsx";
import { FormError } from "#session/auth-fields.tsx";
import { LateSelect } from "#shell/late-select.tsx";
import { ChatPicture } from "./chat-picture.tsx";
import { coinsOf } from "./order-coins.ts";
import { type OtcAction, useOtcAction } from "./otc-calls.ts";
import { useOtcText } from "./otc-text.ts";
import { PictureButton } from "./picture-button.tsx";

export interface OrderActionsProps {
  readonly order: OtcOrder;
  readonly onOrder: (order: OtcOrder) => void;
}
type AppealReason = (typeof APPEAL_REASONS)[number];

/** Calls one of an order's actions with the order's id, and shows the resulting order. */
export type Act = <Called extends Endpoint<unknown, unknown, unknown, typeof OtcOrder>>(
  called: Called,
  more: Omit<InputOf<Called>, "orderId">,
) => Promise<void>;

interface PartProps extends OrderActionsProps {
  readonly action: OtcAction;
  readonly act: Act;
}

// Drawn when there is something to release.
const ReleaseForm = latePart(async () => (await import("./release-form.tsx")).ReleaseForm);

export function OrderActions({ order, onOrder }: OrderActionsProps) {
  const action = useOtcAction();
  const act: Act = async (called, more) => {
    const next = await action.run(called, { orderId: order.orderId, ...more } as InputOf<typeof called>);
    if (next !== undefined) onOrder(next);
  };
  const parts = { order, onOrder, action, act };
  const isOpen = order.state === "WAIT_PAY" || order.state === "PAID";
  return (
    <div className="mt-4 flex flex-col gap-3">
      <FormError>{action.error}</FormError>
      {isOpen && (order.side === "buy" ? <BuyerActions {...parts} /> : <SellerActions {...parts} />)}
      {order.state === "PAID" && (
        <div className="flex flex-wrap items-center gap-3 border-line border-t pt-3">
          <AppealForm {...parts} />
          {order.side === "sell" && <AskCancel {...parts} />}
        </div>
      )}
      {order.complaint !== null && <ComplaintPart {...parts} />}
    </div>
  );
}

function BuyerActions({ order, action, act }: PartProps) {
  const text = useOtcText();
  const isPaid = order.state === "PAID";
  return (
    <>
      {order.isCancelAsked && <p className="text-ui text-warn">{text("order.asked")}</p>}
      <div className="flex flex-wrap items-center gap-3">
        {!isPaid && (
          <Button kind="primary" size={48} busy={action.isBusy} onPress={() => void act(OTC_ORDER_CALLS.pay, {})}>
            {text("order.paid", coinsOf(order))}
          </Button>
        )}
        <PictureButton isNamed orderId={order.orderId} use="chat" label={text("order.proof")} />
        <span className="flex-1" />
        {isPaid ? (
          <CancelPaid order={order} onCancel={() => void act(OTC_ORDER_CALLS.cancel, { confirmUnpaid: true })} />
        ) : (
          <Button kind="ghost" size={48} onPress={() => void act(OTC_ORDER_CALLS.cancel, {})}>
            {text("order.cancel")}
          </Button>
        )}
      </div>
    </>
  );
}

/** A buyer who has paid and cancels gives up the coins without a refund: confirmed once more, in full sentences. */
function CancelPaid({ order, onCancel }: { readonly order: OtcOrder; readonly onCancel: () => void }) {
  const text = useOtcText();
  return (
    <Dialog
      alert
      title={text("order.cancelPaid.title")}
      trigger={
        <Button kind="ghost" size={48}>
          {text("order.cancelPaid")}
        </Button>
      }
      actions={(close) => (
        <>
          <Button onPress={close}>{text("order.cancelPaid.keep")}</Button>
          <Button
            kind="primary"
            onPress={() => {
              close();
              onCancel();
            }}
          >
            {text("order.cancelPaid.do")}
          </Button>
        </>
      )}
    >
      {text("order.cancelPaid.text", coinsOf(order))}
    </Dialog>
  );
}

function SellerActions({ order, action, act }: PartProps) {
  return order.state === "PAID" ? <ReleaseForm order={order} action={action} act={act} /> : null;
}

function AskCancel({ order, act }: PartProps) {
  const text = useOtcText();
  if (order.isCancelAsked) return <p className="text-[13px] text-muted">{text("order.askedAlready")}</p>;
  return (
    <Button size={36} onPress={() => void act(OTC_ORDER_CALLS.askCancel, {})}>
      {text("order.askCancel")}
    </Button>
  );
}

function AppealForm({ order, action, act }: PartProps) {
  const text = useOtcText();
  const [isOpen, setOpen] = useState(false);
  const [reason, setReason] = useState<AppealReason>(order.side === "buy" ? "not-released" : "not-received");
  const [statement, setStatement] = useState("");
  const fromMs = order.appealFromMs ?? 0;
  if (order.nowMs < fromMs)
    return <p className="text-[13px] text-muted">{text("order.appealFrom", { time: formatMinute(fromMs) })}</p>;
  if (!isOpen)
    return (
      <Button size={36} icon="warning" onPress={() => setOpen(true)}>
        {text("order.appeal")}
      </Button>
    );
  return (
    <section
      className="flex w-full flex-col gap-3 rounded-control border border-line p-4"
      aria-label={text("appeal.title")}
    >
      <h3 className="font-medium text-ui">{text("appeal.title")}</h3>
      <LateSelect
        label={text("appeal.reason")}
        value={reason}
        onChange={(next) => setReason(APPEAL_REASONS.find((one) => one === next) ?? "other")}
        options={APPEAL_REASONS.map((one) => ({ id: one, title: text(`appeal.reason.${one}`) }))}
      />
      <TextArea rows={2} label={text("appeal.statement")} value={statement} onChange={setStatement} maxLength={1_000} />
      <div>
        <Button
          kind="primary"
          size={40}
          busy={action.isBusy}
          isDisabled={statement.trim() === ""}
          onPress={() => void act(OTC_ORDER_CALLS.appeal, { reason, statement })}
        >
          {text("appeal.send")}
        </Button>
      </div>
    </section>
  );
}

function ComplaintPart({ order, action, act }: PartProps) {
  const text = useOtcText();
  const { complaint } = order;
  const mine = order.side === "buy" ? "buyer" : "seller";
  const [statement, setStatement] = useState("");
  if (complaint === null || complaint.state === "WITHDRAWN") return null;
  const [own, other] =
    mine === "buyer" ? [complaint.buyerSays, complaint.sellerSays] : [complaint.sellerSays, complaint.buyerSays];
  if (complaint.state === "DECIDED")
    return (
      <p className="rounded-control bg-surface p-3 text-ui dark:bg-bg">
        {text(complaint.winner === "buyer" ? "appeal.decided.buyer" : "appeal.decided.seller", {
          reason: complaint.decision,
        })}
      </p>
    );
  const times = { time: formatMinute(complaint.evidenceByMs), by: formatMinute(complaint.decideByMs) };
  return (
    <section className="flex flex-col gap-3 rounded-control border border-line p-4">
      <p className="text-[13px] text-muted">{text("appeal.until", times)}</p>
      <dl className="grid gap-3 text-ui sm:grid-cols-2">
        <div>
          <dt className="text-[13px] text-muted">{text("appeal.says")}</dt>
          <dd className="break-words">{own === "" ? text("appeal.silent") : own}</dd>
        </div>
        <div>
          <dt className="text-[13px] text-muted">{text("appeal.other")}</dt>
          <dd className="break-words">{other === "" ? text("appeal.silent") : other}</dd>
        </div>
      </dl>
      {complaint.files.length > 0 && (
        <div className="flex flex-wrap gap-3">
          {complaint.files.map(({ fileId }) => (
            <ChatPicture key={fileId} fileId={fileId} />
          ))}
        </div>
      )}
      <TextArea rows={2} label={text("appeal.statement")} value={statement} onChange={setStatement} maxLength={1_000} />
      <div className="flex flex-wrap items-center gap-3">
        <Button
          size={36}
          busy={action.isBusy}
          isDisabled={statement.trim() === ""}
          onPress={() => void act(OTC_ORDER_CALLS.evidence, { statement })}
        >
          {text("appeal.save")}
        </Button>
        <PictureButton orderId={order.orderId} use="evidence" label={text("appeal.picture")} />
        <span className="text-[13px] text-muted">{text("appeal.pictures", { count: complaint.files.length })}</span>
        {complaint.by === mine && (
          <Button kind="ghost" size={36} onPress={() => void act(OTC_ORDER_CALLS.withdraw, {})}>
            {text("appeal.withdraw")}
          </Button>
        )}
      </div>
    </section>
  );
}
