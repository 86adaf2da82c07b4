import { describe, expect, it } from "vitest";
import { checkLicences } from "./notices.ts";

const entry = (license: string | undefined) => ({ version: "1.0.0", ...(license === undefined ? {} : { license }) });

describe("licences of what is installed", () => {
  it("[OPS-6] a package whose licence is not on the list is refused, also as part of an AND", () => {
    const problems = checkLicences({
      "": entry("Apache-2.0"),
      kit: entry(undefined),
      "node_modules/good": entry("MIT"),
      "node_modules/choice": entry("(GPL-2.0 OR MIT)"),
      "node_modules/copyleft": entry("GPL-3.0"),
      "node_modules/both": entry("MIT AND AGPL-3.0-only"),
      "node_modules/silent": entry(undefined),
      "node_modules/@img/sharp-libvips-linux-x64": entry("LGPL-3.0-or-later"),
      "node_modules/library": entry("LGPL-3.0-or-later"),
      "node_modules/@clockwork/kit": { link: true },
    });
    expect(problems).toEqual([
      "kit: its licence is not Apache-2.0",
      "node_modules/copyleft: GPL-3.0 is not an allowed licence",
      "node_modules/both: MIT AND AGPL-3.0-only is not an allowed licence",
      "node_modules/silent: has no licence",
      "node_modules/library: LGPL-3.0-or-later is not an allowed licence",
    ]);
  });
});
