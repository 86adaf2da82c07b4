// The table of roles: what each is for, its colour in three themes, its contrast.
import { TOKEN_THEMES, type TokenRow } from "./token-table.ts";

export const TOKEN_USES: Readonly<Record<string, string>> = {
  bg: "Page",
  surface: "Quiet areas, inputs on raised",
  raised: "Cards, menus, dialogs",
  line: "Hairlines, table rules",
  line2: "Borders of controls",
  text: "Body and figures",
  muted: "Labels, second line",
  faint: "Icons and ticks, not text",
  accent: "Main action, current place",
  up: "Movement and side, fills and lines",
  down: "Movement and side, fills and lines",
  "up-text": "Small up figures",
  "down-text": "Small down figures",
  danger: "Errors, never a price",
  warn: "Warnings",
  info: "Notes",
};

const SURFACES = new Set(["bg", "surface", "raised", "line", "line2"]);

const HEADS = ["Token", "Use", "Light", "Dark", "Terminal", "On bg, light / dark"];

export function TokenTable({ rows }: { readonly rows: readonly TokenRow[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keys
    <section aria-label="Table of roles" tabIndex={0} className="overflow-x-auto">
      <table className="w-full min-w-[720px] border-collapse text-left text-[13px]">
        <thead className="text-label text-muted">
          <tr className="border-line border-b">
            {HEADS.map((head) => (
              <th key={head} className="h-9 pr-4 font-normal last:text-right">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, colors, contrast }) => (
            <tr key={name} className="h-[52px] border-line border-b">
              <td className="pr-4">
                <code className="font-mono text-label">--{name}</code>
              </td>
              <td className="pr-4 text-muted">{TOKEN_USES[name]}</td>
              {TOKEN_THEMES.map((theme) => (
                <td key={theme} className="figures pr-4 text-muted">
                  <span
                    className="mr-2.5 inline-block size-7 rounded-[6px] border border-line2 align-middle"
                    style={{ background: colors[theme] }}
                  />
                  {colors[theme]}
                </td>
              ))}
              <td className="figures text-right">{SURFACES.has(name) ? "surface" : contrastText(contrast)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function contrastText({ light, dark }: TokenRow["contrast"]): string {
  const least = Math.min(light, dark);
  return `${light.toFixed(1)} / ${dark.toFixed(1)} ${least >= 4.5 ? "AA" : least >= 3 ? "3:1" : ""}`;
}
