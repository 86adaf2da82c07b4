// The link to the support chat from the help centre: opens the own chat, or leads to an external one by a plain link,
// which carries the user's identity once the page is hydrated. The signed part is behind the # and so reaches no
// server's log.
import { CHAT_LOGIN_CALLS } from "@clockwork/messaging/chat/contract";
import { Button } from "@clockwork/ui/button";
import { buttonClass } from "@clockwork/ui/logic/button-style";
import type { MouseEvent, ReactNode } from "react";
import { useLocation } from "react-router";
import { useGlobal } from "#boot/state.ts";
import { useCalls } from "#session/auth-context.ts";
import { loginPath } from "#session/login-path.ts";
import { usePublicText } from "#words/public-text.ts";
import { chatAddress, OPEN_CHAT_EVENT } from "./model.ts";

/** The chat of this exchange, for signed-in users. */
export function OwnChatCard() {
  const text = usePublicText();
  const { pathname } = useLocation();
  const isSignedIn = useGlobal((state) => state.topInfo.id !== null);
  return (
    <Card note={text(isSignedIn ? "public.talk.own" : "public.talk.signIn")}>
      {isSignedIn ? (
        <Button size={40} onPress={() => dispatchEvent(new Event(OPEN_CHAT_EVENT))}>
          {text("public.talk.open")}
        </Button>
      ) : (
        <a href={loginPath(pathname, pathname)} className={buttonClass({ size: 40 })}>
          {text("public.talk.logIn")}
        </a>
      )}
    </Card>
  );
}

export function ChatCard({ url }: { readonly url: string }) {
  const text = usePublicText();
  const calls = useCalls();
  const open = async (event: MouseEvent) => {
    event.preventDefault();
    // Opened in the press itself, or the browser would not let it.
    const tab = window.open("about:blank", "_blank");
    if (tab !== null) tab.opener = null;
    const answer = await (await calls()).call(CHAT_LOGIN_CALLS.login, {});
    const address = answer.ok ? chatAddress(url, answer.data) : url;
    if (tab === null) window.location.assign(address);
    else tab.location.replace(address);
  };
  return (
    <Card note={text("public.talk.note")}>
      <a
        href={url}
        target="_blank"
        rel="noreferrer"
        onClick={(event) => void open(event)}
        className={buttonClass({ size: 40 })}
      >
        {text("public.talk.open")}
      </a>
    </Card>
  );
}

function Card({ note, children }: { readonly note: string; readonly children: ReactNode }) {
  const text = usePublicText();
  return (
    <section
      aria-labelledby="chat"
      className="mt-10 flex flex-wrap items-center justify-between gap-4 rounded-card border border-line bg-surface px-6 py-5"
    >
      <div>
        <h2 id="chat" className="font-semibold text-[16px] leading-6">
          {text("public.talk")}
        </h2>
        <p className="mt-1 text-muted">{note}</p>
      </div>
      {children}
    </section>
  );
}
