// Friends that count for nothing, for operators.
import { INVITE_CONSOLE_CALLS, type JudgedFriends } from "@clockwork/growth/invite/contract";
import type { Me } from "@clockwork/identity/operators/contract";
import { type LoaderFunctionArgs, useLoaderData, useRevalidator } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { loadBehindGate, loadOperator } from "#console/operator-data.ts";
import { StepUpProof } from "#shell/proof/step-up.tsx";
import { InviteDeskPage } from "../../features/invite/desk-page.tsx";

interface DeskData {
  readonly me: Me;
  readonly friends: JudgedFriends["friends"] | null;
}

export async function loader({ context }: LoaderFunctionArgs): Promise<DeskData> {
  const page = context.get(pageContext);
  const me = await loadOperator(page);
  const found = await loadBehindGate(page, me, INVITE_CONSOLE_CALLS.friends, {});
  return { me, friends: found?.friends ?? null };
}

export const clientLoader = loadPayload<DeskData>;

export default function OperatorInvite() {
  const data = useLoaderData<DeskData>();
  const { revalidate } = useRevalidator();
  const refresh = () => void revalidate();
  return <InviteDeskPage {...data} onChanged={refresh} proof={<StepUpProof kind="totp" onProved={refresh} />} />;
}
