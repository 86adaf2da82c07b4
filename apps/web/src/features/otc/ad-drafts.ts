// Unposted input of an ad's form: kept in this browser for its author's account, one for a new ad and one for each ad
// that is being changed. A shape that is no form any more counts as nothing kept.
import { PRODUCT_SHORT_NAME } from "@clockwork/kit/constants";
import { type KeptSetting, readKept, sameShape, writeKept } from "#session/kept-setting.ts";
import { EMPTY_FORM, type Form } from "./post-ad-form.tsx";

export interface AdDraftKept {
  readonly form: Form;
  readonly atMs: number;
}
interface Drafts {
  /** The owner: no other account in this browser sees them. */
  readonly owner: string;
  readonly drafts: Readonly<Record<string, AdDraftKept>>;
}

const DRAFTS_MAX = 20;

function readForm(value: unknown): Form | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const found = value as Readonly<Record<string, unknown>>;
  const isForm = Object.entries(EMPTY_FORM).every(([name, like]) =>
    Array.isArray(like)
      ? Array.isArray(found[name]) && found[name].every((one) => typeof one === "string")
      : typeof found[name] === typeof like,
  );
  return isForm ? (found as unknown as Form) : undefined;
}

export const AD_DRAFTS: KeptSetting<Drafts> = {
  key: `${PRODUCT_SHORT_NAME}_otc_drafts`,
  steps: [sameShape],
  check(value) {
    if (typeof value !== "object" || value === null) return undefined;
    const { owner, drafts } = value as Readonly<Record<string, unknown>>;
    if (typeof owner !== "string" || typeof drafts !== "object" || drafts === null) return undefined;
    const good = Object.entries(drafts as Readonly<Record<string, Partial<AdDraftKept> | null>>).flatMap(
      ([name, one]) => {
        const form = readForm(one?.form);
        return form === undefined || typeof one?.atMs !== "number" ? [] : [[name, { form, atMs: one.atMs }] as const];
      },
    );
    return { owner, drafts: Object.fromEntries(good) };
  },
};

type KeptStorage = Parameters<typeof readKept>[1];

/** `name` is the ad's, or `new`. */
export function readDraft(owner: string, name: string, storage?: KeptStorage): AdDraftKept | undefined {
  const kept = readKept(AD_DRAFTS, storage);
  return kept?.owner === owner ? kept.drafts[name] : undefined;
}

/** An undefined draft removes it. The oldest go when there are too many. */
export function keepDraft(owner: string, name: string, draft: AdDraftKept | undefined, storage?: KeptStorage): void {
  const kept = readKept(AD_DRAFTS, storage);
  const { [name]: _, ...others } = kept?.owner === owner ? kept.drafts : {};
  const all = Object.entries({ ...others, ...(draft === undefined ? {} : { [name]: draft }) });
  const newest = all.sort(([, left], [, right]) => right.atMs - left.atMs).slice(0, DRAFTS_MAX);
  writeKept(AD_DRAFTS, newest.length === 0 ? undefined : { owner, drafts: Object.fromEntries(newest) }, storage);
}
