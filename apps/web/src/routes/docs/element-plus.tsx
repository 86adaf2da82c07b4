// Documentation: the component gallery.
import * as parts from "@clockwork/ui/examples/element-plus";
import source from "@clockwork/ui/examples/element-plus?raw";
import * as data from "@clockwork/ui/examples/element-plus-data";
import dataSource from "@clockwork/ui/examples/element-plus-data?raw";
import { readExamples } from "@clockwork/ui/logic/example-source";
import { loadPayload } from "#boot/payload.ts";
import { type DocsData, DocsPage } from "../../features/docs/docs-page.tsx";

export const loader = (): DocsData => ({ examples: [source, dataSource].flatMap(readExamples) });
export const clientLoader = loadPayload<DocsData>;

export default function DocsElementPlus() {
  return <DocsPage path="/docs/element-plus" examples={{ ...parts, ...data }} />;
}
