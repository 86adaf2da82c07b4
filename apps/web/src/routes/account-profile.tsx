// The profile: the served user, and how others see them.
import type { Profile, UserInfo } from "@clockwork/domains/users/api";
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { ProfilePage } from "../features/users/account-pages.tsx";
import { PROFILE_PATH } from "../features/users/profile-card.tsx";
import { pageContext } from "../frame/page-context.ts";
import { loadPayload } from "../frame/payload.ts";
import { readEnvelope } from "../frame/root-data.ts";
import { useGlobal } from "../frame/state.ts";

export async function loader({ context }: LoaderFunctionArgs): Promise<Profile | null> {
  const answer = await context.get(pageContext).callApi({ method: "GET", path: PROFILE_PATH });
  return (readEnvelope(answer) as Profile | undefined) ?? null;
}

export const clientLoader = loadPayload<Profile | null>;

export default function AccountProfile() {
  const user = useGlobal((state) => state.topInfo.userInfo as UserInfo | null);
  return <ProfilePage user={user} profile={useLoaderData<Profile | null>()} />;
}
