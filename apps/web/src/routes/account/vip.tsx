// VIP and fees: the caller's standing, or for a visitor the levels alone.
import { VIP_CALLS } from "@clockwork/growth/vip/contract";
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { readCall } from "#boot/read-call.ts";
import { VipPage, type VipPageProps } from "../../features/vip/vip-page.tsx";

export async function loader({ context }: LoaderFunctionArgs): Promise<VipPageProps> {
  const page = context.get(pageContext);
  const isSignedIn = page.root.topInfo.id !== null;
  const standing = isSignedIn ? await readCall(page, VIP_CALLS.standing, {}) : undefined;
  const listed = isSignedIn ? undefined : await readCall(page, VIP_CALLS.levels, {});
  return { standing: standing ?? null, levels: listed?.levels ?? [], isSignedIn };
}

export const clientLoader = loadPayload<VipPageProps>;

export default function AccountVip() {
  return <VipPage {...useLoaderData<VipPageProps>()} />;
}
