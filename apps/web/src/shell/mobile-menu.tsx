// The menu of narrow screens: every product that exists, then the visitor's choices, as one sheet over the page.
import { Icon } from "@clockwork/ui/icon";
import { buttonClass } from "@clockwork/ui/logic/button-style";
import { Mark } from "@clockwork/ui/mark";
import { Suspense } from "react";
import { SiteLink } from "#boot/site-link.tsx";
import { useGlobal } from "#boot/state.ts";
import { lazy } from "#boot/timeout.ts";
import { useSiteText } from "#words/site-text.ts";
import { useText } from "#words/text.ts";
import { listMenu, type MenuGroup } from "./menu.ts";
import { Modal } from "./modal.tsx";
import { SettingsForm } from "./settings-form.tsx";

const AccountHead = lazy(() => import("./account-panel.tsx").then((module) => ({ default: module.AccountHead })));

const menu = listMenu();

export interface MobileMenuProps {
  readonly onClose: () => void;
}

export function MobileMenu({ onClose }: MobileMenuProps) {
  const frame = useText();
  const text = useSiteText();
  const signedIn = useGlobal((state) => state.topInfo.id !== null);
  return (
    <Modal label={frame("menu.label")} onClose={onClose} className="inset-0 h-dvh w-full overflow-y-auto bg-bg">
      <div className="sticky top-0 flex h-14 items-center justify-between border-line border-b bg-header px-4">
        <Mark size={24} />
        <button
          type="button"
          aria-label={text("menu.close")}
          className="flex size-9 items-center justify-center rounded-control hover:bg-hover"
          onClick={onClose}
        >
          <Icon name="close" size={20} />
        </button>
      </div>
      {signedIn && (
        <section aria-label={text("account.open")} className="px-1 pt-3">
          <Suspense fallback={<div className="h-[148px]" />}>
            <AccountHead onLeave={onClose} />
          </Suspense>
        </section>
      )}
      <nav aria-label={frame("menu.label")} className="px-4 py-4">
        {menu.map((group) => (
          <Group key={group.title} group={group} onOpen={onClose} />
        ))}
      </nav>
      {!signedIn && (
        <div className="px-4 pb-4">
          <SiteLink to="/login-cw" onClick={onClose} className={buttonClass({ kind: "neutral", size: 48, wide: true })}>
            {frame("account.logIn")}
          </SiteLink>
        </div>
      )}
      <section aria-label={text("settings.title")} className="border-line border-t px-4 py-6">
        <SettingsForm withTheme />
      </section>
    </Modal>
  );
}

function Group({ group, onOpen }: { readonly group: MenuGroup; readonly onOpen: () => void }) {
  const text = useSiteText();
  if (group.columns === undefined) {
    return (
      <SiteLink to={group.path ?? "/"} onClick={onOpen} className="flex h-12 items-center font-medium text-[16px]">
        {text(group.title)}
      </SiteLink>
    );
  }
  return (
    <section className="py-2">
      <h2 className="py-2 text-label text-muted">{text(group.title)}</h2>
      <ul>
        {group.columns.flatMap((column) =>
          column.items.map((item) => (
            <li key={item.path}>
              <SiteLink to={item.path} onClick={onOpen} className="flex h-12 items-center gap-3 text-[16px]">
                <Icon name={item.icon} size={18} className="text-muted" />
                {text(item.title)}
              </SiteLink>
            </li>
          )),
        )}
      </ul>
    </section>
  );
}
