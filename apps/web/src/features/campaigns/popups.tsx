// A campaign's popup: shown once to a browser, and once to an account wherever it signs in. One at a time, after the page
// has come to rest, and never over another dialog.
import { CAMPAIGN_CALLS, type Campaign } from "@clockwork/growth/campaigns/contract";
import { PRODUCT_SHORT_NAME } from "@clockwork/kit/constants";
import { buttonClass } from "@clockwork/ui/logic/button-style";
import { useEffect, useState } from "react";
import { SiteLink } from "#boot/site-link.tsx";
import { useGlobal } from "#boot/state.ts";
import { useCalls } from "#session/auth-context.ts";
import { type KeptSetting, readKept, sameShape, writeKept } from "#session/kept-setting.ts";
import { Modal } from "#shell/modal.tsx";
import { useHomeText } from "#words/home-text.ts";

const SEEN_MAX = 100;
const REST_MS = 1_200;

const SEEN: KeptSetting<readonly string[]> = {
  key: `${PRODUCT_SHORT_NAME}_popups`,
  steps: [sameShape],
  check: (value) => (Array.isArray(value) ? value.filter((key): key is string => typeof key === "string") : undefined),
};

function readSeen(): readonly string[] {
  return readKept(SEEN) ?? [];
}

/** Without storage it is shown again at the next visit. */
function keepSeen(key: string): void {
  writeKept(SEEN, [...readSeen(), key].slice(-SEEN_MAX));
}

export function Popups() {
  const calls = useCalls();
  const [popup, setPopup] = useState<Campaign>();
  const isSignedIn = useGlobal((state) => state.topInfo.id !== null);
  useEffect(() => {
    let isHere = true;
    const timer = setTimeout(async () => {
      const answer = await (await calls()).call(CAMPAIGN_CALLS.popups, {});
      const seen = readSeen();
      const next = answer.ok ? answer.data.popups.find(({ key }) => !seen.includes(key)) : undefined;
      if (isHere && next !== undefined && document.querySelector("dialog[open]") === null) setPopup(next);
    }, REST_MS);
    return () => {
      isHere = false;
      clearTimeout(timer);
    };
  }, [calls]);
  if (popup === undefined) return null;
  const close = () => {
    keepSeen(popup.key);
    if (isSignedIn) void calls().then((client) => client.call(CAMPAIGN_CALLS.seen, { key: popup.key }));
    setPopup(undefined);
  };
  return <Popup popup={popup} onClose={close} />;
}

function Popup({ popup, onClose }: { readonly popup: Campaign; readonly onClose: () => void }) {
  const text = useHomeText();
  const { title, text: body, action, to } = popup;
  const look = buttonClass({ kind: "primary", size: 40 });
  return (
    <Modal
      label={title}
      onClose={onClose}
      className="inset-x-4 top-[18vh] mx-auto w-auto max-w-[420px] rounded-panel p-6 shadow-raised sm:w-[420px]"
    >
      <h2 className="font-semibold text-[20px] leading-7 tracking-[-0.015em] [overflow-wrap:anywhere]">{title}</h2>
      <p className="mt-2 text-muted [overflow-wrap:anywhere]">{body}</p>
      <div className="mt-6 flex flex-wrap justify-end gap-2">
        <button type="button" className={buttonClass({ size: 40 })} onClick={onClose}>
          {text("home.popup.close")}
        </button>
        {action !== "" &&
          (to.startsWith("/") ? (
            <SiteLink to={to} className={look} onClick={onClose}>
              {action}
            </SiteLink>
          ) : (
            <a href={to} rel="noreferrer" target="_blank" className={look} onClick={onClose}>
              {action}
            </a>
          ))}
      </div>
    </Modal>
  );
}
