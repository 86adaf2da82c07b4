// The profile: the served user, and how others see them.
import type { Profile, UserInfo } from "@clockwork/identity/users/contract";
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { readEnvelope } from "#boot/root-data.ts";
import { useGlobal } from "#boot/state.ts";
import { ProfilePage } from "../../features/users/account-pages.tsx";
import { PROFILE_PATH } from "../../features/users/profile-card.tsx";

export async function loader({ context }: LoaderFunctionArgs): Promise<Profile | null> {
  const answer = await context.get(pageContext).callApi({ method: "GET", path: PROFILE_PATH });
  return (readEnvelope(answer) as Profile | undefined) ?? null;
}

export const clientLoader = loadPayload<Profile | null>;

export default function AccountProfile() {
  const user = useGlobal((state) => state.topInfo.userInfo as UserInfo | null);
  return <ProfilePage user={user} profile={useLoaderData<Profile | null>()} />;
}
