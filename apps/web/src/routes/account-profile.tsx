// The profile, from the served user.
import type { UserInfo } from "@clockwork/domains/users/api";
import { ProfilePage } from "../features/users/account-pages.tsx";
import { useGlobal } from "../frame/state.ts";

export default function AccountProfile() {
  return <ProfilePage user={useGlobal((state) => state.topInfo.userInfo as UserInfo | null)} />;
}
