// Documentation: colour.
import * as examples from "@clockwork/ui/examples/color";
import source from "@clockwork/ui/examples/color?raw";
import { readExamples } from "@clockwork/ui/logic/example-source";
import tokens from "@clockwork/ui/tokens.css?raw";
import { useLoaderData } from "react-router";
import { loadPayload } from "#boot/payload.ts";
import { type DocsData, DocsPage } from "../../features/docs/docs-page.tsx";
import { readTokens, type TokenRow } from "../../features/docs/token-table.ts";
import { TOKEN_USES, TokenTable } from "../../features/docs/token-table-view.tsx";

interface ColorData extends DocsData {
  readonly tokens: readonly TokenRow[];
}

export const loader = (): ColorData => ({
  examples: readExamples(source),
  tokens: readTokens(tokens, Object.keys(TOKEN_USES)),
});
export const clientLoader = loadPayload<ColorData>;

export default function DocsColor() {
  const content = <TokenTable rows={useLoaderData<ColorData>().tokens} />;
  const text = "Read from the active stylesheet. A theme is one block that gives every role a value.";
  return <DocsPage path="/docs/color" examples={examples} sections={[{ title: "Roles", text, content }]} />;
}
