// The words of spot trading, in the visitor's language, and what a refusal says to a person.
import type { Failed } from "#live/answer.ts";
import { type SpotTextKey, spotCatalogue } from "#locales/en-us-spot.ts";
import { defineTexts, type SpeakOf } from "#words/text.ts";

export type SpotSpeak = SpeakOf<SpotTextKey>;

export const useSpotText = defineTexts<SpotTextKey>(
  spotCatalogue,
  import.meta.glob("../../locales/*.json", { query: "?area=spot", import: "default" }),
);

export function isSpotKey(key: string): key is SpotTextKey {
  return Object.hasOwn(spotCatalogue, key);
}

/** Our own words for a code we know and that needs no bound, the server's for any other. */
export function sayRefusal(text: SpotSpeak, failed: Failed): string {
  if (failed.err.kind !== "refused") return text("fault.network");
  const key = `fault.${failed.code}`;
  if (isSpotKey(key) && !spotCatalogue[key].includes("{")) return text(key);
  return failed.message === "" ? text("toast.refused") : failed.message;
}
