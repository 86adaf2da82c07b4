// Pure rules of campaigns: what may be stored, when it is shown and to whom. Must never let a stored target become a
// script or a path that leads to another site.
import type { Audience, CampaignBody } from "./contract.ts";

export interface CampaignRow {
  readonly key: string;
  readonly kind: "banner" | "popup";
  readonly title: string;
  readonly body: string;
  readonly action: string;
  readonly target: string;
  readonly audience: Audience;
  readonly position: number;
  readonly starts_at_ms: number;
  readonly ends_at_ms: number | null;
  readonly set_by: string;
  readonly set_at_ms: number;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
const CONTROL = /[\u0000-\u001f\u007f]/;

export function isTarget(to: string): boolean {
  if (/^\/(?!\/)[\w/?=&.%-]*$/.test(to)) return true;
  const url = URL.parse(to);
  return url !== null && url.protocol === "https:" && url.username === "" && url.password === "";
}

/** A link has both a text and a target, or neither. */
export function isCampaign({ title, text, action, to, startsAtMs, endsAtMs }: CampaignBody): boolean {
  const isPlain = [title, text, action].every((part) => !CONTROL.test(part)) && title.trim() !== "";
  const isLink = action === "" ? to === "" : isTarget(to);
  return isPlain && isLink && (endsAtMs === null || endsAtMs > startsAtMs);
}

export function stateOf(row: Pick<CampaignRow, "starts_at_ms" | "ends_at_ms">, timeMs: number) {
  if (row.ends_at_ms !== null && row.ends_at_ms <= timeMs) return "over";
  return row.starts_at_ms <= timeMs ? "shown" : "planned";
}

export function isFor(audience: Audience, isSignedIn: boolean): boolean {
  return audience === "all" || (audience === "members") === isSignedIn;
}
