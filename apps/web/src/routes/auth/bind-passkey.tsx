// A fresh proof before a passkey is made.
import type { Overview } from "@clockwork/identity/security/contract";
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { readEnvelope } from "#boot/root-data.ts";
import { StepUpProof } from "#shell/proof/step-up.tsx";
import { BindVerification } from "../../features/passkeys/passkey-screens.tsx";
import { OVERVIEW_PATH } from "../../features/security/security-calls.ts";

interface BindData {
  readonly kind: Overview["stepUp"];
  readonly hasPasskeys: boolean;
}

export async function loader({ context }: LoaderFunctionArgs): Promise<BindData> {
  const answer = await context.get(pageContext).callApi({ method: "GET", path: OVERVIEW_PATH });
  const overview = readEnvelope(answer) as Overview | undefined;
  return { kind: overview?.stepUp ?? "email", hasPasskeys: overview?.hasPasskeys === true };
}

export const clientLoader = loadPayload<BindData>;

export default function AuthBindPasskey() {
  const { kind, hasPasskeys } = useLoaderData<BindData>();
  return (
    <BindVerification proof={(onProved) => <StepUpProof kind={kind} hasPasskeys={hasPasskeys} onProved={onProved} />} />
  );
}
