// Documentation: behaviour hooks in place of directives.
import * as examples from "@clockwork/ui/examples/directives";
import source from "@clockwork/ui/examples/directives?raw";
import { readExamples } from "@clockwork/ui/logic/example-source";
import { loadPayload } from "#boot/payload.ts";
import { type DocsData, DocsPage } from "../../features/docs/docs-page.tsx";

export const loader = (): DocsData => ({ examples: readExamples(source) });
export const clientLoader = loadPayload<DocsData>;

export default function DocsDirectives() {
  return <DocsPage path="/docs/directives" examples={examples} />;
}
