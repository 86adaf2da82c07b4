// The address book: saved addresses with their state, adding and removing one.
import { type AddressBook, USER_NETWORK } from "@clockwork/custody/withdrawals/contract";
import { formatMinute } from "@clockwork/kit/time";
import { Button, IconButton } from "@clockwork/ui/button";
import { Card } from "@clockwork/ui/card";
import { EmptyState } from "@clockwork/ui/state";
import { TextField } from "@clockwork/ui/text-field";
import { useState } from "react";
import { useRevalidator } from "react-router";
import { useCalls } from "#session/auth-context.ts";
import { FormError } from "#session/auth-fields.tsx";
import { useZone } from "#session/zone.ts";
import { LateSelect } from "#shell/late-select.tsx";
import { describeFailure, useAuthText } from "#words/auth-text.ts";
import { useWalletText } from "#words/wallet-text.ts";
import { SendProofCode } from "./send-code.tsx";
import { WhitelistMode } from "./whitelist-mode.tsx";
import { removeAddress, saveAddress } from "./withdraw-calls.ts";
import type { OutNetwork } from "./withdraw-page.tsx";

export interface BookCardProps {
  readonly book: AddressBook;
  readonly networks: readonly OutNetwork[];
  readonly isWhitelist: boolean;
  /** With what turns the mode on and off. */
  readonly hasMode?: boolean;
}

export function BookCard(props: BookCardProps) {
  const { book, networks, isWhitelist } = props;
  const text = useWalletText();
  const calls = useCalls();
  const zone = useZone();
  const { revalidate } = useRevalidator();
  const [isAdding, setAdding] = useState(false);
  const remove = async (network: string, address: string) => {
    await removeAddress(await calls(), network, address);
    await revalidate();
  };
  return (
    <Card
      title={text("book.title")}
      aside={
        <Button size={32} icon="plus" onPress={() => setAdding(!isAdding)}>
          {text("book.add")}
        </Button>
      }
    >
      {isAdding && <AddForm networks={networks} onDone={() => setAdding(false)} />}
      {book.addresses.length === 0 && !isAdding && <EmptyState text={text("book.none")} />}
      <ul>
        {book.addresses.map(({ network, address, name, usableAtMs, isResting }) => (
          <li key={`${network}${address}`} className="flex items-center gap-3 border-line border-t py-2 text-ui">
            <span className="min-w-0 flex-1">
              <span className="block font-medium">{name}</span>
              <span className="block truncate font-mono text-label text-muted">{address}</span>
            </span>
            <span className="text-label text-muted">{network === USER_NETWORK ? text("book.user") : network}</span>
            <span className="text-label">
              {isResting ? text("book.rests", { time: formatMinute(usableAtMs, zone) }) : text("book.ready")}
            </span>
            <IconButton icon="trash" label={text("book.remove")} onPress={() => void remove(network, address)} />
          </li>
        ))}
      </ul>
      {props.hasMode === true && (
        <div className="mt-3 border-line border-t pt-3">
          <WhitelistMode isWhitelist={isWhitelist} />
        </div>
      )}
    </Card>
  );
}

function AddForm(props: { readonly networks: readonly OutNetwork[]; readonly onDone: () => void }) {
  const text = useWalletText();
  const words = useAuthText();
  const calls = useCalls();
  const { revalidate } = useRevalidator();
  const [network, setNetwork] = useState(props.networks[0]?.network ?? "");
  const [address, setAddress] = useState("");
  const [name, setName] = useState("");
  const [code, setCode] = useState("");
  const [error, setError] = useState<string>();
  const add = async () => {
    const answer = await saveAddress(await calls(), { network, address: address.trim(), name, code });
    setCode("");
    if (!answer.ok) {
      setError(describeFailure(words, answer));
      return;
    }
    props.onDone();
    await revalidate();
  };
  return (
    <form
      className="mb-4 flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        void add();
      }}
    >
      <FormError>{error}</FormError>
      <LateSelect
        label={text("label.network")}
        value={network}
        onChange={setNetwork}
        options={[
          ...props.networks.map((one) => ({ id: one.network, title: one.name })),
          { id: USER_NETWORK, title: text("book.user") },
        ]}
      />
      {network === USER_NETWORK ? (
        <TextField label={text("send.to")} value={address} onChange={setAddress} help={text("send.toHelp")} />
      ) : (
        <TextField label={text("label.address")} value={address} onChange={setAddress} className="font-mono" />
      )}
      <TextField label={text("label.name")} value={name} onChange={setName} />
      <TextField label={text("book.code")} value={code} onChange={setCode} />
      <SendProofCode />
      <p className="text-label text-muted">{text("book.addNote")}</p>
      <Button type="submit" size={40} isDisabled={address === "" || name === "" || code.length < 6}>
        {text("book.add")}
      </Button>
    </form>
  );
}
