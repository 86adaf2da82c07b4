// The message of an issue for a receiver. Pure.
import { DEFAULT_LOCALE } from "@clockwork/kit/constants";
import type { BroadcastAudience, BroadcastLanguages, BroadcastWords } from "./contract.ts";

export const PUSH_LENGTH_MAX = 200;

/** In the reader's language, else in English. */
export function wordsFor(words: BroadcastLanguages, locale: string): BroadcastWords {
  const found = words[locale] ?? words[DEFAULT_LOCALE];
  if (found === undefined) throw new Error("an issue without English words was kept");
  return found;
}

/** Line ends normalised, control characters removed. A subject is one line. */
export function cleanWords({ subject, body }: BroadcastWords): BroadcastWords {
  const clean = body.replaceAll("\r\n", "\n").replace(/[^\P{Cc}\n]/gu, " ");
  return { subject: subject.replace(/\p{Cc}+/gu, " ").trim(), body: clean.trim() };
}

export function mailText({ body }: BroadcastWords, leaveUrl: string): string {
  return `${body}\n\n--\nYou receive this because you asked for the newsletter. To leave it: ${leaveUrl}`;
}

/** The start of the text, cut between words. */
export function pushText({ body }: BroadcastWords): string {
  const line = body.replace(/\s+/g, " ").trim();
  if (line.length <= PUSH_LENGTH_MAX) return line;
  const cut = line.slice(0, PUSH_LENGTH_MAX - 1);
  const space = cut.lastIndexOf(" ");
  return `${space > PUSH_LENGTH_MAX / 2 ? cut.slice(0, space) : cut}…`;
}

export const firstStage = (audience: BroadcastAudience): "mail" | "push" => (audience === "push" ? "push" : "mail");

/** The stage after the last receiver of one. */
export function nextStage(audience: BroadcastAudience, stage: "mail" | "push"): "push" | "end" {
  return stage === "mail" && audience === "both" ? "push" : "end";
}
