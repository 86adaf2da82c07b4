// How a follower sizes copies, in a word or two.

import { trimZeros } from "@clockwork/kit/decimal";
import type { FollowerRow } from "@clockwork/strategies/copy/contract";
import { money } from "./copy-figures.ts";
import type { useCopyText } from "./copy-text.ts";

export function sizing(
  text: ReturnType<typeof useCopyText>,
  { mode, fixed, multiplier }: Pick<FollowerRow, "mode" | "fixed" | "multiplier">,
): string {
  if (mode === "fixed") return `${text("follow.fixed")} ${money(fixed)}`;
  return mode === "multiplier" ? `× ${trimZeros(multiplier)}` : text("follow.proportional");
}
