// The pages of the design documentation, in the order they are read. A group or page without a route is not listed.

export interface DocsEntry {
  readonly path: string;
  readonly title: string;
  readonly about: string;
  readonly source?: string;
}

const entry = (path: string, title: string, source: string, about: string): DocsEntry => ({
  path,
  title,
  source,
  about,
});

export const OVERVIEW: DocsEntry = {
  path: "/docs",
  title: "Design system",
  about:
    "A precise instrument: calm, dense where people trade, airy where people read. The product's own parts, running.",
};

export const DOCS: readonly { readonly title: string; readonly entries: readonly DocsEntry[] }[] = [
  {
    title: "Foundations",
    entries: [
      entry("/docs/color", "Colour", "ui/src/tokens.css", "A component names a role; the theme decides its colour."),
      entry("/docs/fonts", "Fonts", "ui/src/theme.css", "One typeface, its sizes, and figures that hold still."),
      entry(
        "/docs/date",
        "Dates",
        "ui/src/date-field.tsx",
        "Days travel as ISO text; times are told in the chosen zone.",
      ),
    ],
  },
  {
    title: "Behaviour",
    entries: [
      entry("/docs/directives", "Directives and hooks", "ui/src/hooks", "Behaviour that any element can take on."),
      entry("/docs/drag-sort", "Drag sort", "ui/src/drag-sort.tsx", "Order by pointer, finger or keys."),
      entry("/docs/geetest", "Captcha", "ui/src/captcha.tsx", "A proof of work, or a provider behind the same door."),
    ],
  },
  {
    title: "Components",
    entries: [
      entry("/docs/element-plus", "Component gallery", "ui/src", "Everything a screen is made of, running."),
      entry("/docs/select", "Select", "ui/src/select.tsx", "Short lists, long lists, and a search in between."),
    ],
  },
];
