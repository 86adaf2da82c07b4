// The way into the support chat: a plain link, which carries who is signed in once the page is awake. What is signed
// travels behind the # and so reaches no server's log.
import type { ChatLogin } from "@clockwork/messaging/chat/contract";
import { buttonClass } from "@clockwork/ui/logic/button-style";
import type { MouseEvent } from "react";
import { useCalls } from "#session/auth-context.ts";
import { usePublicText } from "#words/public-text.ts";
import { chatAddress } from "./model.ts";

export const CHAT_PATH = "/v1/common/chat-login-data";

export function ChatCard({ url }: { readonly url: string }) {
  const text = usePublicText();
  const calls = useCalls();
  const open = async (event: MouseEvent) => {
    event.preventDefault();
    // Opened in the press itself, or the browser would not let it.
    const tab = window.open("about:blank", "_blank");
    if (tab !== null) tab.opener = null;
    const answer = await (await calls()).get<ChatLogin>(CHAT_PATH, {});
    const address = answer.ok ? chatAddress(url, answer.data) : url;
    if (tab === null) window.location.assign(address);
    else tab.location.replace(address);
  };
  return (
    <section
      aria-labelledby="chat"
      className="mt-10 flex flex-wrap items-center justify-between gap-4 rounded-card border border-line bg-surface px-6 py-5"
    >
      <div>
        <h2 id="chat" className="font-semibold text-[16px] leading-6">
          {text("public.talk")}
        </h2>
        <p className="mt-1 text-muted">{text("public.talk.note")}</p>
      </div>
      <a
        href={url}
        target="_blank"
        rel="noreferrer"
        onClick={(event) => void open(event)}
        className={buttonClass({ size: 40 })}
      >
        {text("public.talk.open")}
      </a>
    </section>
  );
}
