// The address book on a page of its own: saved addresses, and the mode that limits withdrawals to them.
import { CUSTODY_CALLS } from "@clockwork/custody/custody/contract";
import { WITHDRAW_CALLS } from "@clockwork/custody/withdrawals/contract";
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { readCall } from "#boot/read-call.ts";
import { AddressesPage, type AddressesPageProps } from "../../features/withdrawals/addresses-page.tsx";

export async function loader({ context }: LoaderFunctionArgs): Promise<AddressesPageProps> {
  const page = context.get(pageContext);
  const [book, networks] = await Promise.all([
    readCall(page, WITHDRAW_CALLS.addresses, {}),
    readCall(page, CUSTODY_CALLS.networks, {}),
  ]);
  return { book: book ?? null, networks: networks ?? [] };
}

export const clientLoader = loadPayload<AddressesPageProps>;

export default function WalletAddresses() {
  return <AddressesPage {...useLoaderData<AddressesPageProps>()} />;
}
