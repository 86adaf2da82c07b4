// Reads the tokens' stylesheet into a table: each role's colour in each theme and its contrast on that theme's page.
// Pure text work; runs on the server, so the documented values are the values in use.

export const TOKEN_THEMES = ["light", "dark", "terminal"] as const;
export type TokenTheme = (typeof TOKEN_THEMES)[number];

export interface TokenRow {
  readonly name: string;
  readonly colors: Readonly<Record<TokenTheme, string>>;
  /** Against the page's background, light and dark. */
  readonly contrast: { readonly light: number; readonly dark: number };
}

type Values = ReadonlyMap<string, string>;

function readBlock(css: string, opening: RegExp): Values {
  const start = opening.exec(css);
  if (start === null) return new Map();
  const from = start.index + start[0].length;
  const body = css.slice(from, css.indexOf("}", from));
  return new Map(
    [...body.matchAll(/--([\w-]+):\s*([^;]+);/g)].map((match) => [match[1] ?? "", (match[2] ?? "").trim()]),
  );
}

function readThemes(css: string): Readonly<Record<TokenTheme, Values>> {
  const light = readBlock(css, /:root,\s*\[data-theme="light"\]\s*\{/);
  const dark = new Map([...light, ...readBlock(css, /(?<![\w"\]])\[data-theme="dark"\]\s*\{/)]);
  const terminal = new Map([...dark, ...readBlock(css, /\[data-theme="dark"\]\[data-surface="terminal"\],[^{]*\{/)]);
  const pointers = readBlock(css, /:root,\s*\[data-theme\],\s*\[data-surface\],\s*\[data-updown\]\s*\{/);
  const join = (values: Values) => new Map([...pointers, ...values]);
  return { light: join(light), dark: join(dark), terminal: join(terminal) };
}

function resolve(values: Values, name: string): string {
  const value = values.get(name) ?? "";
  const pointer = /^var\(--([\w-]+)\)$/.exec(value)?.[1];
  return pointer === undefined ? value : resolve(values, pointer);
}

/** Relative luminance of `#rrggbb` after WCAG. */
function readLuminance(color: string): number {
  const channel = (at: number) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5);
}

export function measureContrast(first: string, second: string): number {
  const [light = 0, dark = 0] = [readLuminance(first), readLuminance(second)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

export function readTokens(css: string, names: readonly string[]): readonly TokenRow[] {
  const themes = readThemes(css);
  return names.map((name) => {
    const color = (theme: TokenTheme, role = name) => resolve(themes[theme], role);
    const onPage = (theme: TokenTheme) => measureContrast(color(theme), color(theme, "bg"));
    return {
      name,
      colors: { light: color("light"), dark: color("dark"), terminal: color("terminal") },
      contrast: { light: onPage("light"), dark: onPage("dark") },
    };
  });
}
