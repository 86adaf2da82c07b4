// Documentation: select.
import * as examples from "@clockwork/ui/examples/select";
import source from "@clockwork/ui/examples/select?raw";
import { readExamples } from "@clockwork/ui/logic/example-source";
import { loadPayload } from "#boot/payload.ts";
import { type DocsData, DocsPage } from "../../features/docs/docs-page.tsx";

export const loader = (): DocsData => ({ examples: readExamples(source) });
export const clientLoader = loadPayload<DocsData>;

export default function DocsSelect() {
  return <DocsPage path="/docs/select" examples={examples} />;
}
