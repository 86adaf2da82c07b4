// `/operator/earn`: what the interest treasury has and owes, and products to close and open. Money for the treasury is
// proposed; another operator decides.
import { EARN_CONSOLE_CALLS, type EarnProduct, type Treasury } from "@clockwork/earning/earn/contract";
import { Button } from "@clockwork/ui/button";
import { Card } from "@clockwork/ui/card";
import { Badge } from "@clockwork/ui/pill";
import type { ReactNode } from "react";
import { ConsoleFrame, type ConsoleOperator } from "#console/console-frame.tsx";
import { FundForm } from "#console/fund-form.tsx";
import { ActionNote, useOperatorAction } from "#console/operator-action.tsx";
import { FailedLine } from "#session/failed-line.tsx";
import { useEarnText } from "#words/earn-text.ts";
import { formatAmount } from "./earn-model.ts";

export interface DeskPageProps {
  readonly me: ConsoleOperator;
  readonly proof: ReactNode;
  /** Null when it could not be read, as the products. */
  readonly treasury: Treasury | null;
  readonly products: readonly EarnProduct[] | null;
  readonly onChanged: () => void;
}

export function DeskPage({ me, proof, treasury, products, onChanged }: DeskPageProps) {
  const text = useEarnText();
  return (
    <ConsoleFrame me={me} title={text("desk.title")} lead={text("desk.lead")} proof={proof}>
      <div className="grid gap-4">
        <TreasuryCard treasury={treasury} />
        <ProductsCard products={products} onChanged={onChanged} />
      </div>
    </ConsoleFrame>
  );
}

function TreasuryCard({ treasury }: { readonly treasury: Treasury | null }) {
  const text = useEarnText();
  return (
    <Card title={text("desk.treasury")}>
      {treasury === null && <FailedLine />}
      <table className="figures mb-4 w-full text-ui">
        <thead className="text-label text-muted">
          <tr>
            {[text("coin"), text("desk.free"), text("desk.reserved"), text("desk.owed")].map((label, index) => (
              <th key={label} className={`py-1 font-normal ${index === 0 ? "text-left" : "text-right"}`}>
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {treasury?.coins.map((coin) => (
            <tr key={coin.asset} className="border-line border-t">
              <td className="py-1">
                {coin.asset} {coin.isShort ? <Badge tone="danger">{text("desk.short")}</Badge> : null}
              </td>
              <td className="text-right">{formatAmount(coin.free)}</td>
              <td className="text-right">{formatAmount(coin.reserved)}</td>
              <td className="text-right">{formatAmount(coin.owedMonth)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <FundForm
        asset="USDT"
        words={{ coin: text("coin"), amount: text("amount"), reason: text("desk.reason") }}
        ways={[{ called: EARN_CONSOLE_CALLS.fund, label: text("desk.fund") }]}
      />
    </Card>
  );
}

function ProductsCard({
  products,
  onChanged,
}: {
  readonly products: readonly EarnProduct[] | null;
  readonly onChanged: () => void;
}) {
  const text = useEarnText();
  const action = useOperatorAction();
  const set = async (productId: string, isOpen: boolean) => {
    await action.run(EARN_CONSOLE_CALLS.open, { productId, isOpen });
    onChanged();
  };
  return (
    <Card title={text("desk.products")}>
      <ActionNote action={action} />
      {products === null && <FailedLine />}
      <ul>
        {products?.map((product) => (
          <li key={product.productId} className="flex items-center gap-3 border-line border-t py-1.5 text-ui">
            <span className="flex-1">{product.productId}</span>
            <span className="figures text-muted">{`${formatAmount(product.left)} / ${formatAmount(product.quota)} ${product.asset}`}</span>
            <Badge>{product.state}</Badge>
            <Button kind="neutral" size={28} onPress={() => void set(product.productId, product.state === "PAUSED")}>
              {text(product.state === "PAUSED" ? "desk.reopen" : "desk.close")}
            </Button>
          </li>
        ))}
      </ul>
    </Card>
  );
}
