// The texts of grid strategies, in the visitor's language.
import { type GridTextKey, gridCatalogue } from "#locales/en-us-grid.ts";
import { defineTexts, type TextOf } from "#words/text.ts";

export type GridText = TextOf<GridTextKey>;

export const useGridText = defineTexts<GridTextKey>(
  gridCatalogue,
  import.meta.glob("../../locales/*.json", { query: "?area=grid", import: "default" }),
);

/** A word whose last part comes from the server. */
export function keyOf(
  area: "status" | "reason" | "change" | "refusal" | "kind" | "spacing" | "cause",
  name: string,
): GridTextKey {
  const key = `${area}.${name}`;
  return key in gridCatalogue ? (key as GridTextKey) : "failed";
}
