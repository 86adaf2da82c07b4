// `/account` and `/preferences`: who is signed in, and what the account keeps for every device.
import type { Profile, UserInfo } from "@clockwork/identity/users/contract";
import { findCountry } from "@clockwork/kit/countries";
import { formatDate } from "@clockwork/kit/time";
import { Card } from "@clockwork/ui/card";
import type { ReactNode } from "react";
import { AccountFrame } from "#shell/account-frame.tsx";
import { SettingsForm } from "#shell/settings-form.tsx";
import { useAccountText } from "#words/account-text.ts";
import { ProfileCard } from "./profile-card.tsx";

export interface ProfilePageProps {
  readonly user: UserInfo | null;
  /** As others see it; null when it could not be read. */
  readonly profile: Profile | null;
}

export function ProfilePage({ user, profile }: ProfilePageProps) {
  const text = useAccountText();
  const rows: readonly (readonly [string, string])[] =
    user === null
      ? []
      : [
          [text("profile.id"), user.id],
          [text("profile.email"), user.email ?? text("profile.none")],
          [text("profile.phone"), user.phone ?? text("profile.none")],
          [text("profile.country"), findCountry(user.country)?.name ?? user.country],
          [text("profile.since"), formatDate(user.createdAtMs)],
          [text("profile.invite"), user.inviteCode],
        ];
  return (
    <AccountFrame title={text("profile.title")} {...(user === null ? {} : { lead: user.nickname })}>
      <Card className="max-w-[720px]">
        {user === null && <p className="text-muted">{text("label.failed")}</p>}
        <dl>
          {rows.map(([name, value]) => (
            <div
              key={name}
              className="flex min-h-12 items-center justify-between gap-4 border-line border-b last:border-0"
            >
              <dt className="text-muted text-ui">{name}</dt>
              <dd className="figures min-w-0 break-words text-right text-ui">{value}</dd>
            </div>
          ))}
        </dl>
      </Card>
      {profile !== null && <ProfileCard profile={profile} />}
    </AccountFrame>
  );
}

export function PreferencesPage({ children }: { readonly children?: ReactNode }) {
  const text = useAccountText();
  return (
    <AccountFrame title={text("preferences.title")} lead={text("preferences.lead")}>
      <Card className="max-w-[720px]">
        <SettingsForm />
      </Card>
      {children}
    </AccountFrame>
  );
}
