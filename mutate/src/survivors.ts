// Owns the kept list of mutants that survive for a reason: survivors.json, each named by its line's text and its change.
import { readFileSync } from "node:fs";
import { join } from "node:path";

export interface Survivor {
  readonly file: string;
  readonly code: string;
  readonly change: string;
  readonly reason: string;
}

export function readSurvivors(): Survivor[] {
  return JSON.parse(readFileSync(join(import.meta.dirname, "survivors.json"), "utf8")) as Survivor[];
}

export const nameOf = ({ file, code, change }: Pick<Survivor, "file" | "code" | "change">): string =>
  `${file}: ${code} [${change}]`;
