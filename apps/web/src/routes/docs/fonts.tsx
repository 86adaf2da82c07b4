// Documentation: fonts.
import * as examples from "@clockwork/ui/examples/fonts";
import source from "@clockwork/ui/examples/fonts?raw";
import { readExamples } from "@clockwork/ui/logic/example-source";
import { loadPayload } from "#boot/payload.ts";
import { type DocsData, DocsPage } from "../../features/docs/docs-page.tsx";

export const loader = (): DocsData => ({ examples: readExamples(source) });
export const clientLoader = loadPayload<DocsData>;

export default function DocsFonts() {
  return <DocsPage path="/docs/fonts" examples={examples} />;
}
