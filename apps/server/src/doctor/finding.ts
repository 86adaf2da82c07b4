// What the doctor reports: one finding for each thing it has looked at, with a stable code, a light and, unless it is
// green, the remedy. Secrets are in none.
import type { ReadConfig } from "@clockwork/host/settings/config";
import type { Outside } from "./outside.ts";

export type Light = "green" | "yellow" | "red";

export interface Finding {
  /** Stable, such as `disk.low`. */
  readonly code: string;
  readonly light: Light;
  readonly fact: string;
  /** Empty where nothing has to be done. */
  readonly remedy: string;
}

export interface Patient extends ReadConfig {
  /** The content folder of the release. */
  readonly content: string;
  readonly outside: Outside;
  /** Where a real mail is sent; none is where it is undefined. */
  readonly mailTo: string | undefined;
}

export type Check = (patient: Patient) => Promise<readonly Finding[]> | readonly Finding[];

export const green = (code: string, fact: string): Finding => ({ code, light: "green", fact, remedy: "" });
export const yellow = (code: string, fact: string, remedy: string): Finding => ({
  code,
  light: "yellow",
  fact,
  remedy,
});
export const red = (code: string, fact: string, remedy: string): Finding => ({ code, light: "red", fact, remedy });

/** Why something failed, in one line. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? error.cause : undefined;
  const code = (error as NodeJS.ErrnoException).code ?? (cause as NodeJS.ErrnoException | undefined)?.code;
  const message = (error instanceof AggregateError ? error.errors.map(reasonOf).join("; ") : error.message).split(
    "\n",
  )[0];
  return code === undefined || message?.includes(code) ? (message ?? "") : `${message} (${code})`;
}
