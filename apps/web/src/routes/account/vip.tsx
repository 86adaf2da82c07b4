// VIP and fees: the caller's standing, or for a visitor the levels alone.
import { VIP_LEVELS_PATH, VIP_PATH, type VipLevels, type VipStanding } from "@clockwork/growth/vip/contract";
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { readEnvelope } from "#boot/root-data.ts";
import { VipPage, type VipPageProps } from "../../features/vip/vip-page.tsx";

export async function loader({ context }: LoaderFunctionArgs): Promise<VipPageProps> {
  const { callApi, root } = context.get(pageContext);
  const isSignedIn = root.topInfo.id !== null;
  const answer = await callApi({ method: "GET", path: isSignedIn ? VIP_PATH : VIP_LEVELS_PATH });
  const data = readEnvelope(answer);
  return {
    standing: isSignedIn ? ((data as VipStanding | undefined) ?? null) : null,
    levels: isSignedIn ? [] : ((data as VipLevels | undefined)?.levels ?? []),
    isSignedIn,
  };
}

export const clientLoader = loadPayload<VipPageProps>;

export default function AccountVip() {
  return <VipPage {...useLoaderData<VipPageProps>()} />;
}
