// The signed-in user and the account's pages: name, user id, identity, worth, every section that exists, sign-out. The
// body of the header's account menu and of the menu of narrow screens. Loaded on first use.
import { Avatar } from "@clockwork/ui/avatar";
import { useCopy } from "@clockwork/ui/copy-button";
import { Icon } from "@clockwork/ui/icon";
import { useEffect } from "react";
import { SiteLink } from "#boot/site-link.tsx";
import { useGlobal, useGlobalStore } from "#boot/state.ts";
import { refreshTotalAsset } from "#clients/asset-stream.ts";
import { useCalls, useSession } from "#session/auth-context.ts";
import { HIDDEN_TEXT, useHiddenAmounts } from "#session/hidden-amounts.ts";
import { usePrice } from "#session/price.ts";
import { useWorth } from "#session/worth.ts";
import { useAccountText } from "#words/account-text.ts";
import { listPlaces, type Place } from "./account-places.ts";
import { avatarName } from "./avatar-name.ts";

const places = listPlaces();
const ROW =
  "flex h-10 items-center gap-3 rounded-control px-3 text-ui text-text hover:bg-hover focus-visible:bg-hover max-lg:h-12 max-lg:text-[16px]";
const QUIET_BUTTON =
  "flex size-7 shrink-0 items-center justify-center rounded-control text-muted hover:bg-hover hover:text-text";

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

export interface AccountPanelProps {
  /** A place was chosen. */
  readonly onLeave: () => void;
}

/** The head alone, for a menu that has other business. */
export function AccountHead({ onLeave }: AccountPanelProps) {
  return (
    <>
      <Person onLeave={onLeave} />
      <Worth />
    </>
  );
}

export function AccountPanel({ onLeave }: AccountPanelProps) {
  const isOperator = useGlobal((state) => state.topInfo.userInfo?.role === "operator");
  return (
    <>
      <AccountHead onLeave={onLeave} />
      <Rows list={places.money} onLeave={onLeave} />
      <Rows list={places.programme} onLeave={onLeave} />
      <Rows list={places.about} onLeave={onLeave} />
      <Rows list={places.access} onLeave={onLeave} />
      {isOperator && <Rows list={places.console} onLeave={onLeave} />}
      <SignOut />
    </>
  );
}

function Person({ onLeave }: AccountPanelProps) {
  const text = useAccountText();
  const id = useGlobal((state) => state.topInfo.id) ?? "";
  const user = useGlobal((state) => state.topInfo.userInfo);
  const anchor = useGlobal((state) => state.anchorInfo);
  const { copied, copy } = useCopy(id);
  const level = typeof user?.kycLevel === "number" ? user.kycLevel : 0;
  const name = textOf(user?.email) ?? textOf(user?.phone) ?? textOf(user?.nickname) ?? id;
  const avatar = typeof anchor?.avatar === "number" ? anchor.avatar : 0;
  return (
    <div className="flex items-center gap-3 px-3 pt-2 pb-3">
      <span aria-hidden="true" className="flex">
        <Avatar name={avatarName(avatar)} size={40} />
      </span>
      <div className="min-w-0 flex-1">
        <p className="truncate font-semibold text-[15px]">{name}</p>
        <p className="flex flex-wrap items-center gap-x-0.5 text-label text-muted">
          <span className="figures whitespace-nowrap">{text("menu.uid", { id })}</span>
          <button type="button" aria-label={text("menu.copy")} className={QUIET_BUTTON} onClick={() => void copy()}>
            <Icon name={copied ? "check" : "copy"} size={14} />
          </button>
          <span role="status" className="sr-only">
            {copied ? text("menu.copied") : ""}
          </span>
          <SiteLink
            to="/vip"
            onClick={onLeave}
            className="ml-auto shrink-0 rounded-check border border-line2 px-1.5 text-muted hover:border-text hover:text-text"
          >
            {text("menu.vip", { level: typeof user?.vipLevel === "number" ? user.vipLevel : 0 })}
          </SiteLink>
          <SiteLink
            to="/identity"
            onClick={onLeave}
            className="ml-1 shrink-0 rounded-check border border-line2 px-1.5 text-muted hover:border-text hover:text-text"
          >
            {level > 0 ? text("menu.level", { level }) : text("menu.unverified")}
          </SiteLink>
        </p>
      </div>
    </div>
  );
}

/** The served value is shown at once and requested again: prices have moved since the page was rendered. */
function Worth() {
  const text = useAccountText();
  const store = useGlobalStore();
  const calls = useCalls();
  const price = usePrice();
  const total = useWorth();
  const currency = useGlobal((state) => state.currency);
  const { isHidden, toggle } = useHiddenAmounts();
  useEffect(() => {
    void calls().then((request) => refreshTotalAsset(store, request));
  }, [calls, store]);
  return (
    <div className="mx-3 mb-2 rounded-control border border-line bg-surface px-4 py-3">
      <p className="flex items-center justify-between text-label text-muted">
        {text("menu.total", { currency })}
        <button
          type="button"
          aria-label={text(isHidden ? "menu.show" : "menu.hide")}
          aria-pressed={isHidden}
          className={`${QUIET_BUTTON} -mr-1.5`}
          onClick={toggle}
        >
          <Icon name={isHidden ? "eye-off" : "eye"} />
        </button>
      </p>
      <p className="figures font-semibold text-[20px] leading-7">
        {isHidden ? HIDDEN_TEXT : total === undefined ? "–" : price(total)}
      </p>
    </div>
  );
}

function Rows({ list, onLeave }: { readonly list: readonly Place[]; readonly onLeave: () => void }) {
  const text = useAccountText();
  const unread = useGlobal((state) => state.unreadLetters);
  if (list.length === 0) return null;
  return (
    <ul className="border-line border-t px-1 py-1 first-of-type:border-t-0">
      {list.map(({ path, title, icon }) => (
        <li key={path}>
          <SiteLink to={path} onClick={onLeave} className={ROW}>
            <Icon name={icon} className="text-muted" />
            {text(title)}
            {path === "/letters" && unread > 0 && (
              <span className="figures ml-auto text-label text-muted">{unread > 99 ? "99+" : unread}</span>
            )}
          </SiteLink>
        </li>
      ))}
    </ul>
  );
}

function SignOut() {
  const text = useAccountText();
  const session = useSession();
  return (
    <div className="-mx-2 sticky -bottom-2 border-line border-t bg-raised px-3 py-1">
      <button
        type="button"
        className={`${ROW} w-full`}
        onClick={() => void session().then((control) => control.signOut())}
      >
        <Icon name="log-out" className="text-muted" />
        {text("nav.signOut")}
      </button>
    </div>
  );
}
