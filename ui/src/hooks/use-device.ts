// What the page is shown on: width class and pointer kind, refreshed a moment after a resize.
// On the server and in the first render it answers what the caller guesses, so the markup agrees.

import { RESIZE_DELAY_MS } from "@clockwork/kit/constants";
import { useSyncExternalStore } from "react";

export type WidthClass = "mobile" | "tablet" | "desktop" | "wide";

export interface Device {
  readonly width: WidthClass;
  readonly isTouch: boolean;
}

export const SERVER_DEVICE: Device = { width: "desktop", isTouch: false };

export function classifyWidth(widthPx: number): WidthClass {
  if (widthPx < 768) return "mobile";
  if (widthPx < 1200) return "tablet";
  return widthPx < 1920 ? "desktop" : "wide";
}

function readDevice(): Device {
  return { width: classifyWidth(window.innerWidth), isTouch: window.matchMedia("(pointer: coarse)").matches };
}

let current: Device | undefined;
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setTimeout> | undefined;

function refresh(): void {
  const next = readDevice();
  if (current !== undefined && next.width === current.width && next.isTouch === current.isTouch) return;
  current = next;
  for (const listener of listeners) listener();
}

function onResize(): void {
  clearTimeout(timer);
  timer = setTimeout(refresh, RESIZE_DELAY_MS);
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) window.addEventListener("resize", onResize);
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    window.removeEventListener("resize", onResize);
    clearTimeout(timer);
    current = undefined;
  };
}

function getDevice(): Device {
  current ??= readDevice();
  return current;
}

/** `guess` is what the server made of the request; it decides the first render only. */
export function useDevice(guess: Device = SERVER_DEVICE): Device {
  return useSyncExternalStore(subscribe, getDevice, () => guess);
}
