// Pushes to this browser: subscribes at the browser's push service with the server's key, and gives the subscription to
// the account. Only the switch requests the permission.
import { PRODUCT_SHORT_NAME } from "@clockwork/kit/constants";
import { DAY_MS } from "@clockwork/kit/time";
import { PUSH_CALLS } from "@clockwork/messaging/push/contract";
import type { RequestClient } from "#live/request.ts";

export type PushState = "on" | "off" | "missing";

const SENT_KEY = `${PRODUCT_SHORT_NAME}_push_sent`;

const registration = async (): Promise<ServiceWorkerRegistration | undefined> => {
  const worker = await navigator.serviceWorker?.getRegistration("/");
  return worker?.pushManager === undefined ? undefined : worker;
};

/** Absent in browsers without push, and on a phone before the site is installed there. */
export async function readPush(): Promise<PushState> {
  const worker = await registration();
  if (worker === undefined || typeof Notification === "undefined") return "missing";
  const subscription = await worker.pushManager.getSubscription();
  return subscription !== null && Notification.permission === "granted" ? "on" : "off";
}

async function send(subscription: PushSubscription, request: RequestClient): Promise<boolean> {
  const { endpoint, keys } = subscription.toJSON();
  const { p256dh, auth } = keys ?? {};
  if (endpoint === undefined || p256dh === undefined || auth === undefined) return false;
  const answer = await request.call(PUSH_CALLS.web, { endpoint, p256dh, auth });
  if (answer.ok) writeSent(Date.now());
  return answer.ok;
}

function writeSent(timeMs: number): void {
  try {
    localStorage.setItem(SENT_KEY, String(timeMs));
  } catch {
    // Without storage it is sent again with the next page.
  }
}

function readSent(): number {
  try {
    return Number(localStorage.getItem(SENT_KEY)) || 0;
  } catch {
    return 0;
  }
}

export type PushRefusal = "denied" | "failed";

/** Undefined when this browser receives the account's pushes from now on. */
export async function startPush(request: RequestClient): Promise<PushRefusal | undefined> {
  if ((await Notification.requestPermission()) !== "granted") return "denied";
  const worker = await registration();
  const answer = await request.call(PUSH_CALLS.webKey, {});
  if (worker === undefined || !answer.ok || answer.data.key === null) return "failed";
  try {
    const { key } = answer.data;
    // A subscription made with another key receives nothing of ours.
    await (await worker.pushManager.getSubscription())?.unsubscribe();
    const subscription = await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
    if (await send(subscription, request)) return undefined;
    await subscription.unsubscribe();
  } catch {
    // The push service of the browser is not reachable, or it has none.
  }
  return "failed";
}

/** Once a day: the server removes subscriptions that are not used. */
export async function renewPush(request: RequestClient): Promise<void> {
  if (typeof Notification === "undefined" || Notification.permission !== "granted") return;
  if (Date.now() - readSent() < DAY_MS) return;
  const subscription = await (await registration())?.pushManager.getSubscription();
  if (subscription !== null && subscription !== undefined) await send(subscription, request);
}
