// Documentation: fonts.
import { TabularFigures, TypeScale } from "@clockwork/ui/examples/fonts";
import source from "@clockwork/ui/examples/fonts?raw";
import { loadPayload } from "#boot/payload.ts";
import { readCode } from "../../features/docs/docs-code.ts";
import { type DocsData, DocsPage } from "../../features/docs/docs-page.tsx";

export function loader(): DocsData {
  return readCode(source);
}

export const clientLoader = loadPayload<DocsData>;

export default function DocsFonts() {
  return (
    <DocsPage
      title="Fonts"
      lead="Inter in one variable file, served from here. Until it arrives an Arial stretched to its measures holds the place, so nothing moves when it does."
      source="ui/src/theme.css"
      sections={[
        {
          title: "Sizes",
          text: "A size comes with its line, weight and tracking; pick one by its role.",
          example: TypeScale,
          code: "TypeScale",
        },
        {
          title: "Figures",
          text: "Wherever a number can change its digits have one width, so no number jumps sideways when it ticks.",
          example: TabularFigures,
          code: "TabularFigures",
        },
      ]}
    />
  );
}
