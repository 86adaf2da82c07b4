// The answers of the simulated agent of the default run: pages to read, by the words of the question. Pure.
import type { Author } from "./contract.ts";

const ANSWERS: readonly (readonly [words: RegExp, answer: string])[] = [
  [/withdraw/i, "You can find your withdrawals with their status and reason at /withdrawal."],
  [/deposit/i, "You can find your deposits with their confirmations at /deposit."],
  [/fee|vip|level/i, "Your fees and your level are shown at /vip."],
  [/identi|kyc|verif/i, "Your identity level and the requirements for the next one are shown at /identity."],
  [/password|2fa|authenticator|passkey|login|sign/i, "Manage your passwords, authenticator and devices at /security."],
  [/order|trade|fill/i, "You can find open orders and fills below the chart and in your order history."],
];
const OTHER = "Answers to most questions are in the help center at /help.";
const NOTE = "A support agent will read this conversation and reply here.";

/** Undefined once a person has answered, and never twice in a row. */
export function answerAsAgent(messages: readonly { readonly author: Author; readonly text: string }[]): string | null {
  const last = messages.at(-1);
  if (last?.author !== "visitor" || messages.some(({ author }) => author === "staff")) return null;
  const found = ANSWERS.find(([words]) => words.test(last.text))?.[1] ?? OTHER;
  return messages.some(({ author }) => author === "simulated") ? found : `${found} ${NOTE}`;
}
