// A grid's shape in the address of the create page, so that the ranking leads to its lines and its back-test. Pure.
import type { Draft } from "./grid-model.ts";

const NAMES = ["kind", "lower", "upper", "count", "spacing", "leverage"] as const;
const KINDS: readonly string[] = ["spot", "neutral", "long", "short", "infinity"];

export interface Shape {
  readonly pairCode: string;
  readonly kind: Draft["kind"];
  readonly lower: string;
  readonly upper: string;
  readonly count: number;
  readonly spacing: Draft["spacing"];
  readonly leverage: number;
}

export function draftQuery(shape: Shape): string {
  const isInfinity = shape.kind === "infinity";
  // An infinity grid keeps as many cells above the price as it was given below it.
  const answer = { ...shape, upper: isInfinity ? "" : shape.upper, count: isInfinity ? shape.count / 2 : shape.count };
  const params = new URLSearchParams({ pair: shape.pairCode });
  for (const name of NAMES) if (String(answer[name]) !== "") params.set(name, String(answer[name]));
  return params.toString();
}

/** The draft in an address; unrecognised values are left out. */
export function readDraft(params: URLSearchParams, isSpot: boolean): Partial<Draft> {
  const kind = params.get("kind");
  const numbers = ["lower", "upper", "count", "leverage"] as const;
  const spacing = params.get("spacing");
  const isKind = kind !== null && KINDS.includes(kind) && (kind === "spot" || kind === "infinity") === isSpot;
  return {
    ...Object.fromEntries(
      numbers.flatMap((name) => {
        const value = params.get(name);
        return value !== null && /^[0-9]{1,15}(\.[0-9]{1,12})?$/.test(value) ? [[name, value]] : [];
      }),
    ),
    ...(isKind ? { kind: kind as Draft["kind"] } : {}),
    ...(spacing === "arithmetic" || spacing === "geometric" ? { spacing } : {}),
  };
}
