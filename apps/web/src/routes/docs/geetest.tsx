// Documentation: captcha.
import { EmbeddedCaptcha, ProviderCaptcha } from "@clockwork/ui/examples/geetest";
import source from "@clockwork/ui/examples/geetest?raw";
import { loadPayload } from "#boot/payload.ts";
import { readCode } from "../../features/docs/docs-code.ts";
import { type DocsData, DocsPage } from "../../features/docs/docs-page.tsx";

export function loader(): DocsData {
  return readCode(source);
}

export const clientLoader = loadPayload<DocsData>;

export default function DocsGeetest() {
  return (
    <DocsPage
      title="Captcha"
      lead="By default a proof of work: no puzzle, no third party, nothing to see. An operator may put a provider such as Geetest behind the same door; screens do not notice."
      source="ui/src/captcha.tsx"
      sections={[
        {
          title: "Proof of work",
          text: "Solved in slices, so that the page never stalls.",
          example: EmbeddedCaptcha,
          code: "EmbeddedCaptcha",
        },
        {
          title: "A provider",
          text: "When one is configured, only the solver changes.",
          example: ProviderCaptcha,
          code: "ProviderCaptcha",
        },
      ]}
    />
  );
}
