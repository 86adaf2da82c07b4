// Chooses whose data is shown. Comes after the page: the server draws it all the same.
import { Button } from "@clockwork/ui/button";
import { CoinGlyph } from "@clockwork/ui/coin-glyph";
import { Icon } from "@clockwork/ui/icon";
import { Menu } from "@clockwork/ui/menu";
import { useNavigate } from "react-router";
import { useSitePath } from "#boot/site-link.tsx";
import { useFuturesText } from "../model/futures-text.ts";
import type { DataContract, FuturesData } from "./data-model.ts";

export function PairMenu({ data }: { readonly data: FuturesData }) {
  const text = useFuturesText();
  const navigate = useNavigate();
  const sitePath = useSitePath();
  const { pair, contracts } = data;
  const group = (kind: DataContract["kind"]) => ({
    title: text(`data.kind.${kind}`),
    entries: contracts
      .filter((contract) => contract.kind === kind)
      .map(({ pairCode }) => ({ id: pairCode, title: pairCode.replace("_", "") })),
  });
  return (
    <Menu
      label={text("data.symbol")}
      placement="bottom end"
      selected={pair.pairCode}
      trigger={
        <Button size={32} aria-label={`${text("data.symbol")}: ${pair.pairCode.replace("_", "")}`}>
          <CoinGlyph code={pair.base} size={16} />
          {pair.pairCode.replace("_", "")}
          <Icon name="chevron-down" size={14} />
        </Button>
      }
      groups={[group("linear"), group("inverse")]}
      onAction={(id) => void navigate(sitePath(`/futures/data/${id}`), { preventScrollReset: true })}
    />
  );
}
