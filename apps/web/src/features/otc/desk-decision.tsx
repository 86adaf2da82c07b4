// The decision of a complaint: for whom, through whose fault, what the bond pays, and the reason both sides read.
import { OTC_ORDER_CALLS } from "@clockwork/fiat/otcorders/contract";
import { formatCoins } from "@clockwork/kit/format";
import { formatDateTime } from "@clockwork/kit/time";
import { AmountField } from "@clockwork/ui/amount-field";
import { Button } from "@clockwork/ui/button";
import { Card } from "@clockwork/ui/card";
import { RadioGroup } from "@clockwork/ui/radio";
import { TextArea } from "@clockwork/ui/text-area";
import { useState } from "react";
import { ChoiceField } from "#console/operator-action.tsx";
import type { DeskPartProps } from "./desk-chat.tsx";
import { useOtcText } from "./otc-text.ts";

type Side = "buyer" | "seller";

export function Decision({ found, complaintId, action, onDone }: DeskPartProps) {
  const text = useOtcText();
  const [winner, setWinner] = useState<Side>(found.byDefault === "seller" ? "seller" : "buyer");
  const [fault, setFault] = useState<Side | "none">("none");
  const [compensation, setCompensation] = useState("");
  const [reason, setReason] = useState("");
  const [result, setNotified] = useState<string>();
  const isOpen = found.complaint.state === "OPEN";
  const decide = async () => {
    const compensationUsdt = compensation === "" ? "0" : compensation;
    const body = { complaintId, winner, fault, compensationUsdt, reason };
    const answer = await action.intend(OTC_ORDER_CALLS.deskDecide, body);
    if (answer === undefined) return;
    setNotified(text(answer.data.isDecided ? "desk.decided" : "desk.proposed"));
    onDone();
  };
  const coins = { quantity: formatCoins(found.quantity), asset: found.asset };
  const silence = found.byDefault === "buyer" || found.byDefault === "seller" ? found.byDefault : undefined;
  return (
    <Card title={text("desk.decision")}>
      <div className="flex flex-col gap-4">
        <RadioGroup
          label={text("desk.winner")}
          value={winner}
          onChange={(next) => setWinner(next === "seller" ? "seller" : "buyer")}
          options={(["buyer", "seller"] as const).map((side) => ({
            value: side,
            title: text(`desk.for.${side}`),
            note: text(`desk.for.${side}.note`, { ...coins, name: found[side].name }),
          }))}
        />
        {silence !== undefined && <p className="text-[13px] text-muted">{text(`desk.silent.${silence}`)}</p>}
        <div className="grid gap-4 sm:grid-cols-2">
          <ChoiceField
            label={text("desk.fault")}
            value={fault}
            options={[
              ["none", text("desk.fault.none")],
              ["buyer", text("desk.buyer")],
              ["seller", text("desk.seller")],
            ]}
            onChange={(next) => setFault(next === "buyer" || next === "seller" ? next : "none")}
          />
          <AmountField
            label={text("desk.compensation")}
            value={compensation}
            onChange={setCompensation}
            rules={{ places: 6 }}
            unit="USDT"
          />
        </div>
        <TextArea label={text("desk.reason")} maxLength={500} value={reason} onChange={setReason} />
        {found.needsTwo && (
          <p className="rounded-control bg-surface p-3 text-[13px] text-muted dark:bg-bg">{text("desk.two")}</p>
        )}
        {isOpen && !found.isDecidable && (
          <p className="rounded-control bg-warn-soft p-3 text-[13px] text-warn">
            {text("desk.evidenceOpen", { time: formatDateTime(found.complaint.decidableFromMs) })}
          </p>
        )}
        {result !== undefined && <p role="status">{result}</p>}
        <div>
          <Button
            kind="primary"
            size={40}
            busy={action.isBusy}
            isDisabled={!isOpen || !found.isDecidable || reason.trim() === ""}
            onPress={() => void decide()}
          >
            {text(`desk.decide.${winner}`)}
          </Button>
        </div>
      </div>
    </Card>
  );
}
