// The specification's statements about input (section 5), rephrased.
import { type Statement, seen, shown } from "./statement.ts";

export const INPUT: readonly Statement[] = [
  seen(
    "5.1",
    "an email is trimmed and matches a pattern",
    ({ typed }) => typed.mail === "taken" && typed.badMail === "refused",
  ),
  seen(
    "5.2",
    "a phone has six digits or more",
    ({ typed }) => typed.phone === "taken" && typed.shortPhone === "refused",
  ),
  seen("5.3", "a password has 8 to 32 letters of two classes", ({ typed }) => {
    const judged = (name: string) => typed[`password ${name}`];
    return (
      ["seven", "letters", "digits", "tooLong"].every((name) => judged(name) === "refused") &&
      ["two", "marks", "longest"].every((name) => judged(name) === "taken")
    );
  }),
  seen("5.4", "a code has six digits at most", ({ typed }) => typed.code === "123456"),
  seen("5.5", "digits alone", ({ typed }) => typed.digits === "491701234"),
  seen("5.6", "decimals are cut, zeros and dots stripped", ({ price }) => /^30,?000\.1$/.test(price)),
  shown(
    "5.7",
    "a bounded number is clamped",
    "e2e/src/public-site.test.ts",
    "an operator stops a market by its typed code and proposes a coupon",
  ),
  seen("5.8", "a futures amount has its options: as many digits as the contract", ({ amount }) =>
    /^1\.234$/.test(amount),
  ),
  seen(
    "5.9",
    "text of letters, digits, Chinese and a few marks: the name others see",
    ({ typed }) => typed.text === "taken",
  ),
  seen(
    "5.10",
    "English letters, digits and symbols: the number of a document",
    ({ typed }) => typed.number === "P-123",
  ),
  seen(
    "5.11",
    "letters and Chinese alone: the name as an Asian document has it",
    ({ typed }) => typed.native === "王小明",
  ),
  seen(
    "5.12",
    "letters and digits alone: an invite code",
    ({ typed }) => typed.invite === "taken" && typed.badInvite === "refused",
  ),
  seen(
    "5.13",
    "digits, hyphen and underscore alone: the number of a card one is paid on",
    ({ typed }) => typed.card === "4111-11111111_1111",
  ),
  shown(
    "5.14",
    "languages are restricted by clientSupperLanguage and the allowed list",
    "e2e/src/planted-site.test.ts",
    "clientSupperLanguage leaves what it names",
  ),
  seen(
    "5.15",
    "about 90 public mail providers, 23 of them offered",
    ({ typed }) => typed.completed === "23" && /^7 of (8[5-9]|9[0-5])$/.test(typed.personal ?? ""),
  ),
];
