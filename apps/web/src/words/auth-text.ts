// The texts of accounts and sign-in in the visitor's language, and those of refused calls.
import type { Failed } from "#live/answer.ts";
import { type AuthTextKey, authCatalogue } from "#locales/en-us-auth.ts";
import { defineTexts, type TextOf } from "./text.ts";

export type AuthText = TextOf<AuthTextKey>;

export const useAuthText = defineTexts<AuthTextKey>(
  authCatalogue,
  import.meta.glob("../locales/*.json", { query: "?area=auth", import: "default" }),
);

function isKnown(key: string): key is AuthTextKey {
  return Object.hasOwn(authCatalogue, key);
}

/** Our own text for a recognised code, the server's for any other. */
export function describeFailure(text: AuthText, failed: Failed): string {
  if (failed.err.kind !== "refused") return text("error.network");
  const key = `error.${failed.code}`;
  return isKnown(key) ? text(key) : failed.message;
}
