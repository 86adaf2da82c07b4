// Identity verification.
import { type BaseInfo, KYC_CALLS } from "@clockwork/identity/kyc/contract";
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { readCall } from "#boot/read-call.ts";
import { IdentityPage } from "../../features/kyc/identity-page.tsx";

export async function loader({ context }: LoaderFunctionArgs): Promise<BaseInfo | null> {
  return (await readCall(context.get(pageContext), KYC_CALLS.baseInfo, {})) ?? null;
}

export const clientLoader = loadPayload<BaseInfo | null>;

export default function AccountIdentity() {
  return <IdentityPage info={useLoaderData<BaseInfo | null>()} />;
}
