// Where another site sends its answer to; followed like any other sign-in, or linked to the account that is signed in.
import { type Overview, SECURITY_CALLS } from "@clockwork/identity/security/contract";
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { readCall } from "#boot/read-call.ts";
import { StepUpProof } from "#shell/proof/step-up.tsx";
import { useLoginRoute } from "../../features/sessions/login-actions.ts";
import { SocialReturn } from "../../features/social/social-return.tsx";
import { SocialRegister } from "../../features/users/social-register.tsx";

interface SocialData {
  /** What a fresh proof is; null without a session. */
  readonly stepUp: Overview["stepUp"] | null;
}

export async function loader({ context }: LoaderFunctionArgs): Promise<SocialData> {
  const page = context.get(pageContext);
  if (page.root.topInfo.id === null) return { stepUp: null };
  return { stepUp: (await readCall(page, SECURITY_CALLS.overview, {}))?.stepUp ?? null };
}

export const clientLoader = loadPayload<SocialData>;

export default function AuthLoginSocial() {
  const { stepUp } = useLoaderData<SocialData>();
  const { follow } = useLoginRoute();
  return (
    <SocialReturn
      isSignedIn={stepUp !== null}
      onFinished={(answer, carried) => follow("", answer, false, carried)}
      proof={(onProved) => <StepUpProof kind={stepUp ?? "email"} onProved={onProved} />}
      form={({ email, carried }, onSubmit) => <SocialRegister account={email} carried={carried} onSubmit={onSubmit} />}
    />
  );
}
