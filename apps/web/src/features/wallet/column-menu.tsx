// Which columns of the history are shown. Fetched after the page: nothing of it is seen before it is opened.
import { Button } from "@clockwork/ui/button";
import { Menu } from "@clockwork/ui/menu";
import { useWalletText } from "#words/wallet-text.ts";
import { COLUMNS, type Column } from "./history-model.ts";

export interface ColumnMenuProps {
  readonly columns: readonly Column[];
  readonly onChoose: (columns: readonly Column[]) => void;
}

export function ColumnMenu({ columns, onChoose }: ColumnMenuProps) {
  const text = useWalletText();
  const titles: Readonly<Record<Column, string>> = {
    time: text("label.time"),
    business: text("history.business"),
    account: text("label.account"),
    balance: text("history.balance"),
    reference: text("history.reference"),
  };
  return (
    <Menu
      label={text("history.columns")}
      placement="bottom end"
      trigger={
        <Button size={40} icon="settings">
          {text("history.columns")}
        </Button>
      }
      groups={[{ entries: COLUMNS.map((id) => ({ id, title: titles[id] })) }]}
      chosen={columns}
      onChosen={(ids) => onChoose(COLUMNS.filter((one) => ids.includes(one)))}
    />
  );
}
