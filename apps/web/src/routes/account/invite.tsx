// Invite friends: links and what they brought, friends and the week's ranking, fetched together.
import {
  INVITE_PATHS,
  type InviteDetail,
  type InviteProfile,
  type InviteRanking,
} from "@clockwork/growth/invite/contract";
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { readEnvelope } from "#boot/root-data.ts";
import { InvitePage, type InvitePageProps } from "../../features/invite/invite-page.tsx";

export async function loader({ context, request }: LoaderFunctionArgs): Promise<InvitePageProps> {
  const { callApi } = context.get(pageContext);
  const [profile, detail, ranking] = await Promise.all(
    [INVITE_PATHS.profile, INVITE_PATHS.detail, INVITE_PATHS.ranking].map((path) => callApi({ method: "GET", path })),
  );
  return {
    profile: (readEnvelope(profile) as InviteProfile | undefined) ?? null,
    detail: (readEnvelope(detail) as InviteDetail | undefined) ?? null,
    ranking: (readEnvelope(ranking) as InviteRanking | undefined) ?? null,
    origin: new URL(request.url).origin,
  };
}

export const clientLoader = loadPayload<InvitePageProps>;

export default function AccountInvite() {
  return <InvitePage {...useLoaderData<InvitePageProps>()} />;
}
