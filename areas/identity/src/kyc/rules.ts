// Pure rules of identity verification: the requirements and benefits of each level, and the minimum age.
import { hasBack } from "@clockwork/kit/identity-documents";
import { formatDate, parseDateTime } from "@clockwork/kit/time";
import type { Details, FileKind } from "./contract.ts";

export interface LevelRule {
  readonly level: number;
  readonly fields: readonly (keyof Details)[];
  readonly files: readonly FileKind[];
  /** Decimal text; the VIP factor comes on top elsewhere. */
  readonly withdrawalUsdtPerDay: string;
  readonly opens: readonly string[];
}

export const LEVEL_MAX = 3;
export const SUBMISSIONS_PER_DAY = 5;
export const AGE_MIN = 18;

export const LEVELS: readonly LevelRule[] = [
  { level: 0, fields: [], files: [], withdrawalUsdtPerDay: "1000", opens: ["spot", "demo"] },
  {
    level: 1,
    fields: ["firstName", "lastName", "birthDate", "country", "documentType", "documentNumber"],
    files: [],
    withdrawalUsdtPerDay: "20000",
    opens: ["perpetuals", "earn", "grid"],
  },
  {
    level: 2,
    fields: ["documentExpires"],
    files: ["document-front", "document-back", "selfie"],
    withdrawalUsdtPerDay: "1000000",
    opens: ["otc", "launchpad", "leader", "api-withdrawal"],
  },
  {
    level: 3,
    fields: ["address", "sourceOfFunds"],
    files: ["address-proof", "funds-proof"],
    withdrawalUsdtPerDay: "2000000",
    opens: ["merchant", "high-bond"],
  },
];

/** The daily withdrawal limit of this level, as decimal text. */
export function withdrawalOf(level: number, isStrict: boolean): string {
  return isStrict && level === 0 ? "0" : (LEVELS[level]?.withdrawalUsdtPerDay ?? "0");
}

/** The level whose pictures are compared with a living face. */
export const LIVENESS_LEVEL = 2;

export function missingOf(
  target: number,
  details: Details,
  files: readonly string[],
): { readonly fields: readonly string[]; readonly files: readonly string[] } {
  const rule = LEVELS[target];
  const needed = (rule?.files ?? []).filter((kind) => kind !== "document-back" || hasBack(details.documentType));
  return {
    fields: (rule?.fields ?? []).filter((field) => (details[field] ?? "").trim() === ""),
    files: needed.filter((kind) => !files.includes(kind)),
  };
}

/** A birthday counts from its own day on. */
export function isOldEnough(birthDate: string, nowMs: number): boolean {
  const bornMs = parseDateTime(birthDate);
  if (bornMs === undefined || bornMs > nowMs) return false;
  const [year = "0", rest = ""] = [birthDate.slice(0, 4), birthDate.slice(4)];
  return `${String(Number(year) + AGE_MIN).padStart(4, "0")}${rest}` <= formatDate(nowMs);
}

export function isFuture(day: string, nowMs: number): boolean {
  return parseDateTime(day) !== undefined && day > formatDate(nowMs);
}

/** One spelling per document: spaces, hyphens and case are ignored. */
export function documentKey({ country = "", documentType, documentNumber = "" }: Details): string {
  return `${country}|${documentType ?? ""}|${documentNumber.toUpperCase().replace(/[^A-Z0-9]/g, "")}`;
}

/** Binds sealed data to its person. */
export function sealContext(userId: number): string {
  return `kyc:${userId}`;
}

export function readDetails(
  { sealed, user_id }: { readonly sealed: Uint8Array; readonly user_id: number },
  open: (sealed: Uint8Array, context: string) => Uint8Array,
): Details {
  return JSON.parse(new TextDecoder().decode(open(sealed, sealContext(user_id)))) as Details;
}

/** Long enough to be visible as pending, short enough to wait for. */
export const SIMULATED_REVIEW_MS = 3_000;
/** Levels a simulated check decides at once, so that their benefits can be tried. */
export const SIMULATED_AT_ONCE = 2;
