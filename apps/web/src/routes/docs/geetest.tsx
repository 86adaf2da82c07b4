// Documentation: captcha.
import * as examples from "@clockwork/ui/examples/geetest";
import source from "@clockwork/ui/examples/geetest?raw";
import { readExamples } from "@clockwork/ui/logic/example-source";
import { loadPayload } from "#boot/payload.ts";
import { type DocsData, DocsPage } from "../../features/docs/docs-page.tsx";

export const loader = (): DocsData => ({ examples: readExamples(source) });
export const clientLoader = loadPayload<DocsData>;

export default function DocsGeetest() {
  return <DocsPage path="/docs/geetest" examples={examples} />;
}
