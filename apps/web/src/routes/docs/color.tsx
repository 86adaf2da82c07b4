// Documentation: colour.
import { DataMetals, RoleSwatches, UpAndDown } from "@clockwork/ui/examples/color";
import source from "@clockwork/ui/examples/color?raw";
import tokens from "@clockwork/ui/tokens.css?raw";
import { useLoaderData } from "react-router";
import { loadPayload } from "#boot/payload.ts";
import { readCode } from "../../features/docs/docs-code.ts";
import { type DocsData, DocsPage } from "../../features/docs/docs-page.tsx";
import { readTokens, type TokenRow } from "../../features/docs/token-table.ts";
import { TOKEN_USES, TokenTable } from "../../features/docs/token-table-view.tsx";

interface ColorData extends DocsData {
  readonly tokens: readonly TokenRow[];
}

export function loader(): ColorData {
  return { ...readCode(source), tokens: readTokens(tokens, Object.keys(TOKEN_USES)) };
}

export const clientLoader = loadPayload<ColorData>;

export default function DocsColor() {
  const data = useLoaderData<ColorData>();
  return (
    <DocsPage
      title="Colour"
      lead="Components never name a raw colour. They name a role, and the theme decides. There are three themes: light, dark, and the terminal that spot and futures use in both."
      source="ui/src/tokens.css"
      sections={[
        {
          title: "Roles",
          text: "Read from the stylesheet in use; the contrast is measured, not promised.",
          content: <TokenTable rows={data.tokens} />,
        },
        {
          title: "Up and down",
          text: "Two roles, swapped by the up/down theme. Try it: the example below is live.",
          example: UpAndDown,
          code: "UpAndDown",
          bare: true,
        },
        {
          title: "Swatches",
          text: "Every role as the page's own theme paints it.",
          example: RoleSwatches,
          code: "RoleSwatches",
        },
        {
          title: "Data metals",
          text: "Six quiet hues for shares of a whole. Never for movement, never for actions.",
          example: DataMetals,
          code: "DataMetals",
        },
        {
          title: "Adding a theme",
          text: "A theme is one block of the stylesheet that gives every role a value, chosen by data-theme on the page or on any part of it. No component changes.",
        },
      ]}
    />
  );
}
