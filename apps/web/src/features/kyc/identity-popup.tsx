// Shows the next step of the user's identity over any page. Shown when the account requires it or a call was refused
// for a missing level; once closed it remains closed for this visit.
import { buttonClass } from "@clockwork/ui/logic/button-style";
import { useEffect, useState } from "react";
import { useLocation } from "react-router";
import { SiteLink } from "#boot/site-link.tsx";
import { useGlobal, useGlobalStore } from "#boot/state.ts";
import { Modal } from "#shell/modal.tsx";
import { useAccountText } from "#words/account-text.ts";

const CLOSED_KEY = "cw_identity_popup";

function readClosed(): boolean {
  try {
    return sessionStorage.getItem(CLOSED_KEY) !== null;
  } catch {
    return false;
  }
}

export function IdentityPopup() {
  const text = useAccountText();
  const store = useGlobalStore();
  const info = useGlobal((state) => state.topInfo.userInfo);
  const { pathname } = useLocation();
  const [isNeeded, setNeeded] = useState(false);
  const isAsked = info?.identityPopup === true;
  // The requirement of a refused call is shown though the general reminder was closed.
  useEffect(() => setNeeded(!isAsked || !readClosed()), [isAsked]);
  const close = () => {
    try {
      sessionStorage.setItem(CLOSED_KEY, "1");
    } catch {
      // Without storage it comes again on the next page.
    }
    store.setState({ identityPopup: false });
  };
  if (!isNeeded || info === null || /\/identity$/.test(pathname)) return null;
  const level = typeof info.kycLevel === "number" ? info.kycLevel : 0;
  return (
    <Modal
      label={text("popup.title")}
      onClose={close}
      className="m-auto w-[440px] max-w-[calc(100vw-32px)] rounded-panel p-6 shadow-raised"
    >
      <h2 className="text-[20px] text-text leading-7 [font-weight:620]">{text("popup.title")}</h2>
      <p className="mt-2 mb-6 text-muted text-ui leading-[22px]">{text("popup.lead", { level })}</p>
      <div className="flex flex-col gap-2">
        <SiteLink to="/identity" onClick={close} className={buttonClass({ kind: "primary", size: 48, wide: true })}>
          {text("popup.go")}
        </SiteLink>
        <button type="button" onClick={close} className={buttonClass({ kind: "neutral", size: 48, wide: true })}>
          {text("popup.later")}
        </button>
      </div>
    </Modal>
  );
}
