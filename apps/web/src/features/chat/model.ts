// Where the chat is opened, with what it is told. Pure.
import type { ChatLogin } from "@clockwork/messaging/chat/contract";

export function chatAddress(url: string, { appId, token }: Pick<ChatLogin, "appId" | "token">): string {
  const told = new URLSearchParams({ appId, ...(token === null ? {} : { token }) });
  const address = new URL(url);
  address.hash = told.toString();
  return address.href;
}

/** The chat's page out of an answer that may be anything; nothing where there is no chat. */
export function readChatUrl(data: unknown): string | null {
  const { isOpen, url } = (data ?? {}) as Partial<ChatLogin>;
  return isOpen === true && typeof url === "string" && /^https?:\/\//.test(url) ? url : null;
}
