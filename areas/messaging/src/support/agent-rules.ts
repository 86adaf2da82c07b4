// The answers of the simulated agent of the default run: pages to read, by the words of the question. Pure.
import type { Author } from "./contract.ts";

const ANSWERS: readonly (readonly [words: RegExp, answer: string])[] = [
  [/withdraw/i, "Withdrawals and what they wait for are listed at /withdrawal; each shows its state and its reason."],
  [/deposit/i, "Deposits are listed at /deposit with the confirmations each still needs."],
  [/fee|vip|level/i, "Your fees and your level are shown at /vip."],
  [/identi|kyc|verif/i, "Your identity level and what the next one needs are shown at /identity."],
  [/password|2fa|authenticator|passkey|login|sign/i, "Passwords, authenticator and devices are managed at /security."],
  [/order|trade|fill/i, "Open orders and fills are listed below the chart and in your order history."],
];
const OTHER = "Articles on most questions are in the help centre at /help.";
const NOTE = "An operator reads this conversation at the ticket desk and answers here.";

/** Undefined once a person has answered, and never twice in a row. */
export function answerAsAgent(messages: readonly { readonly author: Author; readonly text: string }[]): string | null {
  const last = messages.at(-1);
  if (last?.author !== "visitor" || messages.some(({ author }) => author === "staff")) return null;
  const found = ANSWERS.find(([words]) => words.test(last.text))?.[1] ?? OTHER;
  return messages.some(({ author }) => author === "simulated") ? found : `${found} ${NOTE}`;
}
