// Documentation: the entry of the design system.
import { Icon } from "@clockwork/ui/icon";
import { SiteLink } from "#boot/site-link.tsx";
import { DOCS } from "../../features/docs/docs-list.ts";
import { DocsPage } from "../../features/docs/docs-page.tsx";

const PRINCIPLES = [
  ["Calm", "Nothing blinks without a reason; motion is short, and none at all for those who ask."],
  ["Exact", "Every number lines up and none jumps sideways. Amounts are decimal text, never binary fractions."],
  ["Whole", "Every state is designed: with data, empty, loading, failing, stale."],
  ["Open to all", "Everything works by keyboard and with a screen reader; contrast is AA in every theme."],
] as const;

const CARD =
  "flex h-full flex-col rounded-card border border-line p-5 transition-colors hover:border-line2 hover:bg-surface";

const GROUPS = DOCS.map(({ title, entries }) => ({
  title,
  content: (
    <ul className="grid gap-3 sm:grid-cols-2 xl:grid-cols-3">
      {entries.map((entry) => (
        <li key={entry.path}>
          <SiteLink to={entry.path} className={CARD}>
            <span className="flex items-center justify-between font-semibold">
              {entry.title}
              <Icon name="chevron-right" className="text-muted" />
            </span>
            <span className="mt-1 text-[13px] text-muted">{entry.about}</span>
          </SiteLink>
        </li>
      ))}
    </ul>
  ),
}));

const LAST = {
  title: "Principles",
  content: (
    <dl className="grid gap-x-10 gap-y-6 sm:grid-cols-2">
      {PRINCIPLES.map(([name, about]) => (
        <div key={name}>
          <dt className="font-semibold">{name}</dt>
          <dd className="mt-1 text-muted">{about}</dd>
        </div>
      ))}
    </dl>
  ),
};

export default function Docs() {
  return <DocsPage path="/docs" sections={[...GROUPS, LAST]} />;
}
