// Uses the components as a person does, by keys and by pointer, and says what did not behave:
// node ui/gallery/try.mjs <out folder> [flows, comma]

import { flows, gallery, tally } from "./try-harness.mjs";
import "./try-basic.mjs";
import "./try-data.mjs";

const only = process.argv[3]?.split(",");
for (const [name, run] of flows) {
  if (only && !only.includes(name)) continue;
  try {
    await run();
  } catch (error) {
    tally.failures++;
    console.log("FAIL", name, error.message.split("\n").slice(0, 6).join(" / "));
  }
}
console.log(tally.failures === 0 ? "all behaved" : `${tally.failures} did not behave`);
await gallery.close();
process.exitCode = tally.failures === 0 ? 0 : 1;
