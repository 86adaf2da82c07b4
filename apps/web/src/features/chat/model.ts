// The address of the chat with its parameters, and the merging of its messages. Pure.
import type { ChatLogin } from "@clockwork/messaging/chat/contract";
import type { ChatState } from "@clockwork/messaging/support/contract";

/** Requests the page's chat bubble to open. */
export const OPEN_CHAT_EVENT = "cw-open-chat";

export function chatAddress(url: string, { appId, token }: Pick<ChatLogin, "appId" | "token">): string {
  const answer = new URLSearchParams({ appId, ...(token === null ? {} : { token }) });
  const address = new URL(url);
  address.hash = answer.toString();
  return address.href;
}

/** Which chat there is, out of an answer that may be anything: the exchange's own, or the page of one elsewhere. */
export function readChat(data: unknown): "own" | { readonly url: string } | null {
  const { provider, isOpen, url } = (data ?? {}) as Partial<ChatLogin>;
  if (provider === "own") return "own";
  return isOpen === true && typeof url === "string" && /^https?:\/\//.test(url) ? { url } : null;
}

export function readChatState(data: unknown): ChatState | undefined {
  const { unread, lastId, readId } = (data ?? {}) as Partial<ChatState>;
  const isWhole = [unread, lastId, readId].every((one) => typeof one === "number");
  return isWhole ? (data as ChatState) : undefined;
}

/** Each once, in the order they were written. */
export function joinMessages<Message extends { readonly id: number }>(
  known: readonly Message[],
  more: readonly Message[],
): Message[] {
  const all = new Map([...known, ...more].map((message) => [message.id, message]));
  return [...all.values()].sort((left, right) => left.id - right.id);
}
