// Documentation: drag sort.
import { SortList, SortRow } from "@clockwork/ui/examples/drag-sort";
import source from "@clockwork/ui/examples/drag-sort?raw";
import { loadPayload } from "#boot/payload.ts";
import { readCode } from "../../features/docs/docs-code.ts";
import { type DocsData, DocsPage } from "../../features/docs/docs-page.tsx";

export function loader(): DocsData {
  return readCode(source);
}

export const clientLoader = loadPayload<DocsData>;

export default function DocsDragSort() {
  return (
    <DocsPage
      title="Drag sort"
      lead="An order a person makes by hand: favourites, columns, payment accounts. The same list works with a pointer, a finger and the keyboard, and says aloud what moved."
      source="ui/src/drag-sort.tsx"
      sections={[
        {
          title: "A list",
          text: "Drag by the grip. By keyboard: Space lifts, arrows move, Space drops, Escape puts everything back.",
          example: SortList,
          code: "SortList",
        },
        { title: "A row", text: "The same along a line.", example: SortRow, code: "SortRow" },
      ]}
    />
  );
}
