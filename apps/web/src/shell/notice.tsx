// The cookie and risk notice of a first visit. Rendered by the server until it was closed once; floats, so nothing
// moves. In a terminal no area may be covered, so there it is a bar above everything.
import { buttonClass } from "@clockwork/ui/logic/button-style";
import { useState } from "react";
import { useRouteLoaderData } from "react-router";
import type { RootData } from "#boot/root-data.ts";
import { closeNotice } from "#session/settings.ts";
import { useSiteText } from "#words/site-text.ts";

const FLOATING =
  "fixed inset-x-4 bottom-4 z-sticky mx-auto flex max-w-[720px] flex-col gap-3 rounded-card bg-raised p-4 shadow-raised max-lg:bottom-20 [@media(max-height:480px)]:static sm:flex-row sm:items-center sm:gap-6 sm:px-5";
/** Above the chat button, and hidden while the chat is open. */
const BESIDE_CHAT =
  "in-[body:has([data-chat])]:max-lg:bottom-36 in-[body:has([data-chat][aria-expanded=true])]:max-lg:hidden";
const BAR = "flex flex-none items-center justify-center gap-4 border-line border-b bg-raised px-3 py-1.5";

export function Notice({ isBar = false }: { readonly isBar?: boolean }) {
  const text = useSiteText();
  const root = useRouteLoaderData<RootData>("root");
  const [shown, setShown] = useState(root?.noticeSeen === false);
  if (!shown) return null;
  return (
    <section
      data-notice={isBar ? "bar" : "floating"}
      aria-label={text("notice.label")}
      className={isBar ? BAR : `${FLOATING} ${BESIDE_CHAT}`}
    >
      <p className={isBar ? "text-label text-muted" : "text-[13px] text-muted leading-5"}>{text("notice.text")}</p>
      <button
        type="button"
        className={`${buttonClass({ kind: "neutral", size: isBar ? 28 : 36 })} shrink-0 ${isBar ? "" : "self-end sm:self-auto"}`}
        onClick={() => {
          closeNotice();
          setShown(false);
        }}
      >
        {text("notice.close")}
      </button>
    </section>
  );
}
