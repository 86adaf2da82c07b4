// `/wallet/addresses`: the address book on its own.
import type { AddressBook } from "@clockwork/custody/withdrawals/contract";
import { WalletFrame } from "#shell/wallet-frame.tsx";
import { useWalletText } from "#words/wallet-text.ts";
import { BookCard } from "./address-book.tsx";
import type { OutNetwork } from "./withdraw-page.tsx";

export interface AddressesPageProps {
  readonly book: AddressBook | null;
  readonly networks: readonly OutNetwork[];
}

export function AddressesPage({ book, networks }: AddressesPageProps) {
  const text = useWalletText();
  return (
    <WalletFrame title={text("book.title")}>
      {book === null ? (
        <p className="text-muted">{text("label.failed")}</p>
      ) : (
        <div className="max-w-[860px]">
          <p className="mb-4 text-muted text-ui">{text("book.lead")}</p>
          <BookCard book={book} networks={networks} isWhitelist={book.isWhitelist} hasMode />
        </div>
      )}
    </WalletFrame>
  );
}
