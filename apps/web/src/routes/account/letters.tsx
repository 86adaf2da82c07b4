// The inbox.
import { LETTER_CALLS, type LetterPage as Page } from "@clockwork/messaging/letters/contract";
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { readCall } from "#boot/read-call.ts";
import { LettersPage } from "../../features/letters/letters-page.tsx";

export async function loader({ context }: LoaderFunctionArgs): Promise<Page | null> {
  return (await readCall(context.get(pageContext), LETTER_CALLS.list, {})) ?? null;
}

export const clientLoader = loadPayload<Page | null>;

export default function AccountLetters() {
  return <LettersPage first={useLoaderData<Page | null>()} />;
}
