// Owns how a scaled order is cut into rungs: their sizes, and the names that make a repeated request repeat every rung.
import { crc32 } from "./hash.ts";
import { CLIENT_ORDER_ID_LENGTH_MAX } from "./order-bounds.ts";

/** Sizes by weight, each rounded down; the last takes the rounding remainder. */
export function scaleLots(lots: number, count: number, shape: "flat" | "rising" | "falling"): number[] {
  const weights = Array.from({ length: count }, (_, rung) =>
    shape === "flat" ? 1 : shape === "rising" ? rung + 1 : count - rung,
  );
  const sum = weights.reduce((total, weight) => total + weight, 0);
  const whole = Math.floor(lots / sum);
  const rest = lots - whole * sum;
  const sizes = weights.map((weight) => whole * weight + Math.floor((rest * weight) / sum));
  const given = sizes.reduce((total, size) => total + size, 0);
  sizes[count - 1] = (sizes[count - 1] ?? 0) + (lots - given);
  return sizes;
}

/**
 * The common part of the names of one scaled order's rungs, also for a shortened name; distinct from every other
 * name's.
 */
export function ladderKey(clientOrderId: string): string {
  const suffixed = /^(.*)\/\d+$/.exec(clientOrderId)?.[1];
  const mark =
    clientOrderId.length === CLIENT_ORDER_ID_LENGTH_MAX && suffixed !== undefined && /\.([0-9a-z]+)$/.exec(suffixed);
  return mark ? (mark[1] ?? "") : markOf(suffixed ?? clientOrderId);
}

function markOf(clientOrderId: string): string {
  return crc32(Uint8Array.from(clientOrderId, (letter) => letter.charCodeAt(0))).toString(36);
}

/** The first rung has the order's own id; the others one derived from it, within the length limit. */
export function rungId(clientOrderId: string, rung: number): string {
  if (rung === 0) return clientOrderId;
  const suffix = `/${rung}`;
  if (clientOrderId.length + suffix.length <= CLIENT_ORDER_ID_LENGTH_MAX) return clientOrderId + suffix;
  const mark = `.${markOf(clientOrderId)}`;
  return clientOrderId.slice(0, CLIENT_ORDER_ID_LENGTH_MAX - suffix.length - mark.length) + mark + suffix;
}
