// Documentation: behaviour hooks in place of directives.
import { DeviceFacts, Hotkeys, LongPress, PressOutside, TouchPad } from "@clockwork/ui/examples/directives";
import source from "@clockwork/ui/examples/directives?raw";
import { loadPayload } from "#boot/payload.ts";
import { readCode } from "../../features/docs/docs-code.ts";
import { type DocsData, DocsPage } from "../../features/docs/docs-page.tsx";

export function loader(): DocsData {
  return readCode(source);
}

export const clientLoader = loadPayload<DocsData>;

export default function DocsDirectives() {
  return (
    <DocsPage
      title="Directives and hooks"
      lead="Behaviour that any element can take on is a hook: it is given an element or answers the props for one, and keeps nothing of its own look."
      source="ui/src/hooks"
      sections={[
        {
          title: "Touch",
          text: "A tap may wander 10 px, a swipe needs 30, a hold 400 ms; drags report at most every 100 ms.",
          example: TouchPad,
          code: "TouchPad",
        },
        { title: "Long press", text: "Fires while the finger is still down.", example: LongPress, code: "LongPress" },
        {
          title: "Press outside",
          text: "For whatever closes when attention goes elsewhere.",
          example: PressOutside,
          code: "PressOutside",
        },
        {
          title: "Device",
          text: "Width class and pointer kind, refreshed 50 ms after a resize.",
          example: DeviceFacts,
          code: "DeviceFacts",
        },
        {
          title: "Hotkeys",
          text: "Keys that work anywhere on the page, but never while a person types.",
          example: Hotkeys,
          code: "Hotkeys",
        },
      ]}
    />
  );
}
