// Shows the account's live notices, and the page's own messages, on any page. Drawn with the first notice; a terminal
// has its own place for notices.
import type { LiveNotice } from "@clockwork/messaging/notices/contract";
import { TOAST_EVENT } from "@clockwork/ui/logic/toast-event";
import { type ComponentType, useContext, useEffect, useState } from "react";
import { useSitePath } from "#boot/site-link.tsx";
import { LiveContext } from "#live/react.ts";
import { useText } from "#words/text.ts";

const TONES: Readonly<Record<string, "info" | "warn">> = {
  security: "warn",
  "margin-call": "warn",
  liquidation: "warn",
};

export function readNotice(data: unknown): Pick<LiveNotice, "kind" | "title" | "body" | "path"> | undefined {
  if (typeof data !== "object" || data === null) return undefined;
  const { kind, title, body, path } = data as Record<string, unknown>;
  if (typeof kind !== "string" || typeof title !== "string" || typeof body !== "string") return undefined;
  // Another site's address is never followed.
  return { kind, title, body, path: typeof path === "string" && /^\/(?!\/)/.test(path) ? path : null };
}

export function LiveNotices({ hasOwnPlace }: { readonly hasOwnPlace: boolean }) {
  const text = useText();
  const hub = useContext(LiveContext);
  const sitePath = useSitePath();
  const [Toasts, setToasts] = useState<ComponentType>();
  useEffect(() => {
    const open = () => void import("@clockwork/ui/toast").then((part) => setToasts(() => part.Toasts));
    if (document.documentElement.dataset.toasts === "1") open();
    addEventListener(TOAST_EVENT, open, { once: true });
    return () => removeEventListener(TOAST_EVENT, open);
  }, []);
  useEffect(() => {
    if (hub === undefined) return;
    return hub.socket.subscribe({
      topic: { channel: "notices" },
      onMessage: ({ data }) => {
        const notice = readNotice(data);
        if (notice === undefined) return;
        void import("#session/notice-ways.ts").then(({ describeSupport }) => describeSupport(notice));
        void import("@clockwork/ui/toast").then((part) => {
          const { title, body, path, kind } = notice;
          const action = path === null ? {} : { action: { label: text("notices.look"), href: sitePath(path) } };
          part.showToast({ title, detail: body, tone: TONES[kind] ?? "info", ...action });
        });
      },
    });
  }, [hub, sitePath, text]);
  return hasOwnPlace || Toasts === undefined ? null : <Toasts />;
}
