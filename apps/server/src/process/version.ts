// The version of what runs, from the package it came with.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT_FOLDER } from "../root-folder.ts";

export function readVersion(): string {
  const file = JSON.parse(readFileSync(join(ROOT_FOLDER, "package.json"), "utf8")) as { version?: unknown };
  return typeof file.version === "string" ? file.version : "0.0.0";
}
