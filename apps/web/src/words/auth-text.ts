// The texts of accounts and sign-in in the visitor's language, and those of refused calls.
import { formatCountdown } from "@clockwork/kit/time";
import { formatMinutesLeft } from "@clockwork/ui/countdown";
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

/** A shorter wait is over before it is read. */
const WAIT_SECONDS_MIN = 5;
const HOUR_SECONDS = 3_600;

/** Our own words for a code we know, the server's for any other. */
export function describeFailure(text: AuthText, failed: Failed): string {
  if (failed.err.kind !== "refused") return text("error.network");
  const waitSeconds = failed.retryAfterSeconds ?? 0;
  if (failed.err.status === 429 && waitSeconds >= WAIT_SECONDS_MIN) {
    const left =
      waitSeconds < HOUR_SECONDS ? formatMinutesLeft(waitSeconds * 1_000) : formatCountdown(waitSeconds * 1_000);
    return text(failed.code === "CODE_TOO_SOON" ? "error.codeIn" : "error.retryIn", { left });
  }
  const key = `error.${failed.code}`;
  return isKnown(key) ? text(key) : failed.message;
}
