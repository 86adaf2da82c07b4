// Earn, for operators.
import { EARN_CALLS, EARN_CONSOLE_CALLS, type EarnProducts, type Treasury } from "@clockwork/earning/earn/contract";
import type { Me } from "@clockwork/identity/operators/contract";
import { type LoaderFunctionArgs, useLoaderData, useRevalidator } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { loadBehindGate, loadOperator } from "#console/operator-data.ts";
import { StepUpProof } from "#shell/proof/step-up.tsx";
import { DeskPage } from "../../features/earn/desk-page.tsx";

interface DeskData {
  readonly me: Me;
  readonly treasury: Treasury | null;
  readonly products: EarnProducts["products"] | null;
}

export async function loader({ context }: LoaderFunctionArgs): Promise<DeskData> {
  const page = context.get(pageContext);
  const me = await loadOperator(page);
  const [treasury, products] = await Promise.all([
    loadBehindGate(page, me, EARN_CONSOLE_CALLS.treasury, {}),
    loadBehindGate(page, me, EARN_CALLS.products, {}),
  ]);
  return { me, treasury, products: products?.products ?? null };
}

export const clientLoader = loadPayload<DeskData>;

export default function OperatorEarn() {
  const data = useLoaderData<DeskData>();
  const { revalidate } = useRevalidator();
  const refresh = () => void revalidate();
  return <DeskPage {...data} onChanged={refresh} proof={<StepUpProof kind="totp" onProved={refresh} />} />;
}
