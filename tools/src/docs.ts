// Owns `npm run docs`: writes the generated pages: docs/coverage.md, docs/decisions/README.md, the code in docs/new-slice.md,
// THIRD-PARTY-NOTICES.md, the layouts in docs/releases.json and the reference of the settings. `npm run docs -- FUT-2` prints the tests of a row instead.
import { resolve } from "node:path";
import { readTitles, writeCoverage } from "./coverage.ts";
import { writeDecisions } from "./decisions.ts";
import { writeExamplePage } from "./example-page.ts";
import { listFiles } from "./files.ts";
import { writeNotices } from "./notices.ts";
import { writeReleases } from "./releases.ts";
import { writeSettings } from "./settings.ts";

const root = resolve(import.meta.dirname, "../..");
const [row] = process.argv.slice(2);
if (row === undefined) {
  writeCoverage(root, listFiles(root));
  writeDecisions(root);
  writeExamplePage(root);
  writeNotices(root);
  writeReleases(root);
  await writeSettings(root);
  process.stdout.write(
    "✓ docs/coverage.md\n✓ docs/decisions/README.md\n✓ docs/new-slice.md\n✓ THIRD-PARTY-NOTICES.md\n✓ docs/releases.json\n✓ docs/runbook.md\n✓ deploy/clockwork.sample.yaml\n",
  );
} else {
  for (const { path, title } of readTitles(root, listFiles(root)).get(row) ?? [])
    process.stdout.write(`${path}: ${title}\n`);
}
