// Hot and cold wallets, for operators.
import type { Me } from "@clockwork/identity/operators/contract";
import { type LoaderFunctionArgs, useLoaderData, useRevalidator } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { loadOperator } from "#console/operator-data.ts";
import { StepUpProof } from "#shell/proof/step-up.tsx";
import { CustodyPage } from "../../features/exchange/custody-page.tsx";

export async function loader({ context }: LoaderFunctionArgs): Promise<{ readonly me: Me }> {
  return { me: await loadOperator(context.get(pageContext)) };
}

export const clientLoader = loadPayload<{ readonly me: Me }>;

export default function OperatorCustody() {
  const { me } = useLoaderData<{ readonly me: Me }>();
  const { revalidate } = useRevalidator();
  return <CustodyPage me={me} proof={<StepUpProof kind="totp" onProved={() => void revalidate()} />} />;
}
