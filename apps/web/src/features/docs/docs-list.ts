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
    "A precise instrument: calm, dense where people trade, airy where people read. The product’s own components, live.",
};

export const DOCS: readonly { readonly title: string; readonly entries: readonly DocsEntry[] }[] = [
  {
    title: "Foundations",
    entries: [
      entry("/docs/color", "Color", "ui/src/tokens.css", "A component names a role; the theme sets its color."),
      entry("/docs/fonts", "Fonts", "ui/src/theme.css", "One typeface, its sizes, and tabular figures."),
      entry(
        "/docs/date",
        "Dates",
        "ui/src/date-field.tsx",
        "Dates are sent as ISO text; times are shown in the selected zone.",
      ),
    ],
  },
  {
    title: "Behavior",
    entries: [
      entry("/docs/directives", "Directives and hooks", "ui/src/hooks", "Behavior for any element."),
      entry("/docs/drag-sort", "Drag sort", "ui/src/drag-sort.tsx", "Order by pointer, finger or keys."),
      entry(
        "/docs/geetest",
        "Captcha",
        "ui/src/captcha.tsx",
        "Proof of work, or an external provider with the same interface.",
      ),
    ],
  },
  {
    title: "Components",
    entries: [
      entry("/docs/element-plus", "Component gallery", "ui/src", "Every component, live."),
      entry("/docs/select", "Select", "ui/src/select.tsx", "Short lists, long lists and search."),
    ],
  },
];
