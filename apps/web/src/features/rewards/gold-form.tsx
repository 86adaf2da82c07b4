// Almighty gold for one user, as an operator proposes it: amount, duration, share of debts it pays. Another operator
// decides.

import { filterDecimal } from "@clockwork/kit/validate";
import { BONUS_CALLS } from "@clockwork/trading/bonus/contract";
import { useState } from "react";
import { ChoiceField, FormRow, useOperatorAction } from "#console/operator-action.tsx";
import { ProposalCard, sentAmount, TypedFields } from "#console/proposal-form.tsx";
import { useRewardsText } from "#words/rewards-text.ts";

const EMPTY = { user: "", asset: "USDT", amount: "", days: "30", ratioPercent: "100", maxLeverage: "0", reason: "" };
const digits = (typed: string): string => typed.replace(/\D/g, "");

export function GoldForm() {
  const text = useRewardsText();
  const action = useOperatorAction();
  const [form, setForm] = useState(EMPTY);
  const [biz, setBiz] = useState<"futures" | "delivery">("futures");
  const isWhole = Object.values(form).every((value) => value.trim() !== "");
  const propose = async () => {
    const { user, asset, amount, days, ratioPercent, maxLeverage, reason } = form;
    const numbers = { days: Number(days), ratioPercent: Number(ratioPercent), maxLeverage: Number(maxLeverage) };
    const body = { user, asset: asset.trim(), amount: sentAmount(amount), biz, ...numbers, reason: reason.trim() };
    if ((await action.propose(BONUS_CALLS.grant, body)) !== undefined) setForm(EMPTY);
  };
  return (
    <ProposalCard
      title={text("desk.gold")}
      action={action}
      send={text("desk.giveGold")}
      isWhole={isWhole}
      onSend={propose}
    >
      <FormRow>
        <TypedFields
          fields={[
            ["user", text("desk.goldUser"), digits],
            ["asset", text("desk.goldCoin"), (typed) => typed.toUpperCase()],
            ["amount", text("desk.goldAmount"), (typed) => filterDecimal(typed, 18)],
            ["days", text("desk.goldDays"), digits],
            ["ratioPercent", text("desk.goldRatio"), digits],
            ["maxLeverage", text("desk.goldLeverage"), digits],
            ["reason", text("desk.reason")],
          ]}
          form={form}
          onChange={(change) => setForm({ ...form, ...change })}
          maxLength={200}
        />
        <ChoiceField
          label={text("desk.goldBook")}
          value={biz}
          onChange={(id) => setBiz(id === "delivery" ? "delivery" : "futures")}
          options={[
            ["futures", text("desk.goldLinear")],
            ["delivery", text("desk.goldInverse")],
          ]}
        />
      </FormRow>
    </ProposalCard>
  );
}
