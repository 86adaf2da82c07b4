// The texts of copy trading, in the visitor's language.
import type { CopyLine } from "@clockwork/strategies/copy/contract";
import { type CopyTextKey, copyCatalogue } from "#locales/en-us-copy.ts";
import { defineTexts } from "#words/text.ts";

export const useCopyText = defineTexts<CopyTextKey>(
  copyCatalogue,
  import.meta.glob("../../locales/*.json", { query: "?area=copy", import: "default" }),
);
export type { CopyTextKey };

/** The words for a code the server may name, or the code itself. */
export function describeCode(text: (key: CopyTextKey) => string, area: string, code: string): string {
  const key = `${area}.${code}`;
  return key in copyCatalogue ? text(key as CopyTextKey) : code;
}

/** Why a copy was left out, with the bound it met. */
export function describeReason(
  text: ReturnType<typeof useCopyText>,
  { reason, bound, pairCode }: Pick<CopyLine, "reason" | "bound" | "pairCode">,
): string {
  const reply = describeCode(text, "reason", reason ?? "");
  if (reason === null || bound === null) return reply;
  const coin = pairCode.split("_")[0] ?? "";
  const key = reason.endsWith("_CAP") ? "mine.bound.CAP" : `mine.bound.${reason}`;
  return key in copyCatalogue ? `${reply}, ${text(key as CopyTextKey, { bound, coin })}` : reply;
}
