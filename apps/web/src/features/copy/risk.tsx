// The risk notice of copy trading, below every list and every leader.
import { Icon } from "@clockwork/ui/icon";
import { useCopyText } from "./copy-text.ts";

export function Risk() {
  const text = useCopyText();
  return (
    <p className="mt-5 flex items-start gap-2 text-[13px] text-muted">
      <Icon name="info" className="mt-0.5 shrink-0" />
      {text("risk")}
    </p>
  );
}
