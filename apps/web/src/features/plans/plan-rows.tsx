// The visitor's recurring buys: state, next run, what came of them, and what each run did.
import { PLAN_CALLS, type Plan, type PlanList, type PlanRun } from "@clockwork/earning/plans/contract";
import type { Endpoint, InputOf } from "@clockwork/kit/endpoint";
import { formatMinute } from "@clockwork/kit/time";
import { Button } from "@clockwork/ui/button";
import { Card } from "@clockwork/ui/card";
import { CoinGlyph } from "@clockwork/ui/coin-glyph";
import { useState } from "react";
import { useCalls } from "#session/auth-context.ts";
import { Minute } from "#shell/moment.tsx";
import { useEarnText } from "#words/earn-text.ts";
import { formatAmount } from "./plan-model.ts";

interface RowsProps {
  readonly plans: PlanList;
  readonly onEdit: (plan: Plan) => void;
  readonly onChanged: () => void;
}

export function PlanRows({ plans, onEdit, onChanged }: RowsProps) {
  const text = useEarnText();
  const aside = (
    <span className="text-label text-muted">
      {text("plan.of", { count: plans.plans.length, most: plans.plansMax })}
    </span>
  );
  return (
    <Card title={text("plan.mine")} aside={aside}>
      {plans.plans.length === 0 ? <p className="text-muted text-ui">{text("plan.empty")}</p> : null}
      <ul>
        {plans.plans.map((plan) => (
          <PlanRow key={plan.planId} plan={plan} onEdit={onEdit} onChanged={onChanged} />
        ))}
      </ul>
    </Card>
  );
}

function PlanRow({ plan, onEdit, onChanged }: Omit<RowsProps, "plans"> & { readonly plan: Plan }) {
  const text = useEarnText();
  const calls = useCalls();
  const [runs, setRuns] = useState<readonly PlanRun[]>();
  const send = async <Called extends Endpoint>(called: Called, body: InputOf<Called>) => {
    await (await calls()).call(called, body);
    onChanged();
  };
  const { planId } = plan;
  const isPaused = plan.state === "PAUSED";
  const show = async () => {
    if (runs !== undefined) return setRuns(undefined);
    const answer = await (await calls()).call(PLAN_CALLS.runs, { planId });
    setRuns(answer.ok ? answer.data.runs : []);
  };
  return (
    <li className="border-line border-t py-3 text-ui first:border-t-0">
      <div className="flex flex-wrap items-center gap-x-5 gap-y-2">
        <span className="flex items-center gap-2">
          {plan.coins.map(({ asset }) => (
            <CoinGlyph key={asset} code={asset} size={20} />
          ))}
          <span>
            <span className="block font-medium">{plan.name}</span>
            <span className="figures text-label text-muted">{plan.coins.map(({ weight }) => weight).join(" / ")}</span>
          </span>
        </span>
        <span className="figures">{`${formatAmount(plan.amount)} USDT · ${text(`plan.${plan.rhythm}`)}`}</span>
        <span className="figures text-muted">{`${formatAmount(plan.putIn)} → ${formatAmount(plan.worth)}`}</span>
        <span className={isPaused ? "text-warn" : ""}>
          {isPaused
            ? text("plan.state.PAUSED", { skips: plan.skips })
            : `${text("plan.state.RUNNING")} · ${formatMinute(plan.nextRunMs ?? 0)}`}
        </span>
        <span className="ml-auto flex gap-2">
          <Button kind="ghost" size={32} onPress={() => void show()}>
            {text("plan.runs")}
          </Button>
          <Button kind="neutral" size={32} onPress={() => onEdit(plan)}>
            {text("plan.edit")}
          </Button>
          <Button kind="neutral" size={32} onPress={() => void send(PLAN_CALLS.pause, { planId, isPaused: !isPaused })}>
            {text(isPaused ? "plan.resume" : "plan.pause")}
          </Button>
          <Button kind="neutral" size={32} onPress={() => void send(PLAN_CALLS.end, { planId })}>
            {text("plan.end")}
          </Button>
        </span>
      </div>
      {runs === undefined ? null : (
        <ul className="mt-3 rounded-lg bg-surface p-3 text-label">
          {runs.length === 0 ? <li className="text-muted">{text("plan.noRuns")}</li> : null}
          {runs.map((run) => (
            <li key={run.dueMs} className="grid grid-cols-[140px_110px_90px_minmax(0,1fr)] gap-3 py-1">
              <span className="figures text-muted">
                <Minute at={run.dueMs} />
              </span>
              <span className={run.state === "DONE" ? "" : "text-warn"}>{text(`plan.run.${run.state}`)}</span>
              <span className="figures text-right">{formatAmount(run.spent)}</span>
              <span className="figures truncate text-muted">
                {run.note === "" ? run.bought.map(({ amount, asset }) => `${amount} ${asset}`).join(", ") : run.note}
              </span>
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}
