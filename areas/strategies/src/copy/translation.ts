// Requests a translation from the configured provider, with the API of LibreTranslate. A missing or invalid response
// counts as none: the text is shown as written. Without a provider the default run uses the translations written for
// its simulated comments, and labels them simulated.
import type { CommentNeeds } from "../comments/service.ts";
import { findWritten } from "./simulated-comments.ts";

const WAIT_MS = 5_000;
const ANSWER_MAX = 10_000;

export interface TranslatorSettings {
  readonly url: string | undefined;
  /** Sent as `api_key` where the provider requires one. */
  readonly key: string;
  readonly isDefaultRun: boolean;
}

export function openTranslator({ url, key, isDefaultRun }: TranslatorSettings): CommentNeeds["translate"] {
  return async (text, to) => {
    if (url !== undefined) {
      const reply = await requestProvider(url, key, text, to.slice(0, 2));
      return reply === undefined ? undefined : { text: reply, isSimulated: false };
    }
    const written = isDefaultRun ? findWritten(text, to.slice(0, 2)) : undefined;
    return written === undefined ? undefined : { text: written, isSimulated: true };
  };
}

async function requestProvider(url: string, key: string, text: string, target: string): Promise<string | undefined> {
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        q: text,
        source: "auto",
        target,
        format: "text",
        ...(key === "" ? {} : { api_key: key }),
      }),
      redirect: "error",
      signal: AbortSignal.timeout(WAIT_MS),
    });
    const body: unknown = response.ok ? await response.json() : undefined;
    const reply = (body as { readonly translatedText?: unknown } | undefined)?.translatedText;
    return typeof reply === "string" && reply !== "" ? reply.slice(0, ANSWER_MAX) : undefined;
  } catch {
    return undefined;
  }
}
