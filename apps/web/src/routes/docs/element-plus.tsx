// Documentation: the component gallery.
import {
  Amounts,
  Buttons,
  Choices,
  Notices,
  Overlays,
  TabExample,
  TextFields,
} from "@clockwork/ui/examples/element-plus";
import source from "@clockwork/ui/examples/element-plus?raw";
import {
  Allocation,
  BookDepth,
  FileUpload,
  Pager,
  QrExample,
  SortableTable,
  States,
  TotalCurve,
  VirtualTable,
} from "@clockwork/ui/examples/element-plus-data";
import dataSource from "@clockwork/ui/examples/element-plus-data?raw";
import { loadPayload } from "#boot/payload.ts";
import { readCode } from "../../features/docs/docs-code.ts";
import { type DocsData, DocsPage } from "../../features/docs/docs-page.tsx";

export function loader(): DocsData {
  return { code: { ...readCode(source).code, ...readCode(dataSource).code } };
}

export const clientLoader = loadPayload<DocsData>;

export default function DocsElementPlus() {
  return (
    <DocsPage
      title="Component gallery"
      lead="Everything a screen is made of, running. Each works by keyboard, in both themes, and on the dense surface of the terminal."
      source="ui/src"
      sections={[
        {
          title: "Buttons",
          text: "One main action per view; buy and sell take the colours of movement.",
          example: Buttons,
          code: "Buttons",
        },
        {
          title: "Text fields",
          text: "Text, a password with its strength, and the six-box code.",
          example: TextFields,
          code: "TextFields",
        },
        {
          title: "Amounts",
          text: "Exact: grouped while typed, the caret kept, 1,000.5 accepted.",
          example: Amounts,
          code: "Amounts",
        },
        {
          title: "Choices",
          text: "Checked and on are neutral; colour is kept for movement.",
          example: Choices,
          code: "Choices",
        },
        {
          title: "Dialog, sheet, menu",
          text: "A dialog is dragged by its head and keeps 72 px free below.",
          example: Overlays,
          code: "Overlays",
        },
        {
          title: "Notices",
          text: "They queue up, and end in a link to what they are about.",
          example: Notices,
          code: "Notices",
        },
        { title: "Tabs", text: "The underline marks the current place.", example: TabExample, code: "TabExample" },
        {
          title: "Table",
          text: "Sort, filter, export; text left, numbers right.",
          example: SortableTable,
          code: "SortableTable",
        },
        {
          title: "Long table",
          text: "Ten thousand rows; only those in sight are drawn.",
          example: VirtualTable,
          code: "VirtualTable",
        },
        {
          title: "Curve",
          text: "A readout under the pointer, or with the arrow keys.",
          example: TotalCurve,
          code: "TotalCurve",
        },
        { title: "Depth", text: "Both sides of a book on one scale.", example: BookDepth, code: "BookDepth" },
        { title: "Donut", text: "Shares of a whole, in metals.", example: Allocation, code: "Allocation" },
        { title: "States", text: "Loading, empty, failing, under way.", example: States, code: "States" },
        { title: "Pagination", text: "The marked place is the current page.", example: Pager, code: "Pager" },
        {
          title: "QR code",
          text: "Always dark on white: cameras do not follow the theme.",
          example: QrExample,
          code: "QrExample",
        },
        {
          title: "Upload",
          text: "Progress in numbers, a way to stop, a way to try again.",
          example: FileUpload,
          code: "FileUpload",
        },
      ]}
    />
  );
}
