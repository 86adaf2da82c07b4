// What almighty gold does and does not do, as a list of sentences.
import { Icon } from "@clockwork/ui/icon";
import { useRewardsText } from "#words/rewards-text.ts";

type Fact = "margin" | "losses" | "gains" | "moving" | "end" | "stay";

export function Facts({ names }: { readonly names: readonly Fact[] }) {
  const text = useRewardsText();
  return (
    <ul className="grid gap-3 text-[13px] text-muted leading-5">
      {names.map((fact) => (
        <li key={fact} className="flex gap-2.5">
          <Icon name="check" className="mt-0.5 shrink-0" />
          {text(`gold.about.${fact}`)}
        </li>
      ))}
    </ul>
  );
}
