// How one statement of the specification is held: seen in the evidence, by a named test that is there, or by a product
// whose page says whether it has come.
import type { Evidence, Visit } from "./seed-evidence.ts";

export interface Statement {
  /** Section and number within it. */
  readonly id: string;
  readonly says: string;
  /** Looks for itself. */
  readonly seen?: (evidence: Evidence) => boolean;
  /** A test elsewhere that shows it: its file and words of its title. */
  readonly shown?: readonly [file: string, words: string];
  /** The product it belongs to, the page that is there once it has come, and the requirement its tests then name. */
  readonly product?: readonly [name: string, path: string, rule: string];
}

export const seen = (id: string, says: string, look: (evidence: Evidence) => boolean): Statement => ({
  id,
  says,
  seen: look,
});
export const shown = (id: string, says: string, file: string, words: string): Statement => ({
  id,
  says,
  shown: [file, words],
});
export const awaits = (id: string, says: string, product: NonNullable<Statement["product"]>): Statement => ({
  id,
  says,
  product,
});

export const isPage = (evidence: Evidence, path: string): boolean => {
  const { status = 404, location = "" } = evidence.answers.get(path) ?? {};
  // A page for signed-in users sends others to sign in; any other redirect leads to a page of its own.
  return status === 200 || (status === 302 && location !== "");
};

export const callOf = ({ calls }: Visit, part: string) => calls.find(({ path }) => path.includes(part));

export const cookieOf = ({ cookies }: Visit, name: string) => cookies.find((cookie) => cookie.name === name);

export const sentFrame = ({ frames }: Visit, event: string) =>
  frames.find(({ sent, message }) => sent && message.event === event)?.message;
