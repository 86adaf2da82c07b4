// The support chat: the live conversation, pictures, read marks. The same messages appear in the operators' ticket
// console.

import { PICTURE_MEDIA_TYPES } from "@clockwork/kit/picture";
import { formatMinute } from "@clockwork/kit/time";
import {
  ATTACHMENT_BYTES_MAX,
  CHAT_CALLS,
  CHAT_FILE_NAME,
  CHAT_TEXT_LENGTH_MAX,
  type Chat,
  type ChatMessage,
  type ChatState,
} from "@clockwork/messaging/support/contract";
import { Button, IconButton } from "@clockwork/ui/button";
import { Badge } from "@clockwork/ui/pill";
import { TextField } from "@clockwork/ui/text-field";
import { type KeyboardEvent, useCallback, useEffect, useRef, useState } from "react";
import type { Answer, Failed } from "#live/answer.ts";
import { sendIntent } from "#live/intent.ts";
import type { RequestClient } from "#live/request.ts";
import { useCalls } from "#session/auth-context.ts";
import { FormError } from "#session/auth-fields.tsx";
import { describeFailure, useAuthText } from "#words/auth-text.ts";
import { usePublicText } from "#words/public-text.ts";
import { useSiteText } from "#words/site-text.ts";
import { ChatPicture } from "./chat-picture.tsx";
import { joinMessages } from "./model.ts";

export interface ChatPanelProps {
  readonly state: ChatState;
  /** What was typed and not sent, kept while the panel is closed. */
  readonly draft: { current: string };
  readonly onClose: () => void;
}

const CLIENT_ID_LENGTH = 24;
const PICTURE_TIMEOUT_MS = 60_000;

export function ChatPanel({ state, draft, onClose }: ChatPanelProps) {
  const text = usePublicText();
  const site = useSiteText();
  const words = useAuthText();
  const chat = useConversation(state);
  const log = useRef<HTMLDivElement>(null);
  const last = chat.messages.at(-1)?.id ?? 0;
  useEffect(() => {
    if (last > 0 && log.current !== null) log.current.scrollTop = log.current.scrollHeight;
  }, [last]);
  const onKeyDown = (event: KeyboardEvent) => event.key === "Escape" && onClose();
  return (
    <section
      role="dialog"
      aria-label={text("public.support.title")}
      onKeyDown={onKeyDown}
      className="fixed inset-x-4 bottom-36 z-sticky flex h-[480px] max-h-[calc(100dvh-10rem)] flex-col overflow-hidden rounded-card border border-line bg-bg shadow-raised sm:left-auto sm:w-[380px] lg:right-6 lg:bottom-20"
    >
      <div className="flex items-start gap-3 border-line border-b p-4">
        <div className="min-w-0 flex-1">
          <h2 className="font-semibold text-ui">{text("public.support.title")}</h2>
          <p className="mt-1 text-label text-muted">{text("public.support.lead")}</p>
        </div>
        <IconButton icon="close" label={text("public.support.close")} onPress={onClose} />
      </div>
      <div
        ref={log}
        role="log"
        aria-label={text("public.support.log")}
        className="flex flex-1 flex-col gap-3 overflow-y-auto bg-surface p-4"
      >
        {chat.hasMore && (
          <Button size={28} className="self-center" onPress={() => void chat.readOlder()}>
            {text("public.support.older")}
          </Button>
        )}
        {chat.failure !== undefined && (
          <div className="flex flex-col items-start gap-2">
            <FormError>{describeFailure(words, chat.failure)}</FormError>
            <Button size={28} onPress={() => void chat.read()}>
              {site("failed.again")}
            </Button>
          </div>
        )}
        {chat.isRead && chat.messages.length === 0 && (
          <p className="text-muted text-ui">{text("public.support.empty")}</p>
        )}
        {chat.messages.map((message) => (
          <Bubble key={message.id} message={message} />
        ))}
        {chat.state === "closed" && (
          <p className="text-center text-label text-muted">{text("public.support.closed")}</p>
        )}
      </div>
      <Composer draft={draft} onSent={chat.add} />
    </section>
  );
}

