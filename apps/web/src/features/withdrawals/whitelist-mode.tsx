// The mode that limits withdrawals to saved addresses: its explanation, and the code that turns it on or off.
import type { AddressBook, Limits } from "@clockwork/custody/withdrawals/contract";
import { Button } from "@clockwork/ui/button";
import { Card } from "@clockwork/ui/card";
import { TextField } from "@clockwork/ui/text-field";
import { Fragment, useState } from "react";
import { useRevalidator } from "react-router";
import { useCalls } from "#session/auth-context.ts";
import { FormError } from "#session/auth-fields.tsx";
import { describeFailure, useAuthText } from "#words/auth-text.ts";
import { useWalletText } from "#words/wallet-text.ts";
import { SendProofCode } from "./send-code.tsx";
import { setWhitelist } from "./withdraw-calls.ts";

/** Next to the limit: the mode with how many addresses are saved or waiting, and the number of locks. */
export function WhitelistCard({ book, locks }: { readonly book: AddressBook; readonly locks: Limits["locks"] }) {
  const text = useWalletText();
  const resting = book.addresses.filter(({ isResting }) => isResting);
  const figures = [
    ["book.saved", String(book.addresses.length)],
    ["book.resting", String(resting.length)],
    ["book.locks", locks.length === 0 ? text("book.noLocks") : String(locks.length)],
  ] as const;
  return (
    <Card>
      <WhitelistMode isWhitelist={book.isWhitelist} />
      <dl className="mt-3 grid grid-cols-[1fr_auto] gap-y-2 border-line border-t pt-3 text-ui">
        {figures.map(([name, value]) => (
          <Fragment key={name}>
            <dt className="text-muted">{text(name)}</dt>
            <dd className="figures text-right">{value}</dd>
          </Fragment>
        ))}
      </dl>
    </Card>
  );
}

/** Turning it on or off pauses withdrawals for a day, which is shown first. */
export function WhitelistMode({ isWhitelist }: { readonly isWhitelist: boolean }) {
  const text = useWalletText();
  const words = useAuthText();
  const calls = useCalls();
  const { revalidate } = useRevalidator();
  const [isOpen, setOpen] = useState(false);
  const [code, setCode] = useState("");
  const [error, setError] = useState<string>();
  const turn = async () => {
    const answer = await setWhitelist(await calls(), !isWhitelist, code);
    setError(answer.ok ? undefined : describeFailure(words, answer));
    setCode("");
    if (!answer.ok) return;
    setOpen(false);
    await revalidate();
  };
  return (
    <section>
      <div className="flex items-center justify-between gap-3">
        <div>
          <h3 className="font-medium text-ui">{text("book.mode")}</h3>
          <p className="text-label text-muted">{text(isWhitelist ? "book.modeOn" : "book.modeOff")}</p>
        </div>
        <Button size={32} onPress={() => setOpen(!isOpen)}>
          {text(isWhitelist ? "book.turnOff" : "book.turnOn")}
        </Button>
      </div>
      {isOpen && (
        <form
          className="mt-3 flex flex-col gap-3"
          onSubmit={(event) => {
            event.preventDefault();
            void turn();
          }}
        >
          <FormError>{error}</FormError>
          <p className="rounded-control bg-warn-soft p-3 text-ui text-warn">
            {text(isWhitelist ? "book.turnOffNote" : "book.turnOnNote")}
          </p>
          <TextField label={text("book.code")} value={code} onChange={setCode} />
          <SendProofCode />
          <Button type="submit" size={40} isDisabled={code.length < 6}>
            {text(isWhitelist ? "book.turnOff" : "book.turnOn")}
          </Button>
        </form>
      )}
    </section>
  );
}
