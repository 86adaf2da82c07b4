// Copies the address of the page, which names the open report.
import { CopyButton } from "@clockwork/ui/copy-button";
import { useFuturesText } from "../model/futures-text.ts";

export function CopyLink() {
  const text = useFuturesText();
  return <CopyButton text={location.href} what={text("data.link")} />;
}
