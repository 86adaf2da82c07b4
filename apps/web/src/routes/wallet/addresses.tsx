// The address book on a page of its own: saved addresses, and the mode in which nothing else may be withdrawn to.
import { CUSTODY_PATHS } from "@clockwork/custody/custody/contract";
import { type AddressBook, WITHDRAW_PATHS } from "@clockwork/custody/withdrawals/contract";
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { readEnvelope } from "#boot/root-data.ts";
import { AddressesPage, type AddressesPageProps } from "../../features/withdrawals/addresses-page.tsx";
import type { OutNetwork } from "../../features/withdrawals/withdraw-page.tsx";

export async function loader({ context }: LoaderFunctionArgs): Promise<AddressesPageProps> {
  const { callApi } = context.get(pageContext);
  const [book, networks] = await Promise.all([
    callApi({ method: "GET", path: WITHDRAW_PATHS.addresses }),
    callApi({ method: "GET", path: CUSTODY_PATHS.networks }),
  ]);
  return {
    book: (readEnvelope(book) as AddressBook | undefined) ?? null,
    networks: (readEnvelope(networks) as OutNetwork[] | undefined) ?? [],
  };
}

export const clientLoader = loadPayload<AddressesPageProps>;

export default function WalletAddresses() {
  return <AddressesPage {...useLoaderData<AddressesPageProps>()} />;
}
