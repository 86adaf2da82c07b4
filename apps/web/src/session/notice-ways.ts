// How this browser signals notices in addition to the text on the page: a sound, and the system's own notification
// while the page is out of sight. Kept in the browser, since each device differs.
import { PRODUCT_SHORT_NAME } from "@clockwork/kit/constants";
import { type KeptSetting, readKept, writeKept } from "./kept-setting.ts";

export interface NoticeWays {
  readonly sound: boolean;
  readonly system: boolean;
}

const NONE: NoticeWays = { sound: false, system: false };

const KEPT: KeptSetting<NoticeWays> = {
  key: `${PRODUCT_SHORT_NAME}_notice_ways`,
  steps: [(value) => value],
  check: (value) => {
    const { sound, system } = (typeof value === "object" && value !== null ? value : {}) as Record<string, unknown>;
    return typeof sound === "boolean" && typeof system === "boolean" ? { sound, system } : undefined;
  },
};

export function readWays(): NoticeWays {
  return readKept(KEPT) ?? NONE;
}

export function writeWays(ways: NoticeWays): void {
  writeKept(KEPT, ways);
}

export type Permission = "default" | "granted" | "denied" | "missing";

/** The browser's permission; only the switch requests it. */
export function systemPermission(): Permission {
  return typeof Notification === "undefined" ? "missing" : Notification.permission;
}

/** A visible page shows the text itself; the system notification is for a hidden one. */
export function usesSystem(ways: NoticeWays, permission: Permission, isInSight: boolean): boolean {
  return ways.system && permission === "granted" && !isInSight;
}

const TONE_HZ = 880;
const TONE_S = 0.16;

/** One short tone; a browser without user activation plays nothing. */
function playTone(): void {
  const context = new AudioContext();
  const gain = context.createGain();
  const tone = context.createOscillator();
  tone.frequency.value = TONE_HZ;
  gain.gain.setValueAtTime(0.08, context.currentTime);
  gain.gain.exponentialRampToValueAtTime(0.001, context.currentTime + TONE_S);
  tone.connect(gain).connect(context.destination);
  tone.onended = () => void context.close();
  tone.start();
  tone.stop(context.currentTime + TONE_S);
}

export function describeSupport({ title, body }: { readonly title: string; readonly body: string }): void {
  const ways = readWays();
  try {
    if (ways.sound) playTone();
    const isInSight = document.visibilityState === "visible";
    if (usesSystem(ways, systemPermission(), isInSight)) new Notification(title, { body });
  } catch {
    // The text on the page is the notice; a refusal by the browser is ignored.
  }
}
