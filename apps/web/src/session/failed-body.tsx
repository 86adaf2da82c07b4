// Where something could not be loaded: a line that reports it, with a retry.
import { Button } from "@clockwork/ui/button";
import { useState } from "react";
import { useRevalidator } from "react-router";
import { useSiteText } from "#words/site-text.ts";

/** Without its own action the whole page is requested again. */
export function FailedBody({ onAgain }: { readonly onAgain?: () => unknown }) {
  const text = useSiteText();
  const { revalidate } = useRevalidator();
  const [isBusy, setBusy] = useState(false);
  const again = async () => {
    setBusy(true);
    await (onAgain ?? revalidate)();
    setBusy(false);
  };
  return (
    <div role="alert" className="flex flex-wrap items-center gap-x-3 gap-y-2 text-muted text-ui">
      {text("failed.load")}
      <Button size={32} busy={isBusy} onPress={() => void again()}>
        {text("failed.again")}
      </Button>
    </div>
  );
}
