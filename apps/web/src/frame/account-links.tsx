// What the header offers somebody who is signed in beside the account menu: wallet, letters with their count. Each only
// where its page exists.
import { Icon } from "@clockwork/ui/icon";
import { hasPage } from "../route-table.ts";
import { QUIET } from "./settings-corner.tsx";
import { SiteLink } from "./site-link.tsx";
import { useSiteText } from "./site-text.ts";
import { useGlobal } from "./state.ts";

export function AccountLinks() {
  const text = useSiteText();
  const unread = useGlobal((state) => state.unreadLetters);
  return (
    <>
      {hasPage("/wallet") && (
        <SiteLink to="/wallet" className={`${QUIET} max-lg:hidden`}>
          <Icon name="wallet" /> {text("bar.wallet")}
        </SiteLink>
      )}
      {hasPage("/letters") && (
        <SiteLink to="/letters" aria-label={text("account.letters", { count: unread })} className={`relative ${QUIET}`}>
          <Icon name="mail" size={18} />
          {unread > 0 && (
            <span className="figures absolute top-0 right-0 flex h-4 min-w-4 items-center justify-center rounded-full bg-text px-1 font-semibold text-[10px] text-on-text leading-none">
              {unread > 99 ? "99+" : unread}
            </span>
          )}
        </SiteLink>
      )}
    </>
  );
}
