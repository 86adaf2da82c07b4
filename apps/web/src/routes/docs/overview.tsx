// Documentation: where the design system begins.
import { Icon } from "@clockwork/ui/icon";
import { SiteLink } from "#boot/site-link.tsx";
import { DOCS } from "../../features/docs/docs-list.ts";
import { DocsPage } from "../../features/docs/docs-page.tsx";

const PRINCIPLES = [
  [
    "Calm",
    "Nothing blinks without a reason. Motion is a tick: short, eased, 120 to 180 ms, and none at all for those who ask.",
  ],
  ["Exact", "Every number lines up and none jumps sideways. Amounts are decimal text, never binary fractions."],
  ["Whole", "Every state is designed: with data, empty, loading, failing, stale."],
  ["Open to all", "Everything works by keyboard and with a screen reader; contrast is AA in every theme."],
] as const;

export default function Docs() {
  return (
    <DocsPage
      title="Design system"
      lead="A precise instrument: calm, dense where people trade, airy where people read. These pages are the product's own parts, running, with their code."
      sections={[
        ...DOCS.map((group) => ({
          title: group.title,
          text: "",
          content: (
            <ul className="grid gap-3 sm:grid-cols-2 xl:grid-cols-3">
              {group.entries.map((entry) => (
                <li key={entry.path}>
                  <SiteLink
                    to={entry.path}
                    className="flex h-full flex-col rounded-card border border-line p-5 transition-colors hover:border-line2 hover:bg-surface"
                  >
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
        })),
        {
          title: "Principles",
          text: "",
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
        },
      ]}
    />
  );
}
