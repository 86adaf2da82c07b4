// Operators and their roles.
import { type Me, OPERATOR_CALLS, type OperatorList } from "@clockwork/identity/operators/contract";
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { loadBehindGate, loadOperator } from "#console/operator-data.ts";
import { StepUpProof } from "#shell/proof/step-up.tsx";
import { OperatorsPage } from "../../features/operators/operators-page.tsx";

interface OperatorsData {
  readonly me: Me;
  readonly list?: OperatorList | null;
}

export async function loader({ context }: LoaderFunctionArgs): Promise<OperatorsData> {
  const page = context.get(pageContext);
  const me = await loadOperator(page);
  const mayManage = me.readable.includes("operators.manage");
  return mayManage ? { me, list: await loadBehindGate(page, me, OPERATOR_CALLS.list, {}) } : { me };
}

export const clientLoader = loadPayload<OperatorsData>;

export default function OperatorRoles() {
  const { me, list } = useLoaderData<OperatorsData>();
  return <OperatorsPage me={me} list={list} proof={(onProved) => <StepUpProof kind="totp" onProved={onProved} />} />;
}
