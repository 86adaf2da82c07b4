// Documentation: drag sort.
import * as examples from "@clockwork/ui/examples/drag-sort";
import source from "@clockwork/ui/examples/drag-sort?raw";
import { readExamples } from "@clockwork/ui/logic/example-source";
import { loadPayload } from "#boot/payload.ts";
import { type DocsData, DocsPage } from "../../features/docs/docs-page.tsx";

export const loader = (): DocsData => ({ examples: readExamples(source) });
export const clientLoader = loadPayload<DocsData>;

export default function DocsDragSort() {
  return <DocsPage path="/docs/drag-sort" examples={examples} />;
}
