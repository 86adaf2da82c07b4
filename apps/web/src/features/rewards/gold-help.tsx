// How almighty gold works, in a dialog of its own.
import { Button } from "@clockwork/ui/button";
import { Dialog } from "@clockwork/ui/dialog";
import { useRewardsText } from "#words/rewards-text.ts";
import { Facts } from "./gold-facts.tsx";

export function HowItWorks() {
  const text = useRewardsText();
  return (
    <Dialog
      title={text("gold.how.title")}
      size="medium"
      trigger={
        <Button size={32} kind="ghost" icon="info" className="-mr-3">
          {text("gold.how")}
        </Button>
      }
    >
      <Facts names={["margin", "losses", "gains", "moving", "end", "stay"]} />
    </Dialog>
  );
}
