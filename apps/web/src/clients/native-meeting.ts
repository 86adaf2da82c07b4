// Connects to the native app around the page (SITE-15): its kind, its session, and its push token. Requests once per
// page; a shell that does not answer is ignored.

import { PUSH_CALLS } from "@clockwork/messaging/push/contract";
import type { GlobalStore } from "#boot/state.ts";
import type { RequestClient } from "#live/request.ts";
import { type Bridge, createBridge, type ShellWindow } from "#native/bridge.ts";

/** A shell without a user agent mark is detected by its bridge; its token, if any, is taken over. */
export async function meetShell(store: GlobalStore, request: RequestClient): Promise<void> {
  const bridge = createBridge(window as unknown as ShellWindow);
  if (bridge.shell === undefined) return;
  store.setState({ shell: bridge.shell });
  void bridge.ask("setTitle", { title: document.title });
  const answer = await bridge.ask("takeToken", {});
  if (typeof answer?.token === "string" && answer.token !== "") store.setState({ shellToken: answer.token });
  await handOverPush(bridge, store, request);
}

/** Signed in, the phone is registered to the account; signed out, it is released. A refusal costs only a notice. */
async function handOverPush(bridge: Bridge, store: GlobalStore, request: RequestClient): Promise<void> {
  const answer = await bridge.ask("pushToken", {});
  if (typeof answer?.token !== "string" || answer.token === "") return;
  const { topInfo, shellToken, shell } = store.getState();
  const signedIn = topInfo.id !== null || shellToken !== undefined;
  if (shell === undefined) return;
  const called = signedIn ? PUSH_CALLS.private : PUSH_CALLS.public;
  await request.call(called, { token: answer.token, system: shell }, { anonymous: true });
}
