// The header's part for signed-in users: wallet, letters with their count, each only where its page exists, and the
// avatar with the account menu. The menu is fetched when a pointer or the focus comes near.
import { Avatar } from "@clockwork/ui/avatar";
import { Icon } from "@clockwork/ui/icon";
import { Suspense, useCallback, useId, useRef, useState } from "react";
import { hasPage } from "#boot/route-table.ts";
import { SiteLink } from "#boot/site-link.tsx";
import { useGlobal } from "#boot/state.ts";
import { lazy } from "#boot/timeout.ts";
import { useSiteText } from "#words/site-text.ts";
import { avatarName } from "./avatar-name.ts";
import { QUIET } from "./settings-corner.tsx";

const load = () => import("./account-menu.tsx");
const AccountMenu = lazy(() => load().then((module) => ({ default: module.AccountMenu })));

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

export function AccountAvatar() {
  const text = useSiteText();
  const id = useId();
  const anchor = useGlobal((state) => state.anchorInfo);
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const close = useCallback(() => setOpen(false), []);
  const dismiss = useCallback(() => {
    setOpen(false);
    button.current?.focus();
  }, []);
  const avatar = typeof anchor?.avatar === "number" ? anchor.avatar : 0;
  return (
    <div className="lg:relative">
      <button
        ref={button}
        type="button"
        aria-label={text("account.open")}
        aria-haspopup="dialog"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        className="flex size-9 items-center justify-center rounded-full hover:bg-hover aria-expanded:bg-hover"
        onPointerEnter={() => void load()}
        onFocus={() => void load()}
        onClick={() => (open ? dismiss() : setOpen(true))}
      >
        <span aria-hidden="true" className="flex">
          <Avatar name={avatarName(avatar)} size={28} />
        </span>
      </button>
      <Suspense fallback={null}>
        {open && <AccountMenu id={id} anchor={button} onDismiss={dismiss} onClose={close} />}
      </Suspense>
    </div>
  );
}
