// The inbox.
import type { LetterPage as Page } from "@clockwork/messaging/letters/contract";
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { readEnvelope } from "#boot/root-data.ts";
import { LETTERS_PATH, LettersPage } from "../../features/letters/letters-page.tsx";

export async function loader({ context }: LoaderFunctionArgs): Promise<Page | null> {
  const answer = await context.get(pageContext).callApi({ method: "GET", path: LETTERS_PATH });
  return (readEnvelope(answer) as Page | undefined) ?? null;
}

export const clientLoader = loadPayload<Page | null>;

export default function AccountLetters() {
  return <LettersPage first={useLoaderData<Page | null>()} />;
}
