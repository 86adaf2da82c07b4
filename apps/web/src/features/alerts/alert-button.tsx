// The bell in the pair bar: opens the alerts of the pair, and signals one that triggers while the page is open.
// Visitors are redirected to sign in. The dialog is loaded on the first click.
import type { Alert } from "@clockwork/trading/alerts/contract";
import { Icon } from "@clockwork/ui/icon";
import { Suspense, useContext, useEffect, useState } from "react";
import { useLocation } from "react-router";
import { useGlobal } from "#boot/state.ts";
import { lazy } from "#boot/timeout.ts";
import { LiveContext } from "#live/react.ts";
import { loginPath } from "#session/login-path.ts";
import { useTerminalText } from "#trade/terminal-text.ts";
import { readAlert } from "./alert-model.ts";

const AlertDialog = lazy(() => import("./alert-dialog.tsx").then((part) => ({ default: part.AlertDialog })));

export function AlertButton() {
  const text = useTerminalText();
  const { pathname, search } = useLocation();
  const isSignedIn = useGlobal((state) => state.topInfo.id !== null);
  const [isOpen, setOpen] = useState(false);
  const met = useMet(isSignedIn);
  const face = (
    <>
      <Icon name="bell" size={16} />
      <span className="max-lg:sr-only">{text("alert")}</span>
    </>
  );
  const look = "t-button max-lg:size-8 max-lg:justify-center max-lg:bg-transparent max-lg:p-0 max-lg:text-muted";
  if (!isSignedIn) {
    return (
      <a href={loginPath(pathname, pathname + search)} className={look}>
        {face}
      </a>
    );
  }
  return (
    <>
      <button type="button" aria-haspopup="dialog" className={look} onClick={() => setOpen(true)}>
        {face}
      </button>
      <Suspense fallback={null}>{isOpen && <AlertDialog met={met} onClose={() => setOpen(false)} />}</Suspense>
    </>
  );
}

/** The latest alert that was met since the page was opened; the account's notices say so. */
function useMet(isSignedIn: boolean): Alert | undefined {
  const hub = useContext(LiveContext);
  const [met, setMet] = useState<Alert>();
  useEffect(() => {
    if (!isSignedIn || hub === undefined) return;
    return hub.socket.subscribe({
      topic: { channel: "alerts" },
      onMessage: ({ data }) => {
        const alert = readAlert(data);
        if (alert === undefined) return;
        setMet(alert);
      },
    });
  }, [hub, isSignedIn]);
  return met;
}
