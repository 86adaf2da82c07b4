// The dialogs of earn that no first load needs: what moved, and what a sum would bring.
import { EARN_CALLS, type EarnProduct, type EarnRecords } from "@clockwork/earning/earn/contract";
import { AmountField } from "@clockwork/ui/amount-field";
import { Button } from "@clockwork/ui/button";
import { Dialog } from "@clockwork/ui/dialog";
import { Select } from "@clockwork/ui/select";
import { useState } from "react";
import { useCalls } from "#session/auth-context.ts";
import { Minute } from "#shell/moment.tsx";
import { useEarnText } from "#words/earn-text.ts";
import { formatAmount, interestOn } from "./earn-model.ts";

export function RecordsDialog({ onClose }: { readonly onClose: () => void }) {
  const text = useEarnText();
  const calls = useCalls();
  const [records, setRecords] = useState<EarnRecords["records"]>();
  const [next, setNext] = useState<string | null>(null);
  const [isAsked, setRequested] = useState(false);
  const ask = async (cursor: string | null) => {
    const answer = await (await calls()).call(EARN_CALLS.records, { cursor });
    setRecords((before) => [...(before ?? []), ...(answer.ok ? answer.data.records : [])]);
    setNext(answer.ok ? answer.data.next : null);
  };
  if (!isAsked) {
    setRequested(true);
    void ask(null);
  }
  return (
    <Dialog title={text("records")} size="large" isOpen onOpenChange={(isOpen) => !isOpen && onClose()}>
      {records?.length === 0 ? <p className="text-muted text-ui">{text("records.empty")}</p> : null}
      <ul className="max-h-[60vh] overflow-y-auto text-ui">
        {records?.map((record) => (
          <li key={record.reference} className="flex justify-between gap-3 border-line border-t py-2">
            <span>
              {text(`records.${record.kind}`)} <span className="text-label text-muted">{record.productId}</span>
              <span className="block text-label text-muted">
                <Minute at={record.timeMs} />
              </span>
            </span>
            <span className="figures text-right">
              {record.kind === "credit" || record.kind === "renew"
                ? `+${record.interest}`
                : formatAmount(record.amount, { decimals: 6 })}{" "}
              {record.asset}
              {record.kind === "mature" ? (
                <span className="block text-label text-muted">{`+${record.interest}`}</span>
              ) : null}
              {record.state === "refused" || record.state === "queued" ? (
                <span className="block text-label text-warn">{text(`records.${record.state}`)}</span>
              ) : null}
            </span>
          </li>
        ))}
      </ul>
      {next === null ? null : (
        <Button kind="neutral" size={36} onPress={() => void ask(next)}>
          {text("records.more")}
        </Button>
      )}
    </Dialog>
  );
}

export function CalculatorDialog({
  products,
  onClose,
}: {
  readonly products: readonly EarnProduct[];
  readonly onClose: () => void;
}) {
  const text = useEarnText();
  const listed = products.filter(({ kind }) => kind !== "shark");
  const [productId, setProductId] = useState(listed[0]?.productId ?? "");
  const [amount, setAmount] = useState("1000");
  const product = listed.find((one) => one.productId === productId);
  return (
    <Dialog title={text("calculator")} isOpen onOpenChange={(isOpen) => !isOpen && onClose()}>
      <div className="grid gap-4">
        <Select
          label={text("calculator.product")}
          value={productId}
          onChange={setProductId}
          options={listed.map((one) => ({
            id: one.productId,
            title: `${one.asset} ${one.kind === "fixed" ? text("days", { days: one.days }) : text("tab.flexible")}`,
          }))}
        />
        <AmountField
          label={text("amount")}
          value={amount}
          onChange={setAmount}
          rules={{ places: product?.decimals ?? 6, min: "0" }}
          unit={product?.asset ?? ""}
        />
        {product === undefined ? null : (
          <p className="flex justify-between text-ui">
            <span className="text-muted">{text(product.kind === "flexible" ? "perDay" : "calculator.result")}</span>
            <span className="figures font-medium">{`+${interestOn(product, amount === "" ? "0" : amount)} ${product.asset}`}</span>
          </p>
        )}
      </div>
    </Dialog>
  );
}
