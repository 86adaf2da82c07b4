// The one interface between a page and the native app around it (SITE-15): title, back, share, external links, safe
// area, token hand-over, push token. Every request is one numbered message; the shell answers with the same number.
// Outside a shell every request resolves to undefined at once.
import type { Shell } from "./detect.ts";

export interface SafeArea {
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  readonly left: number;
}

export interface ShareContent {
  readonly title: string;
  readonly text?: string;
  readonly url: string;
}

/** The requests, their arguments and their results. */
interface Asks {
  readonly setTitle: { readonly give: { readonly title: string }; readonly get: null };
  readonly goBack: { readonly give: Record<string, never>; readonly get: null };
  readonly share: { readonly give: ShareContent; readonly get: { readonly shared: boolean } };
  readonly openExternal: { readonly give: { readonly url: string }; readonly get: null };
  readonly safeArea: { readonly give: Record<string, never>; readonly get: SafeArea };
  readonly takeToken: { readonly give: Record<string, never>; readonly get: { readonly token: string } };
  readonly pushToken: { readonly give: Record<string, never>; readonly get: { readonly token: string } };
}

export type AskName = keyof Asks;

interface Question {
  readonly id: number;
  readonly ask: AskName;
  readonly data: unknown;
}

/** How the shells expose themselves to a page. */
export interface ShellWindow {
  readonly webkit?: { readonly messageHandlers?: { readonly clockwork?: { postMessage(message: string): void } } };
  readonly ClockworkAndroid?: { postMessage(message: string): void };
  readonly flutter_inappwebview?: { callHandler(name: string, message: string): Promise<unknown> };
  clockworkShellReply?: (text: string) => void;
}

type Send = (text: string) => void;

const ASK_TIMEOUT_MS = 5_000;

/** Which shell the page's bridge object belongs to; the flutter one is checked first, as on the server. */
export function detectBridge(target: ShellWindow): Shell | undefined {
  if (typeof target.flutter_inappwebview?.callHandler === "function") return "flutter";
  if (typeof target.webkit?.messageHandlers?.clockwork?.postMessage === "function") return "ios";
  if (typeof target.ClockworkAndroid?.postMessage === "function") return "android";
  return undefined;
}

function findSender(target: ShellWindow): Send | undefined {
  switch (detectBridge(target)) {
    case "flutter":
      return (text) => void target.flutter_inappwebview?.callHandler("clockwork", text);
    case "ios":
      return (text) => target.webkit?.messageHandlers?.clockwork?.postMessage(text);
    case "android":
      return (text) => target.ClockworkAndroid?.postMessage(text);
    case undefined:
      return undefined;
  }
}

export interface Bridge {
  readonly shell: Shell | undefined;
  readonly ask: <Name extends AskName>(name: Name, data: Asks[Name]["give"]) => Promise<Asks[Name]["get"] | undefined>;
}

export function createBridge(target: ShellWindow, timeoutMs = ASK_TIMEOUT_MS): Bridge {
  const send = findSender(target);
  const waiting = new Map<number, (data: unknown) => void>();
  let lastId = 0;

  target.clockworkShellReply = (text) => {
    const reply = readReply(text);
    if (reply === undefined) return;
    waiting.get(reply.id)?.(reply.ok ? reply.data : undefined);
    waiting.delete(reply.id);
  };

  return {
    shell: detectBridge(target),
    ask: (name, data) => {
      if (send === undefined) return Promise.resolve(undefined);
      lastId += 1;
      const question: Question = { id: lastId, ask: name, data };
      return new Promise((done) => {
        // A shell too old for a request never answers; the page must not wait for it.
        const timer = setTimeout(() => settle(undefined), timeoutMs);
        const settle = (answer: unknown) => {
          clearTimeout(timer);
          waiting.delete(question.id);
          done(answer as never);
        };
        waiting.set(question.id, settle);
        send(JSON.stringify(question));
      });
    },
  };
}

interface Reply {
  readonly id: number;
  readonly ok: boolean;
  readonly data?: unknown;
}

/** Broken text is dropped: what the shell sends is as little trusted as what a network sends. */
function readReply(text: unknown): Reply | undefined {
  if (typeof text !== "string") return undefined;
  try {
    const reply = JSON.parse(text) as Partial<Reply> | null;
    if (typeof reply?.id !== "number" || typeof reply.ok !== "boolean") return undefined;
    return { id: reply.id, ok: reply.ok, data: reply.data };
  } catch {
    return undefined;
  }
}
