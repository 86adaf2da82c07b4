// The user's confirmation settings, and the effect of a click in the book: the part of every product's order settings
// that is the same. Part of a dialog that is loaded on demand.
import { Button } from "@clockwork/ui/button";
import { Switch } from "@clockwork/ui/switch";
import { useProduct } from "#trade/product.ts";
import { useTradeText } from "#trade/trade-text.ts";
import { BOOK_PICKS, type BookPick, changeAsking, useAsking } from "./asking.ts";
import { Choice } from "./choice.tsx";

export function AskingSettings() {
  const text = useTradeText();
  const { biz } = useProduct();
  const { oneClick, unasked, unaskedCancel, unaskedAmend, bookPick } = useAsking();
  const isQuiet = unasked.length > 0 || unaskedCancel || unaskedAmend;
  return (
    <>
      <div className="flex flex-col gap-1">
        <span aria-hidden="true">{text("bookPick")}</span>
        <Choice
          look="box40"
          label={text("bookPick")}
          value={bookPick}
          options={BOOK_PICKS.map((id) => ({ id, title: text(`bookPick.${id}`) }))}
          onChange={(id) => changeAsking(biz, { bookPick: id as BookPick })}
        />
      </div>
      <SwitchRow
        title={text("oneClick")}
        note={text("oneClickNote")}
        isOn={oneClick}
        onChange={(isOn) => changeAsking(biz, { oneClick: isOn })}
      />
      {isQuiet && (
        <Button size={32} onPress={() => changeAsking(biz, { unasked: [], unaskedCancel: false, unaskedAmend: false })}>
          {text("askAgain")}
        </Button>
      )}
    </>
  );
}

interface SwitchRowProps {
  readonly title: string;
  readonly note: string;
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
}

export function SwitchRow({ title, note, isOn, onChange }: SwitchRowProps) {
  return (
    <div className="flex flex-col">
      <Switch isSelected={isOn} onChange={onChange}>
        {title}
      </Switch>
      <p className="pl-9 text-label text-muted">{note}</p>
    </div>
  );
}
