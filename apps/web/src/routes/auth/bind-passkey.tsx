// A fresh proof before a passkey is made.
import { type Overview, SECURITY_CALLS } from "@clockwork/identity/security/contract";
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { readCall } from "#boot/read-call.ts";
import { StepUpProof } from "#shell/proof/step-up.tsx";
import { BindVerification } from "../../features/passkeys/passkey-screens.tsx";

interface BindData {
  readonly kind: Overview["stepUp"];
  readonly hasPasskeys: boolean;
}

export async function loader({ context }: LoaderFunctionArgs): Promise<BindData> {
  const overview = await readCall(context.get(pageContext), SECURITY_CALLS.overview, {});
  return { kind: overview?.stepUp ?? "email", hasPasskeys: overview?.hasPasskeys === true };
}

export const clientLoader = loadPayload<BindData>;

export default function AuthBindPasskey() {
  const { kind, hasPasskeys } = useLoaderData<BindData>();
  return (
    <BindVerification proof={(onProved) => <StepUpProof kind={kind} hasPasskeys={hasPasskeys} onProved={onProved} />} />
  );
}
