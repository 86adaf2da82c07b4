// Merchants in the operators' console: approved by a proposal, declined or suspended by one operator with a reason.
import { type MerchantTable, OTC_PEOPLE_CALLS } from "@clockwork/fiat/otcpeople/contract";
import { formatCoins } from "@clockwork/kit/format";
import { Button } from "@clockwork/ui/button";
import { Card } from "@clockwork/ui/card";
import { Badge } from "@clockwork/ui/pill";
import { TextField } from "@clockwork/ui/text-field";
import { useState } from "react";
import type { OperatorAction } from "#console/operator-action.tsx";
import { FailedLine } from "#session/failed-line.tsx";
import { DeskAds } from "./desk-ads.tsx";
import { useOtcText } from "./otc-text.ts";

interface MerchantsProps {
  readonly merchants: MerchantTable | null;
  readonly action: OperatorAction;
  readonly onDone: () => void;
}

export function Merchants({ merchants, action, onDone }: MerchantsProps) {
  const text = useOtcText();
  const [reason, setReason] = useState("");
  const [openUser, setOpenUser] = useState("");
  const run = async (called: typeof OTC_PEOPLE_CALLS.reject, user: string) => {
    if ((await action.run(called, { user, reason })) !== undefined) onDone();
  };
  const approve = async (user: string) => {
    if ((await action.propose(OTC_PEOPLE_CALLS.audit, { user })) !== undefined) onDone();
  };
  const shown = merchants?.merchants.filter(({ isSimulated, state }) => !isSimulated && state !== "EXITED") ?? [];
  return (
    <Card title={text("desk.merchants")}>
      {merchants === null && <FailedLine />}
      {merchants !== null && shown.length === 0 && <p className="text-muted text-ui">{text("desk.noMerchants")}</p>}
      {shown.length > 0 && (
        <TextField label={text("desk.reason")} value={reason} onChange={setReason} maxLength={300} />
      )}
      <ul>
        {shown.map(({ user, name, state, bondUsdt }) => (
          <li key={user} className="flex flex-wrap items-center gap-3 border-line border-b py-3 text-ui last:border-0">
            <span className="min-w-40 flex-1">
              {name}
              <span className="block text-label text-muted">
                {user} · {text("desk.bond", { amount: formatCoins(bondUsdt) })}
              </span>
            </span>
            <Badge>{text(`merchant.state.${state}`)}</Badge>
            <Button
              size={32}
              aria-expanded={openUser === user}
              onPress={() => setOpenUser(openUser === user ? "" : user)}
            >
              {text("desk.ads")}
            </Button>
            {(state === "AUDIT" || state === "SUSPENDED") && (
              <Button size={32} onPress={() => void approve(user)}>
                {text("desk.approve")}
              </Button>
            )}
            {state === "AUDIT" && (
              <Button
                size={32}
                isDisabled={reason.trim().length < 3}
                onPress={() => void run(OTC_PEOPLE_CALLS.reject, user)}
              >
                {text("desk.reject")}
              </Button>
            )}
            {state === "ACTIVE" && (
              <Button
                size={32}
                isDisabled={reason.trim().length < 3}
                onPress={() => void run(OTC_PEOPLE_CALLS.suspend, user)}
              >
                {text("desk.suspend")}
              </Button>
            )}
            {openUser === user && <DeskAds user={user} reason={reason} action={action} />}
          </li>
        ))}
      </ul>
    </Card>
  );
}
