// `/invite`: links to share with their split, what they brought, who came, and the week's ranking.
import type { InviteDetail, InviteProfile, InviteRanking } from "@clockwork/growth/invite/contract";
import { Button } from "@clockwork/ui/button";
import { useState } from "react";
import { FailedLine } from "#session/failed-line.tsx";
import { AccountFrame } from "#shell/account-frame.tsx";
import { SecurityModal } from "#shell/proof/security-modal.tsx";
import { useProgrammeText } from "#words/programme-text.ts";
import { FriendsCard } from "./friends-card.tsx";
import { LinkCard } from "./link-card.tsx";
import { RankingCard } from "./ranking-card.tsx";
import { RebatesCard } from "./rebates-card.tsx";

export interface InvitePageProps {
  readonly profile: InviteProfile | null;
  readonly detail: InviteDetail | null;
  readonly ranking: InviteRanking | null;
  readonly origin: string;
}

export function InvitePage({ profile, detail, ranking, origin }: InvitePageProps) {
  const text = useProgrammeText();
  const [isOpen, setOpen] = useState(false);
  if (profile === null || profile.links.length === 0) {
    return (
      <AccountFrame title={text("invite.title")}>
        <FailedLine />
      </AccountFrame>
    );
  }
  return (
    <AccountFrame
      title={text("invite.title")}
      lead={text("invite.lead")}
      aside={
        <Button size={40} icon="document" onPress={() => setOpen(true)}>
          {text("invite.rules")}
        </Button>
      }
    >
      <div className="grid grid-cols-[minmax(0,1fr)] items-stretch gap-4 xl:grid-cols-[minmax(0,5fr)_minmax(0,3fr)]">
        <LinkCard profile={profile} origin={origin} />
        <RebatesCard profile={profile} />
        <FriendsCard detail={detail} />
        <RankingCard ranking={ranking} isNamed={profile.isNamed} />
      </div>
      {isOpen && <Rules profile={profile} onClose={() => setOpen(false)} />}
    </AccountFrame>
  );
}

function Rules({ profile, onClose }: { readonly profile: InviteProfile; readonly onClose: () => void }) {
  const text = useProgrammeText();
  const { sharedPercent, secondPercent } = profile.rate;
  return (
    <SecurityModal title={text("invite.rules")} onClose={onClose}>
      <ul className="mt-3 list-disc space-y-2 pl-5 text-ui">
        <li>{text("invite.rules.share", { percent: sharedPercent })}</li>
        <li>{text("invite.rules.second", { percent: secondPercent })}</li>
        <li>{text("invite.rules.paid")}</li>
        <li>{text("invite.rules.split")}</li>
        <li>{text("invite.rules.self")}</li>
      </ul>
    </SecurityModal>
  );
}
