// `/operator/launches`: the exchange's coins for sales, new launches, and existing ones. Everything is proposed;
// another operator decides.
import { LAUNCH_DESK_CALLS, type LaunchDesk } from "@clockwork/earning/launchdesk/contract";
import type { LaunchProject } from "@clockwork/earning/launchpad/contract";
import { Card } from "@clockwork/ui/card";
import type { ReactNode } from "react";
import { ConsoleFrame, type ConsoleOperator } from "#console/console-frame.tsx";
import { FundForm } from "#console/fund-form.tsx";
import { FailedLine } from "#session/failed-line.tsx";
import { useEarnText } from "#words/earn-text.ts";
import { LaunchForm } from "./launch-form.tsx";
import { formatAmount } from "./launch-model.ts";
import { LaunchesCard } from "./launches-card.tsx";

export interface DeskPageProps {
  readonly me: ConsoleOperator;
  readonly proof: ReactNode;
  /** Null when it could not be read, as the launches. */
  readonly desk: LaunchDesk | null;
  readonly projects: readonly LaunchProject[] | null;
}

export function DeskPage({ me, proof, desk, projects }: DeskPageProps) {
  const text = useEarnText();
  return (
    <ConsoleFrame me={me} title={text("desk.launches")} lead={text("desk.launchLead")} proof={proof}>
      <div className="grid gap-4">
        <StockCard desk={desk} />
        <LaunchForm />
        <LaunchesCard projects={projects} />
      </div>
    </ConsoleFrame>
  );
}

function StockCard({ desk }: { readonly desk: LaunchDesk | null }) {
  const text = useEarnText();
  return (
    <Card title={text("desk.forSales")} className="max-w-[880px]">
      {desk === null && <FailedLine />}
      {desk?.stock.length === 0 && <p className="mb-4 text-muted text-ui">{text("desk.noStock")}</p>}
      {desk !== null && desk.stock.length > 0 && (
        <dl className="mb-4 grid grid-cols-2 gap-x-6 gap-y-2 sm:grid-cols-4">
          {desk.stock.map(({ asset, free }) => (
            <div key={asset}>
              <dt className="text-label text-muted">{asset}</dt>
              <dd className="figures font-medium text-text text-ui">{formatAmount(free)}</dd>
            </div>
          ))}
        </dl>
      )}
      <FundForm
        words={{ coin: text("coin"), amount: text("amount"), reason: text("desk.reason") }}
        ways={[
          { called: LAUNCH_DESK_CALLS.fund, label: text("desk.fundSales") },
          { called: LAUNCH_DESK_CALLS.giveBack, label: text("desk.returnSales") },
        ]}
      />
    </Card>
  );
}
