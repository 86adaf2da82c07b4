// The rules of rewards in a dialog.
import { Button } from "@clockwork/ui/button";
import { Dialog } from "@clockwork/ui/dialog";
import { useRewardsText } from "#words/rewards-text.ts";

const RULES = ["rules.counted", "rules.once", "rules.budget", "rules.coupons", "rules.gold", "rules.draws"] as const;

export function RulesDialog() {
  const text = useRewardsText();
  return (
    <Dialog
      title={text("rules")}
      size="medium"
      trigger={
        <Button size={40} icon="document">
          {text("rules")}
        </Button>
      }
    >
      <ul className="grid gap-2 text-muted text-ui leading-[22px]">
        {RULES.map((key) => (
          <li key={key}>{text(key)}</li>
        ))}
      </ul>
    </Dialog>
  );
}
