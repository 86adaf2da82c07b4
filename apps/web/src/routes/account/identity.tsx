// Identity verification.
import type { BaseInfo } from "@clockwork/identity/kyc/contract";
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { readEnvelope } from "#boot/root-data.ts";
import { BASE_INFO_PATH, IdentityPage } from "../../features/kyc/identity-page.tsx";

export async function loader({ context }: LoaderFunctionArgs): Promise<BaseInfo | null> {
  const answer = await context.get(pageContext).callApi({ method: "GET", path: BASE_INFO_PATH });
  return (readEnvelope(answer) as BaseInfo | undefined) ?? null;
}

export const clientLoader = loadPayload<BaseInfo | null>;

export default function AccountIdentity() {
  return <IdentityPage info={useLoaderData<BaseInfo | null>()} />;
}
