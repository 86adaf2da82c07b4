// Complaints about orders between users, and merchants, for operators.

import { type ComplaintList, OTC_ORDER_CALLS } from "@clockwork/fiat/otcorders/contract";
import { type MerchantTable, OTC_PEOPLE_CALLS } from "@clockwork/fiat/otcpeople/contract";
import type { Me } from "@clockwork/identity/operators/contract";
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { loadBehindGate, loadOperator } from "#console/operator-data.ts";
import { StepUpProof } from "#shell/proof/step-up.tsx";
import { DeskPage } from "../../features/otc/desk-page.tsx";

interface DeskData {
  readonly me: Me;
  readonly complaints: ComplaintList | null;
  readonly merchants: MerchantTable | null;
}

export async function loader({ context }: LoaderFunctionArgs): Promise<DeskData> {
  const page = context.get(pageContext);
  const me = await loadOperator(page);
  const [complaints, merchants] = await Promise.all([
    loadBehindGate(page, me, OTC_ORDER_CALLS.desk, {}),
    loadBehindGate(page, me, OTC_PEOPLE_CALLS.desk, {}),
  ]);
  return { me, complaints, merchants };
}

export const clientLoader = loadPayload<DeskData>;

export default function OperatorOtc() {
  const data = useLoaderData<DeskData>();
  return <DeskPage {...data} proof={(onProved) => <StepUpProof kind="totp" onProved={onProved} />} />;
}
