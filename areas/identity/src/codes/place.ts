// Where codes that anybody may ask for belong: to a device the account knows, else to the address that asks. No stranger
// uses up the owner's codes or guesses.

/** Where somebody asks from who has not signed in. */
export interface Requester {
  /** The part of an address that is one caller's. */
  readonly source: string;
  readonly deviceKey: string;
}

export interface CodePlace {
  readonly place: string;
  readonly isKnown: boolean;
}

const NOBODY = 0;

/** The same work whether there is such an account or not. */
export async function placeOf(
  knowsDevice: (userId: number, deviceKey: string) => Promise<boolean>,
  userId: number | undefined,
  { source, deviceKey }: Requester,
): Promise<CodePlace> {
  const isKnown = await knowsDevice(userId ?? NOBODY, deviceKey);
  return { place: isKnown ? `device:${deviceKey}` : `address:${source}`, isKnown };
}
