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

function gradeContrast(ratio: number): string {
  if (ratio >= 4.5) return "AA";
  return ratio >= 3 ? "3:1" : "";
}

export function TokenTable({ rows }: { readonly rows: readonly TokenRow[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keys
    <section aria-label="Table of roles" tabIndex={0} className="overflow-x-auto">
      <table className="w-full min-w-[720px] border-collapse text-left text-[13px]">
        <thead className="text-label text-muted">
          <tr className="border-line border-b">
            <th className="h-9 pr-4 font-normal">Token</th>
            <th className="pr-4 font-normal">Use</th>
            <th className="pr-4 font-normal">Light</th>
            <th className="pr-4 font-normal">Dark</th>
            <th className="pr-4 font-normal">Terminal</th>
            <th className="text-right font-normal">On bg, light / dark</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row key={row.name} row={row} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Row({ row }: { readonly row: TokenRow }) {
  const { light, dark } = row.contrast;
  return (
    <tr className="h-[52px] border-line border-b">
      <td className="pr-4">
        <code className="rounded-check border border-line bg-surface px-1.5 py-0.5 font-mono text-label">
          --{row.name}
        </code>
      </td>
      <td className="pr-4 text-muted">{TOKEN_USES[row.name]}</td>
      {TOKEN_THEMES.map((theme) => (
        <td key={theme} className="pr-4">
          <span className="flex items-center gap-2.5">
            <span
              aria-hidden="true"
              className="size-7 rounded-[6px] border border-line2"
              style={{ background: row.colors[theme] }}
            />
            <span className="figures text-muted">{row.colors[theme]}</span>
          </span>
        </td>
      ))}
      <td className="figures text-right">
        {SURFACES.has(row.name) ? (
          <span className="text-muted">surface</span>
        ) : (
          <>
            {light.toFixed(1)} / {dark.toFixed(1)}
            <span className="ml-4 inline-block w-7 text-muted">{gradeContrast(Math.min(light, dark))}</span>
          </>
        )}
      </td>
    </tr>
  );
}
