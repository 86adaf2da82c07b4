// The version of what runs, from the package it came with and the list of releases beside it.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { RULES } from "@clockwork/core/protocol/rules";
import { nameRelease } from "../engine/release.ts";
import { ROOT_FOLDER } from "../root-folder.ts";

export function readVersion(): string {
  const file = JSON.parse(readFileSync(join(ROOT_FOLDER, "package.json"), "utf8")) as { version?: unknown };
  return typeof file.version === "string" ? file.version : "0.0.0";
}

interface ListedRelease {
  readonly version: string;
  readonly commit: string;
  readonly layouts: { readonly journal: number; readonly snapshot: number; readonly snapshotOldest: number };
}

/** What `clockwork version` prints. */
export function describeVersion(): readonly string[] {
  const version = readVersion();
  const list = join(ROOT_FOLDER, "docs/releases.json");
  const { releases } = existsSync(list)
    ? (JSON.parse(readFileSync(list, "utf8")) as { releases: readonly ListedRelease[] })
    : { releases: [] };
  const listed = releases.find((release) => release.version === version);
  const lines = [
    `clockwork ${version}`,
    `release   ${nameRelease(version, ROOT_FOLDER)}, the name in journals`,
    `rules     ${RULES.map(({ number }) => number).join(", ")}`,
  ];
  if (listed === undefined) return lines;
  const { commit, layouts } = listed;
  return [
    ...lines,
    `commit    ${commit}`,
    `layouts   journal ${layouts.journal}, snapshots ${layouts.snapshotOldest} to ${layouts.snapshot}`,
  ];
}