/** The messages so far; more are requested when the channel announces them. */
function useConversation({ lastId }: ChatState) {
  const calls = useCalls();
  const [failure, setFailure] = useState<Failed>();
  const [chat, setChat] = useState<Pick<Chat, "messages" | "state" | "hasMore"> & { readonly isRead: boolean }>({
    messages: [],
    state: null,
    hasMore: false,
    isRead: false,
  });
  const have = useRef<number>(undefined);
  const readTo = useRef(0);
  const take = useCallback((page: Chat, hasMore: boolean | undefined) => {
    have.current = Math.max(have.current ?? 0, page.messages.at(-1)?.id ?? 0);
    setChat((known) => ({
      messages: joinMessages(known.messages, page.messages),
      state: page.state,
      hasMore: hasMore ?? known.hasMore,
      isRead: true,
    }));
  }, []);
  const read = useCallback(async () => {
    const request = await calls();
    const known = have.current;
    const answer = await request.call(CHAT_CALLS.read, { after: known });
    setFailure(answer.ok ? undefined : answer);
    if (!answer.ok) return;
    take(answer.data, known === undefined ? answer.data.hasMore : undefined);
    const newest = answer.data.messages.findLast(({ author }) => author !== "visitor")?.id ?? 0;
    if (newest <= readTo.current || document.visibilityState !== "visible") return;
    const mark = await request.call(CHAT_CALLS.markRead, { id: newest });
    if (mark.ok) readTo.current = newest;
  }, [calls, take]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a newer message is the reason to look again
  useEffect(() => {
    void read();
  }, [read, lastId]);
  useEffect(() => {
    // Messages from the time the page was hidden or offline.
    const again = () => void read();
    addEventListener("online", again);
    document.addEventListener("visibilitychange", again);
    return () => {
      removeEventListener("online", again);
      document.removeEventListener("visibilitychange", again);
    };
  }, [read]);
  const readOlder = async () => {
    const before = chat.messages[0]?.id;
    if (before === undefined) return;
    const answer = await (await calls()).call(CHAT_CALLS.read, { before });
    setFailure(answer.ok ? undefined : answer);
    if (answer.ok) take(answer.data, answer.data.hasMore);
  };
  const add = (message: ChatMessage) =>
    setChat((known) => ({ ...known, messages: joinMessages(known.messages, [message]) }));
  return { ...chat, failure, read, readOlder, add };
}

function Bubble({ message }: { readonly message: ChatMessage }) {
  const text = usePublicText();
  const { author, createdAtMs, fileId } = message;
  const isOwn = author === "visitor";
  const look = isOwn ? "self-end bg-text text-bg" : "self-start border border-line bg-bg";
  return (
    <>
      <div className={`max-w-[85%] rounded-card px-3.5 py-2.5 text-ui [overflow-wrap:anywhere] ${look}`}>
        {author === "staff" && <p className="mb-1 text-label text-muted">{text("public.ticket.staff")}</p>}
        {author === "simulated" && (
          <p className="mb-1">
            <Badge>{text("public.support.simulated")}</Badge>
          </p>
        )}
        {fileId === null ? (
          <p className="whitespace-pre-wrap">{message.text}</p>
        ) : (
          <ChatPicture fileId={fileId} name={message.text} />
        )}
      </div>
      <span className={`-mt-2 text-label text-muted ${isOwn ? "self-end" : "self-start"}`}>
        {formatMinute(createdAtMs).slice(-5)}
      </span>
    </>
  );
}

interface ComposerProps extends Pick<ChatPanelProps, "draft"> {
  readonly onSent: (message: ChatMessage) => void;
}

function Composer({ draft, onSent }: ComposerProps) {
  const text = usePublicText();
  const words = useAuthText();
  const calls = useCalls();
  const [typed, setTyped] = useState(draft.current);
  useEffect(() => {
    draft.current = typed;
  }, [draft, typed]);
  const [error, setError] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const take = async (ask: (request: RequestClient) => Promise<Answer<ChatMessage>>): Promise<boolean> => {
    setBusy(true);
    setError(undefined);
    const answer = await ask(await calls());
    setBusy(false);
    if (answer.ok) onSent(answer.data);
    else setError(describeFailure(words, answer));
    return answer.ok;
  };
  const mintWith = (request: RequestClient) => ({
    mint: () => request.mintOrderId().slice(-CLIENT_ID_LENGTH),
    nowMs: Date.now(),
  });
  const send = async () => {
    const choice = { text: typed };
    if (isBusy || typed.trim() === "") return;
    const isSent = await take((request) =>
      sendIntent("support-chat", choice, mintWith(request), (clientId) =>
        request.call(CHAT_CALLS.write, { ...choice, clientId }),
      ),
    );
    if (isSent) setTyped("");
  };
  const sendPicture = async (file: File | undefined) => {
    if (file === undefined) return;
    if (file.size > ATTACHMENT_BYTES_MAX) return setError(text("public.form.pictures.note"));
    const options = {
      headers: { [CHAT_FILE_NAME]: encodeURIComponent(file.name.toWellFormed()) },
      timeoutMs: PICTURE_TIMEOUT_MS,
    };
    await take((request) => request.postFile(CHAT_CALLS.picture, file, { clientId: crypto.randomUUID() }, options));
  };
  return (
    <div className="border-line border-t p-3">
      <FormError>{error}</FormError>
      <form
        className="flex items-center gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        <input
          ref={input}
          type="file"
          accept={PICTURE_MEDIA_TYPES.join(",")}
          className="hidden"
          aria-label={text("public.support.picture")}
          onChange={(event) => {
            void sendPicture(event.target.files?.[0]);
            event.target.value = "";
          }}
        />
        <IconButton icon="attach" label={text("public.support.picture")} onPress={() => input.current?.click()} />
        <TextField
          label={text("public.support.write")}
          labelHidden
          placeholder={text("public.support.write")}
          className="flex-1"
          size={40}
          maxLength={CHAT_TEXT_LENGTH_MAX}
          value={typed}
          onChange={setTyped}
          autoFocus
        />
        <IconButton icon="send" label={text("public.form.send")} isDisabled={isBusy} onPress={() => void send()} />
      </form>
    </div>
  );
}
