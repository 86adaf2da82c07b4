// Owns the name a journal's segments carry: the version and a fingerprint of the sources that decide what a command
// does. Two builds with the same name replay alike; see docs/decisions/0008.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";

/** What the machine is made of: the core, and the kit it counts with. */
const SOURCES = ["core/src", "kit/src"];
const FINGERPRINT_CHARS = 12;

/** `version+fingerprint`; the version alone where the sources are not there to be read. */
export function nameRelease(version: string, root: string): string {
  const digest = createHash("sha256");
  for (const folder of SOURCES) {
    const whole = join(root, folder);
    if (!existsSync(whole)) return version;
    const names = readdirSync(whole, { recursive: true, encoding: "utf8" }).map((name) => name.split(sep).join("/"));
    for (const name of names.sort()) {
      if (!name.endsWith(".ts") || name.endsWith(".test.ts")) continue;
      digest.update(`${folder}/${name}\n`).update(readFileSync(join(whole, name)));
    }
  }
  return `${version}+${digest.digest("hex").slice(0, FINGERPRINT_CHARS)}`;
}
