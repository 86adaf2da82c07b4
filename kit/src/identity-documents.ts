// Owns which identity documents are accepted from which country: the same table for the server's answer, its check and
// the form. A country without an identity card offers none; where forgeries of all else are common, only the passport
// counts.

export const DOCUMENT_TYPES = ["passport", "id-card", "driving-licence", "residence-permit"] as const;
export type DocumentType = (typeof DOCUMENT_TYPES)[number];

const listed = (codes: string): ReadonlySet<string> => new Set(codes.split(" "));

/** Countries without a general identity card. */
const WITHOUT_CARD = listed("AU CA DK FO GB GG GL GU IE IM JE MP NZ PR US VI");
/** A driving licence is no proof of identity. */
const WITHOUT_LICENCE = listed("BD CN EG HK KH KP LA MM MO NP RU TM UZ VN");
/** Only the passport has features that can be verified. */
const PASSPORT_ALONE = listed("AF CF ER HT IQ LY SO SS SD SY YE");

/** In the order in which they are offered. */
export function documentTypesOf(country: string): readonly DocumentType[] {
  if (PASSPORT_ALONE.has(country)) return ["passport"];
  return DOCUMENT_TYPES.filter(
    (type) =>
      !(type === "id-card" && WITHOUT_CARD.has(country)) &&
      !(type === "driving-licence" && WITHOUT_LICENCE.has(country)),
  );
}

/** A passport has one side. */
export const hasBack = (type: string | undefined): boolean => type !== "passport";
