// The pages of the design documentation, in the order they are read. A group or page without a route is not listed.

export interface DocsEntry {
  readonly path: string;
  readonly title: string;
  readonly about: string;
}

export interface DocsGroup {
  readonly title: string;
  readonly entries: readonly DocsEntry[];
}

export const DOCS: readonly DocsGroup[] = [
  {
    title: "Foundations",
    entries: [
      { path: "/docs/color", title: "Colour", about: "Roles, themes, movement and the contrast of each." },
      { path: "/docs/fonts", title: "Fonts", about: "One typeface, its sizes, and figures that hold still." },
      { path: "/docs/date", title: "Dates", about: "Pickers, countdowns and the way time is told." },
    ],
  },
  {
    title: "Behaviour",
    entries: [
      { path: "/docs/directives", title: "Directives and hooks", about: "Touch, long press, hotkeys, device." },
      { path: "/docs/drag-sort", title: "Drag sort", about: "Order by pointer, finger or keys." },
      { path: "/docs/geetest", title: "Captcha", about: "A proof of work, or a provider behind the same door." },
    ],
  },
  {
    title: "Components",
    entries: [
      { path: "/docs/element-plus", title: "Component gallery", about: "Everything a screen is made of, running." },
      { path: "/docs/select", title: "Select", about: "Short lists, long lists, and a search in between." },
    ],
  },
];
