// Invite friends: links and what they brought, friends and the week's ranking, fetched together.
import { INVITE_CALLS } from "@clockwork/growth/invite/contract";
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { readCall } from "#boot/read-call.ts";
import { InvitePage, type InvitePageProps } from "../../features/invite/invite-page.tsx";

export async function loader({ context, request }: LoaderFunctionArgs): Promise<InvitePageProps> {
  const page = context.get(pageContext);
  const [profile, detail, ranking] = await Promise.all([
    readCall(page, INVITE_CALLS.profile, {}),
    readCall(page, INVITE_CALLS.detail, {}),
    readCall(page, INVITE_CALLS.ranking, {}),
  ]);
  return {
    profile: profile ?? null,
    detail: detail ?? null,
    ranking: ranking ?? null,
    origin: new URL(request.url).origin,
  };
}

export const clientLoader = loadPayload<InvitePageProps>;

export default function AccountInvite() {
  return <InvitePage {...useLoaderData<InvitePageProps>()} />;
}
