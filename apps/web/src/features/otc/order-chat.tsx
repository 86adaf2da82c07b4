// The chat of an order: who it is with, messages as they come, pictures, quick replies and read marks.
import { type Chat, type ChatMessage, OTC_ORDER_CALLS, type OtcOrder } from "@clockwork/fiat/otcorders/contract";
import { OTC_PEOPLE_CALLS } from "@clockwork/fiat/otcpeople/contract";
import { formatMinute } from "@clockwork/kit/time";
import { Avatar } from "@clockwork/ui/avatar";
import { Button, IconButton } from "@clockwork/ui/button";
import { Badge } from "@clockwork/ui/pill";
import { TextField } from "@clockwork/ui/text-field";
import { useCallback, useEffect, useRef, useState } from "react";
import { useCalls } from "#session/auth-context.ts";
import { FormError } from "#session/auth-fields.tsx";
import { joinMessages } from "./chat-messages.ts";
import { ChatPicture } from "./chat-picture.tsx";
import { useEvery, useOtcAction } from "./otc-calls.ts";
import { describeOr, recordText, useOtcText } from "./otc-text.ts";
import { PictureButton } from "./picture-button.tsx";

const POLL_AGAIN_MS = 30_000;

export interface OrderChatProps {
  readonly order: OtcOrder;
  /** Counts live messages: the chat reloads when it changes. */
  readonly version: number;
}

export function OrderChat({ order, version }: OrderChatProps) {
  const text = useOtcText();
  const chat = useChat(order.orderId, version);
  const end = useRef<HTMLDivElement>(null);
  const last = chat.messages.at(-1)?.id ?? 0;
  useEffect(() => {
    // Inside the box alone: the page does not scroll.
    if (last > 0 && end.current?.parentElement) end.current.parentElement.scrollTop = end.current.offsetTop;
  }, [last]);
  return (
    <section
      aria-label={text("chat.title")}
      className="flex flex-col overflow-hidden rounded-card border border-line bg-bg lg:sticky lg:top-20 dark:bg-surface"
    >
      <ChatHead order={order} />
      <div className="flex h-[420px] flex-col gap-3 overflow-y-auto bg-surface p-4 dark:bg-bg" role="log">
        {chat.messages.map((message) => (
          <Bubble key={message.id} message={message} isRead={message.id <= chat.readByOther} />
        ))}
        <p className="mt-auto pt-4 text-center text-label text-muted">{text("chat.warning")}</p>
        <div ref={end} />
      </div>
      <Composer orderId={order.orderId} role={order.side === "buy" ? "buyer" : "seller"} onSent={chat.reload} />
    </section>
  );
}

function useChat(orderId: string, version: number): Chat & { readonly reload: () => Promise<void> } {
  const calls = useCalls();
  const [chat, setChat] = useState<Chat>({ messages: [], readByOther: 0 });
  const have = useRef(0);
  const read = useRef(0);
  /** Only what came after the last message that is here. */
  const reload = useCallback(async () => {
    const request = await calls();
    const answer = await request.call(OTC_ORDER_CALLS.messages, { id: orderId, after: have.current });
    if (!answer.ok) return;
    const { messages, readByOther } = answer.data;
    have.current = Math.max(have.current, messages.at(-1)?.id ?? 0);
    setChat((now) => ({ messages: joinMessages(now.messages, messages), readByOther }));
    const last = messages.findLast(({ author }) => author !== "me")?.id ?? 0;
    if (last <= read.current || document.visibilityState !== "visible") return;
    read.current = last;
    await request.call(OTC_ORDER_CALLS.read, { orderId, messageId: last });
  }, [calls, orderId]);
  // Messages come by the channel; this covers an interrupted connection.
  useEvery(POLL_AGAIN_MS, () => void reload());
  // biome-ignore lint/correctness/useExhaustiveDependencies: a live message triggers the reload
  useEffect(() => {
    void reload();
  }, [reload, version]);
  return { ...chat, reload };
}

function ChatHead({ order: { counterpart } }: { readonly order: OtcOrder }) {
  const text = useOtcText();
  const action = useOtcAction();
  const [isBlocked, setBlocked] = useState(false);
  const block = async () => {
    if ((await action.run(OTC_PEOPLE_CALLS.block, { user: counterpart.user })) !== undefined) setBlocked(true);
  };
  return (
    <header className="flex items-center gap-3 border-line border-b p-4">
      <Avatar name={counterpart.name} size={40} />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-2 font-medium text-ui">
          {counterpart.name}
          {counterpart.isSimulated && <Badge>{text("simulated")}</Badge>}
        </p>
        <p className="text-label text-muted">{isBlocked ? text("chat.blocked") : recordText(text, counterpart)}</p>
      </div>
      <IconButton icon="shield" label={text("chat.block")} isDisabled={isBlocked} onPress={() => void block()} />
    </header>
  );
}

function Bubble({ message, isRead }: { readonly message: ChatMessage; readonly isRead: boolean }) {
  const text = useOtcText();
  const { author, kind, createdAtMs } = message;
  const time = formatMinute(createdAtMs).slice(-5);
  if (kind === "system")
    return (
      <p className="text-center text-label text-muted">
        {describeOr(text, `system.${message.text}`, message.text)} · {time}
      </p>
    );
  const isMine = author === "me";
  const look = isMine ? "self-end bg-text text-bg" : "self-start border border-line bg-bg dark:bg-surface";
  return (
    <>
      <div
        className={`max-w-[85%] break-words rounded-card text-ui ${kind === "picture" ? "p-1" : "px-3.5 py-2.5"} ${look}`}
      >
        {author === "support" && <span className="block text-label">{text("chat.support")}</span>}
        {kind === "picture" ? <ChatPicture fileId={message.text} /> : message.text}
      </div>
      <span className={`-mt-2 text-label text-muted ${isMine ? "self-end" : "self-start"}`}>
        {time}
        {isMine && isRead && ` · ${text("chat.read")}`}
      </span>
    </>
  );
}

const QUICK = {
  buyer: ["chat.quick.1", "chat.quick.2", "chat.quick.3"],
  seller: ["chat.quick.received", "chat.quick.notYet", "chat.quick.name", "chat.quick.3"],
} as const;

interface ComposerProps {
  readonly orderId: string;
  readonly role: keyof typeof QUICK;
  readonly onSent: () => Promise<void>;
}

function Composer({ orderId, role, onSent }: ComposerProps) {
  const text = useOtcText();
  const action = useOtcAction();
  const [typed, setTyped] = useState("");
  const send = async (words: string) => {
    if (words.trim() === "") return;
    if ((await action.run(OTC_ORDER_CALLS.send, { orderId, text: words })) === undefined) return;
    setTyped("");
    await onSent();
  };
  return (
    <div className="border-line border-t p-3">
      <FormError>{action.error}</FormError>
      <fieldset className="mb-2 flex gap-2 overflow-x-auto" aria-label={text("chat.quick")}>
        {QUICK[role].map((one) => (
          <Button key={one} size={28} onPress={() => void send(text(one))}>
            {text(one)}
          </Button>
        ))}
      </fieldset>
      <form
        className="flex items-center gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          void send(typed);
        }}
      >
        <PictureButton orderId={orderId} use="chat" label={text("chat.picture")} />
        <TextField
          label={text("chat.write")}
          labelHidden
          placeholder={text("chat.write")}
          className="flex-1"
          size={40}
          maxLength={1_000}
          value={typed}
          onChange={setTyped}
        />
        <IconButton icon="send" label={text("chat.send")} onPress={() => void send(typed)} />
      </form>
    </div>
  );
}
