// The way into the support chat from every page: a button with the unread count, for signed-in users. The panel is
// loaded when it is opened.
import { type ChatState, SUPPORT_CHAT_CHANNEL } from "@clockwork/messaging/support/contract";
import { Icon } from "@clockwork/ui/icon";
import { type ComponentType, useContext, useEffect, useRef, useState } from "react";
import { LiveContext } from "#live/react.ts";
import { useSiteText } from "#words/site-text.ts";
import { OPEN_CHAT_EVENT, readChatState } from "./model.ts";
import type { ChatPanelProps } from "./panel.tsx";

export function ChatBubble() {
  const text = useSiteText();
  const hub = useContext(LiveContext);
  const [state, setState] = useState<ChatState>();
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const draft = useRef("");
  const [Panel, setPanel] = useState<ComponentType<ChatPanelProps>>();
  useEffect(() => {
    if (hub === undefined) return;
    return hub.socket.subscribe({
      topic: { channel: SUPPORT_CHAT_CHANNEL },
      onMessage: ({ data }) => setState((known) => readChatState(data) ?? known),
    });
  }, [hub]);
  useEffect(() => {
    const open = () => setOpen(true);
    addEventListener(OPEN_CHAT_EVENT, open);
    return () => removeEventListener(OPEN_CHAT_EVENT, open);
  }, []);
  useEffect(() => {
    if (isOpen) void import("./panel.tsx").then((part) => setPanel(() => part.ChatPanel));
  }, [isOpen]);
  const close = () => {
    setOpen(false);
    button.current?.focus();
  };
  // An exchange with a chat elsewhere has no such channel: its help centre leads there.
  if (state === undefined) return null;
  const label = state.unread === 0 ? text("chat.open") : text("chat.openUnread", { count: state.unread });
  return (
    <>
      {isOpen && Panel !== undefined && <Panel state={state} draft={draft} onClose={close} />}
      <button
        ref={button}
        type="button"
        data-chat
        aria-label={label}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        className="fixed right-4 bottom-20 z-sticky flex size-12 items-center justify-center rounded-full border border-line bg-raised text-text shadow-raised hover:bg-hover lg:right-6 lg:bottom-6"
      >
        <Icon name="chat" size={20} />
        {state.unread > 0 && (
          <span className="figures absolute -top-1 -right-1 flex h-5 min-w-5 items-center justify-center rounded-full bg-danger px-1 font-medium text-[11px] text-white">
            {Math.min(state.unread, 99)}
          </span>
        )}
      </button>
    </>
  );
}
