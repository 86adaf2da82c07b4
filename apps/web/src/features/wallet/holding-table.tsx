// What is held, coin by coin, as every page of the wallet shows it: of one account, or of all of them with prices and ways on.
import { CoinGlyph } from "@clockwork/ui/coin-glyph";
import type { ReactNode } from "react";
import { useWalletText } from "#words/wallet-text.ts";
import type { Holding } from "./overview-model.ts";
import { useShown } from "./use-shown.ts";

type Row = Pick<Holding, "asset" | "name" | "total" | "available" | "reserved" | "invested" | "worthUsdt">;

export interface HoldingTableProps<One extends Row> {
  readonly rows: readonly One[];
  /** What one of it costs, as text. */
  readonly priceOf?: (row: One) => string;
  /** Its actions. */
  readonly actions?: (row: One) => ReactNode;
}

const HEAD = "py-2 font-normal text-label text-muted";
const NUMBER = "figures text-right";

export function HoldingTable<One extends Row>({ rows, priceOf, actions }: HoldingTableProps<One>) {
  const text = useWalletText();
  const shown = useShown();
  const worth = useShown(true);
  const head = (title: ReactNode, look: string) => (
    <th scope="col" className={`${HEAD} ${look}`}>
      {title}
    </th>
  );
  return (
    <table className="w-full text-ui">
      <thead>
        <tr>
          {head(text("label.coin"), "text-left")}
          {head(text("overview.all"), "text-right")}
          {head(text("overview.available"), "text-right max-md:hidden")}
          {head(text("overview.reserved"), "text-right max-md:hidden")}
          {head(text("overview.invested"), "text-right max-md:hidden")}
          {priceOf !== undefined && head(`${text("overview.price")}, USDT`, "text-right max-lg:hidden")}
          {head(`${text("overview.worth")}, USDT`, "text-right")}
          {actions !== undefined &&
            head(<span className="sr-only">{text("overview.actions")}</span>, "text-right max-lg:hidden")}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.asset} className="h-13 border-line border-t">
            <td>
              <span className="flex items-center gap-2">
                <CoinGlyph code={row.asset} size={24} />
                <span className="font-medium">{row.asset}</span>
                <span className="text-label text-muted max-sm:hidden">{row.name}</span>
              </span>
            </td>
            <td className={NUMBER}>{shown(row.total)}</td>
            <td className={`${NUMBER} max-md:hidden`}>{shown(row.available)}</td>
            <td className={`${NUMBER} text-muted max-md:hidden`}>{shown(row.reserved)}</td>
            <td className={`${NUMBER} text-muted max-md:hidden`}>{shown(row.invested)}</td>
            {priceOf !== undefined && <td className={`${NUMBER} text-muted max-lg:hidden`}>{priceOf(row)}</td>}
            <td className={NUMBER}>{worth(row.worthUsdt, 2)}</td>
            {actions !== undefined && <td className="text-right text-label max-lg:hidden">{actions(row)}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
