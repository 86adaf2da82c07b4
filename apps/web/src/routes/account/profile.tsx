// The profile: the served user, and how others see them.
import { type Profile, USER_CALLS, type UserInfo } from "@clockwork/identity/users/contract";
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { readCall } from "#boot/read-call.ts";
import { useGlobal } from "#boot/state.ts";
import { ProfilePage } from "../../features/users/account-pages.tsx";

export async function loader({ context }: LoaderFunctionArgs): Promise<Profile | null> {
  return (await readCall(context.get(pageContext), USER_CALLS.profile, {})) ?? null;
}

export const clientLoader = loadPayload<Profile | null>;

export default function AccountProfile() {
  const user = useGlobal((state) => state.topInfo.userInfo as UserInfo | null);
  return <ProfilePage user={user} profile={useLoaderData<Profile | null>()} />;
}
