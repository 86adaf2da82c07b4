// Documentation: select.
import { LongCombobox, PhoneWithCountry, SearchableSelect, ShortSelect } from "@clockwork/ui/examples/select";
import source from "@clockwork/ui/examples/select?raw";
import { loadPayload } from "#boot/payload.ts";
import { readCode } from "../../features/docs/docs-code.ts";
import { type DocsData, DocsPage } from "../../features/docs/docs-page.tsx";

export function loader(): DocsData {
  return readCode(source);
}

export const clientLoader = loadPayload<DocsData>;

export default function DocsSelect() {
  return (
    <DocsPage
      title="Select"
      lead="Choosing one of many. Up to a dozen options open behind a button; longer lists get a search; a thousand draw only what is in sight."
      source="ui/src/select.tsx"
      sections={[
        {
          title: "Short",
          text: "A few options behind a button, in a box or as plain words.",
          example: ShortSelect,
          code: "ShortSelect",
        },
        {
          title: "With a search",
          text: "The list opens with a search field on top.",
          example: SearchableSelect,
          code: "SearchableSelect",
        },
        {
          title: "Long",
          text: "A thousand rows; only those in sight are drawn.",
          example: LongCombobox,
          code: "LongCombobox",
        },
        {
          title: "Telephone",
          text: "A number with its country, found by name or code.",
          example: PhoneWithCountry,
          code: "PhoneWithCountry",
        },
      ]}
    />
  );
}
